package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.procedure.Rows;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecoveryRehearsalTest {
    @TempDir
    private Path folder;

    /** It checks itself that all of it was replayed. */
    @ParameterizedTest
    @ValueSource(strings = {"physiological", "command"})
    void shouldLeaveRowsThatWereInsertedChangedAndDeleted(String method) {
        RecoveryRehearsal.rehearse(folder);

        try (Reprise engine = Options.create().directory(folder.resolve(method)).open()) {
            assertThat(count(engine, "SELECT COUNT(*) FROM line"))
                    .isEqualTo((2L * RecoveryRehearsal.CALLS + 1) * RehearsedWrites.LINES);
            assertThat(count(engine, "SELECT COUNT(*) FROM line WHERE delivered IS NOT NULL"))
                    .isPositive();
            assertThat(count(engine, "SELECT COUNT(*) FROM waiting"))
                    .isPositive()
                    .isLessThan(RecoveryRehearsal.CALLS);
            assertThat(count(engine, "SELECT COUNT(*) FROM visitor WHERE visits > 1"))
                    .isPositive();
            assertThat(count(engine, "SELECT COUNT(*) FROM named")).isPositive();
        }
    }

    private static long count(Reprise engine, String query) {
        Rows rows = engine.sql(query).orThrow().rows();
        rows.next();
        return rows.longAt(0);
    }
}
