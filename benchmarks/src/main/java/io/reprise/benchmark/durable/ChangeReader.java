package io.reprise.benchmark.durable;

import io.reprise.benchmark.fork.PreparedStart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A process that follows the changes of a data directory and prints them to a pipe, whose lines a thread of this process counts. */
final class ChangeReader implements AutoCloseable {
    private static final long QUIET_NS = 1_000_000_000;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(10);
    private static final int LOOK_MS = 20;
    private static final int PIECE = 1 << 16;
    private static final int STOP_SECONDS = 20;

    private final Process process;
    private final AtomicLong lines = new AtomicLong();
    private final AtomicLong lastNs = new AtomicLong();

    private ChangeReader(Process process) {
        this.process = process;
    }

    /** Starts one that prints changes from the first of the log on. */
    static ChangeReader start(Path data) throws IOException {
        Process process = new ProcessBuilder(PreparedStart.command(List.of(), "changes", data.toString(), "--follow"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ChangeReader reader = new ChangeReader(process);
        Thread.ofPlatform().daemon().name("changes").start(reader::count);
        return reader;
    }

    private void count() {
        byte[] piece = new byte[PIECE];
        try (InputStream in = process.getInputStream()) {
            for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
                int found = 0;
                for (int i = 0; i < length; i++) {
                    found += piece[i] == '\n' ? 1 : 0;
                }
                lines.addAndGet(found);
                lastNs.set(System.nanoTime());
            }
        } catch (IOException ended) {
            // The process has been told to end.
        }
    }

    /** The number of changes that it has printed. */
    long lines() {
        return lines.get();
    }

    /** Waits until it has printed some, and has printed no more for a second. Returns the seconds before that second. */
    double awaitQuiet() throws InterruptedException {
        long beganNs = System.nanoTime();
        while (System.nanoTime() - beganNs < PATIENCE_NS) {
            Thread.sleep(LOOK_MS);
            if (!process.isAlive()) {
                throw new IllegalStateException("the reader of changes has ended; its messages are above");
            }
            long last = lastNs.get();
            if (lines.get() > 0 && System.nanoTime() - Math.max(last, beganNs) > QUIET_NS) {
                return Math.max(0, last - beganNs) / 1e9;
            }
        }
        throw new IllegalStateException("the reader of changes has not caught up within ten minutes");
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
