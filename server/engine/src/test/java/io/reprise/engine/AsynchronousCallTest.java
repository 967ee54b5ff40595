package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Text;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Calls that nobody waits for while they run. */
class AsynchronousCallTest {
    private static final String DDL = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            PARTITION TABLE item ON COLUMN id;
            CREATE PROCEDURE FROM CLASS io.reprise.engine.AsynchronousCallTest$Joined;
            """;

    private static Options options() {
        return Options.create().partitions(2).memoryPerPartition(64 << 20).ddl(DDL);
    }

    @Test
    void shouldRunWithWhatItWasCalledWithWhenArgumentsAreUsedAgain() {
        try (Reprise engine = options().threads(Options.Threads.CALLER).open()) {
            long[] longs = {1, 2};
            int[] ints = {3};
            double[] doubles = {0.5};
            String[] strings = {"four"};
            byte[] bytes = {5};
            byte[] utf8 = "text".getBytes(StandardCharsets.UTF_8);
            Text text = new Text().wrap(MemorySegment.ofArray(utf8), 0, utf8.length);
            Object[] arguments = {longs, ints, doubles, strings, bytes, text};

            CompletableFuture<Reply> answer = engine.callAsync("Joined", arguments);
            longs[0] = ints[0] = bytes[0] = 9;
            doubles[0] = 9;
            strings[0] = "nine";
            Arrays.fill(utf8, (byte) '9');
            arguments[0] = new long[] {9};
            engine.runSites();

            assertThat(answer.join().stringValue()).isEqualTo("[1, 2] [3] [0.5] [four] [5] text");
        }
    }

    @Test
    void shouldAnswerAndGoOnWhenTheExecutorOfAnswersRefuses() throws Exception {
        Options options = options().replies(_ -> {
            throw new RejectedExecutionException("full");
        });
        try (Reprise engine = options.open()) {
            for (int i = 0; i < 3; i++) {
                CompletableFuture<Reply> answer = engine.callAsync(
                        "Joined", new long[0], new int[0], new double[0], new String[0], new byte[0], "");

                assertThat(answer.get(60, TimeUnit.SECONDS).stringValue()).isEqualTo("[] [] [] [] [] ");
            }
            assertThat(engine.failure()).isEmpty();
        }
    }

    /** Gives back what it was called with. */
    public static final class Joined extends Procedure {
        public String run(long[] longs, int[] ints, double[] doubles, String[] strings, byte[] bytes, Text text) {
            return Arrays.toString(longs) + " " + Arrays.toString(ints) + " " + Arrays.toString(doubles) + " "
                    + Arrays.toString(strings) + " " + Arrays.toString(bytes) + " " + text;
        }
    }
}
