package io.reprise.benchmark.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ForkTest {
    @TempDir
    Path folder;

    @Test
    void shouldAnswerInAProcessOfItsOwnWhenAsked() {
        try (Fork fork = Fork.start(CountingTask.class, "10", "")) {
            fork.ask("add", "1");

            Map<String, Double> answer = fork.ask("add", "0.25");

            assertThat(answer).containsEntry("sum", 11.25);
            assertThat(answer.get("process"))
                    .isNotEqualTo((double) ProcessHandle.current().pid());
            assertThat(answer.keySet()).containsExactly("sum", "process");
        }
    }

    @Test
    void shouldStartWithoutAFlagOfThisProcess() {
        String warned = "--sun-misc-unsafe-memory-access=allow";

        try (Fork with = Fork.start(FlagsTask.class, warned);
                Fork without = Fork.startWithout(warned, FlagsTask.class, warned)) {
            assertThat(with.ask("has")).containsEntry("has", 1.0);
            assertThat(without.ask("has")).containsEntry("has", 0.0);
        }
        assertThatThrownBy(() -> Fork.startWithout("--no-such-flag", FlagsTask.class, warned))
                .hasMessageContaining("was started without --no-such-flag");
    }

    @Test
    void shouldCloseTheTaskWhenTheForkIsClosed() {
        Path closed = folder.resolve("closed");

        Fork.start(CountingTask.class, "0", closed.toString()).close();

        assertThat(closed).exists();
    }

    @Test
    void shouldFailWhenTheTaskCannotBeClosed() {
        Fork fork = Fork.start(CountingTask.class, "0", folder.toString());

        assertThatThrownBy(fork::close).hasMessageContaining("could not be closed");
    }

    @Test
    void shouldFailWhenTheTaskFails() {
        try (Fork fork = Fork.start(CountingTask.class, "10", "")) {
            assertThatThrownBy(() -> fork.ask("subtract", "1"))
                    .hasMessageContaining("CountingTask 10")
                    .hasMessageContaining("can't subtract");
            assertThatThrownBy(() -> fork.ask("add", "1")).hasMessageContaining("CountingTask 10");
        }
        assertThatThrownBy(() -> Fork.start(CountingTask.class, "ten", "")).hasMessageContaining("\"ten\"");
    }

    @Test
    void shouldTellWhatHasFailedWhenTheTaskEndsTheProcessAtItsClose() {
        try (Fork fork = Fork.start(DyingTask.class)) {
            assertThatThrownBy(() -> fork.ask("anything")).hasMessageContaining("nothing can be answered");
        }
    }

    @Test
    void shouldRefuseWordsThatWouldNotArriveAsTheyAre() {
        assertThatThrownBy(() -> Lines.ofWords(List.of("a\tb"))).hasMessageContaining("a tab");
        assertThat(Lines.words(Lines.ofWords(List.of("", "a b", "")).stripTrailing() + "\t"))
                .containsExactly("", "a b", "");
        assertThat(Lines.words("")).isEmpty();
    }

    /** Answers nothing, and is killed rather than closed. */
    public static final class DyingTask implements ForkedTask {
        public DyingTask() {}

        @Override
        public void open(List<String> words) {}

        @Override
        public Map<String, Double> answer(List<String> request) {
            throw new IllegalStateException("nothing can be answered");
        }

        @Override
        public void close() {
            Runtime.getRuntime().halt(0);
        }
    }

    /** Adds numbers up. */
    public static final class CountingTask implements ForkedTask {
        private double sum;
        private String atClose = "";

        public CountingTask() {}

        @Override
        public void open(List<String> words) {
            sum = Double.parseDouble(words.get(0));
            atClose = words.get(1);
            System.out.println("what is printed is no answer");
        }

        @Override
        public Map<String, Double> answer(List<String> request) {
            if (!request.get(0).equals("add")) {
                throw new IllegalArgumentException("can't " + request.get(0));
            }
            sum += Double.parseDouble(request.get(1));
            return new java.util.TreeMap<>(Map.of("sum", sum, "process", (double)
                            ProcessHandle.current().pid()))
                    .descendingMap();
        }

        @Override
        public void close() throws IOException {
            if (!atClose.isEmpty()) {
                Files.createFile(Path.of(atClose));
            }
        }
    }

    /** Tells whether its process was started with a flag. */
    public static final class FlagsTask implements ForkedTask {
        private String flag;

        /** Nothing is open. */
        public FlagsTask() {}

        @Override
        public void open(List<String> words) {
            flag = words.getFirst();
        }

        @Override
        public Map<String, Double> answer(List<String> request) {
            boolean has =
                    ManagementFactory.getRuntimeMXBean().getInputArguments().contains(flag);
            return Map.of("has", has ? 1.0 : 0.0);
        }

        @Override
        public void close() {}
    }
}
