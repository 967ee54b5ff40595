package io.reprise.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HaltingFailureHandlerTest {
    @Test
    void shouldEndTheProcessAtOnceAndSayWhy() throws Exception {
        Process process = SmallJvm.of(Doomed.class).redirectErrorStream(true).start();

        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(HaltingFailureHandler.EXIT_STATUS);
        assertThat(output)
                .contains("Node seven halts: log failed")
                .contains("the disk is gone")
                .doesNotContain("hook ran")
                .doesNotContain("went on");
    }

    /** A process that meets a fatal failure. */
    static final class Doomed {
        private Doomed() {}

        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran")));
            new HaltingFailureHandler("seven").onFatal("log", new IllegalStateException("the disk is gone"));
            System.out.println("went on");
        }
    }
}
