package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code reprise recover}: from the refusal of a start to a database that opens. */
final class RecoverCommandTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Counts its calls where the scan does not look. */
    public static final class Remember extends Procedure {
        private final Statement put = sql("UPSERT INTO note (id, n) VALUES (?, ?)");
        private final int[] calls = new int[1];

        /** Returns how often it was called, by this instance. */
        public long run(long id) {
            calls[0]++;
            put.set(0, id).set(1, calls[0]).update();
            return calls[0];
        }
    }

    private Options options() {
        return Options.create()
                .memoryPerPartition(64 << 20)
                .directory(folder.resolve("data"))
                .ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, n BIGINT)")
                .procedures(Remember.class);
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return RepriseCommand.run(out, err, arguments);
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldOpenADirectoryThatRefusedToWhenTheDifferenceIsAccepted() {
        String data = folder.resolve("data").toString();
        long second;
        try (Reprise engine = options().open()) {
            engine.call("Remember", 1);
            engine.snapshot();
            second = engine.call("Remember", 2).transactionId();
        }
        assertThatThrownBy(() -> options().open()).hasMessageContaining("reprise recover");

        assertThat(run("recover", data, "--skip", "4711")).as(printed()).isEqualTo(RepriseTool.FAILED);
        assertThat(run("recover", data, "--accept", "0x" + Long.toHexString(second)))
                .as(printed())
                .isZero();

        assertThat(printed()).contains("Followed and logged the choice to accept the new writes of transaction 0x");
        try (Reprise engine = options().open()) {
            var rows = engine.sql("SELECT SUM(n) FROM note").rows();
            rows.next();
            assertThat(rows.longAt(0)).isEqualTo(2);
        }
    }

    @Test
    void shouldChangeNothingWhenTheCommandIsWrong() {
        assertThat(run("recover", folder.toString())).isEqualTo(2);
        assertThat(printed()).contains("choose how to go on");
        assertThat(run("recover", folder.toString(), "--accept", "x")).isEqualTo(2);
        assertThat(run("recover", folder.toString(), "--accept-all")).isEqualTo(RepriseTool.FAILED);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldRefuseTheDataOfANodeOfACluster() throws IOException {
        Files.writeString(folder.resolve(".cluster"), "cluster=shop\nid=0f3c\nnode=1\ninstance=9a\n");

        assertThat(run("recover", folder.toString(), "--accept-all")).isEqualTo(RepriseTool.FAILED);
        assertThat(printed()).contains("are those of node 1 of cluster 'shop'");
    }
}
