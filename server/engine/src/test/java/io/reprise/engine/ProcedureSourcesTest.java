package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.deploy.ClassJar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The places in which procedures' classes are looked for after many deployments. */
final class ProcedureSourcesTest {
    @Test
    void shouldKeepOneJarWhenTheSameClassesAreDeployedAgainAndAgain() {
        ProcedureSources sources = new ProcedureSources(List.of(), List.of());
        byte[] last = null;

        for (int version = 0; version < 20; version++) {
            last = jar(version, "p.A", "p.B");
            sources = sources.with(last);
        }

        assertThat(sources.jars()).containsExactly(last);
    }

    @Test
    void shouldKeepAJarWhileAClassOfItIsInNoNewerOne() {
        byte[] both = jar(0, "p.A", "p.B");
        byte[] first = jar(1, "p.A");
        byte[] second = jar(2, "p.B", "p.C");

        assertThat(new ProcedureSources(List.of(both), List.of()).with(first).jars())
                .containsExactly(both, first);
        assertThat(new ProcedureSources(List.of(both, first, second), List.of()).jars())
                .containsExactly(first, second);
    }

    private static byte[] jar(int version, String... classNames) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (String className : classNames) {
            files.put(className, new byte[] {(byte) version});
        }
        return ClassJar.of(files);
    }
}
