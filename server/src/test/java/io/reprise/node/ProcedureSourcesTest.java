package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;

/** Where procedures' classes are looked for after many deployments. */
final class ProcedureSourcesTest {
    @Test
    void shouldKeepOneJarWhenTheSameClassesAreDeployedAgainAndAgain() throws IOException {
        ProcedureSources sources = new ProcedureSources(List.of(), List.of());
        byte[] last = null;

        for (int version = 0; version < 20; version++) {
            last = jar(version, "p.A", "p.B");
            sources = sources.with(last);
        }

        assertThat(sources.jars()).containsExactly(last);
    }

    @Test
    void shouldKeepAJarWhileAClassOfItIsInNoNewerOne() throws IOException {
        byte[] both = jar(0, "p.A", "p.B");
        byte[] first = jar(1, "p.A");
        byte[] second = jar(2, "p.B", "p.C");

        assertThat(new ProcedureSources(List.of(both), List.of()).with(first).jars())
                .containsExactly(both, first);
        assertThat(new ProcedureSources(List.of(both, first, second), List.of()).jars())
                .containsExactly(first, second);
    }

    private static byte[] jar(int version, String... classNames) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            for (String className : classNames) {
                jar.putNextEntry(new JarEntry(className.replace('.', '/') + ".class"));
                jar.write(version);
                jar.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
