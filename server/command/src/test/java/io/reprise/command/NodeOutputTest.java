package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class NodeOutputTest {
    private static final int ROOM = 1000;
    private static final int PATIENCE_MS = 30_000;

    /** Takes nothing until it is read. */
    private static class Pipe extends OutputStream {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final CountDownLatch full = new CountDownLatch(1);
        private final CountDownLatch read = new CountDownLatch(1);

        @Override
        public void write(int value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            full.countDown();
            try {
                read.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            synchronized (taken) {
                taken.write(bytes);
            }
        }

        private String text() {
            synchronized (taken) {
                return taken.toString(StandardCharsets.UTF_8);
            }
        }
    }

    private static void write(NodeOutput output, String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        output.write(bytes, 0, bytes.length);
    }

    @Test
    void shouldNotWaitForWhoDoesNotReadAndTellHowMuchIsLeftOutOnceSomebodyDoes() throws Exception {
        Pipe pipe = new Pipe();
        AtomicReference<NodeOutput> self = new AtomicReference<>();
        NodeOutput output =
                NodeOutput.open("test", pipe, ROOM, lines -> write(self.get(), lines + " lines are left out"));
        self.set(output);

        for (int line = 0; line < 500; line++) {
            write(output, "line " + (1000 + line));
        }
        assertThat(output.awaitWritten(1)).isFalse();
        pipe.full.await();
        pipe.read.countDown();
        assertThat(output.awaitWritten(PATIENCE_MS)).isTrue();
        while (!pipe.text().contains("left out")) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        write(output, "the last");
        assertThat(output.awaitWritten(PATIENCE_MS)).isTrue();

        // Lines of ten bytes each: as many as there is room for.
        int kept = ROOM / 10;
        assertThat(pipe.text().lines()).hasSize(kept + 2).startsWith("line 1000", "line 1001");
        assertThat(pipe.text())
                .contains("line " + (1000 + kept - 1) + "\n" + (500 - kept) + " lines are left out\nthe last\n");
    }

    @Test
    void shouldGoOnWhenThereWasNoMemoryForALineOrForWhatIsToldOfIt() throws Exception {
        AtomicInteger failures = new AtomicInteger(2);
        AtomicLong told = new AtomicLong();
        Pipe pipe = new Pipe() {
            @Override
            public void write(byte[] bytes) throws IOException {
                failNow();
                super.write(bytes);
            }

            private void failNow() {
                if (failures.getAndDecrement() == 2) {
                    throw new OutOfMemoryError("of the test, while it writes");
                }
            }
        };
        pipe.read.countDown();
        NodeOutput output = NodeOutput.open("test", pipe, ROOM, lines -> {
            if (failures.getAndDecrement() == 1) {
                throw new OutOfMemoryError("of the test, while it tells");
            }
            told.addAndGet(lines);
        });

        write(output, "lost");
        assertThat(output.awaitWritten(PATIENCE_MS)).isTrue();
        write(output, "there");
        assertThat(output.awaitWritten(PATIENCE_MS)).isTrue();
        while (told.get() == 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }

        assertThat(told).hasValue(1);
        assertThat(pipe.text()).isEqualTo("there\n");
    }

    @Test
    void shouldGoOnWhenWhoHasReadIsGone() throws Exception {
        CountDownLatch tried = new CountDownLatch(2);
        NodeOutput output = NodeOutput.open(
                "test",
                new OutputStream() {
                    @Override
                    public void write(int value) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public void write(byte[] bytes) throws IOException {
                        tried.countDown();
                        throw new IOException("broken pipe");
                    }
                },
                lines -> {});

        write(output, "one");
        write(output, "two");

        assertThat(output.awaitWritten(PATIENCE_MS)).isTrue();
        assertThat(tried.getCount()).isZero();
    }
}
