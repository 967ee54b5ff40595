package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.archive.ArchiveSettings;
import io.reprise.archive.FolderObjects;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The options of {@code reprise restore}; its work is tested with the engine. */
final class RestoreCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @Test
    void shouldRestoreABackupWithTheLogBehindIt() {
        try (Reprise engine = Options.create()
                .directory(folder.resolve("data"))
                .memoryPerPartition(64 << 20)
                .ddl("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE t ON COLUMN id;")
                .open()) {
            engine.backup(folder.resolve("backup"));
            engine.sql("INSERT INTO t VALUES (1)");
        }

        int code = run("restore", at("backup"), at("restored"), "--log", at("data"), "--to", "2999-01-01T00:00:00Z");

        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1 rows are in ");
    }

    @Test
    void shouldShowVerifyAndRestoreAnArchive() throws Exception {
        Path archive = Files.createDirectory(folder.resolve("archive"));
        try (Reprise engine = Options.create()
                .directory(folder.resolve("data"))
                .memoryPerPartition(64 << 20)
                .archive(ArchiveSettings.usual(() -> FolderObjects.at(archive)))
                .ddl("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE t ON COLUMN id;")
                .open()) {
            engine.snapshot();
            engine.sql("INSERT INTO t VALUES (1)");
            while (engine.durabilityStats()
                            .orElseThrow()
                            .archive()
                            .orElseThrow()
                            .snapshots()
                    == 0) {
                Thread.onSpinWait();
            }
        }

        assertThat(run("archive", "status", at("archive"))).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("  Restorable from ", "without a gap");
        assertThat(run("archive", "verify", at("archive"))).isZero();
        assertThat(run("restore", at("restored"), "--archive", at("archive")))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("1 rows are in ");
        assertThat(run("restore", at("early"), "--archive", at("archive"), "--to", "2001-01-01T00:00:00Z"))
                .isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("the archive has no snapshot before the moment");
        assertThat(run("restore", at("snapshot"), at("other"), "--archive", at("archive")))
                .isEqualTo(2);
        assertThat(run("archive", "repair", at("archive"), at("data")))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("0 segments and snapshots were replaced");
        assertThat(run("archive", "verify", at("data"))).isEqualTo(1);
        assertThat(run("archive", "status", at("missing"))).isNotZero();
    }

    @Test
    void shouldRefuseAMomentWithoutALogAndATimeThatIsNone() {
        assertThat(run("restore", at("backup"), at("restored"), "--to", "2026-11-27T09:59:00Z"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("add --log DATA");
        assertThat(run("restore", at("backup"), at("restored"), "--log", at("data"), "--to", "noon"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("a time in UTC such as 2026-11-27T09:59:00Z, not noon");
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private int run(String... arguments) {
        return RepriseTool.run(out, err, Map.of(), line -> {}, arguments);
    }
}
