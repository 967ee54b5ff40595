package io.reprise.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The end of the program by Ctrl-C or SIGTERM while a command is at work. The command is told, and the program waits for a while until it
 * has said how far it has come.
 */
public final class EarlyEnd implements AutoCloseable {
    /** A limit above the usual timeout of a call under way. */
    private static final long PATIENCE_SECONDS = 40;

    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread hook;

    /**
     * From now on.
     *
     * @param told the command's action then, on another thread, so that it comes to its end soon
     */
    public EarlyEnd(Runnable told) {
        hook = Thread.ofPlatform().name("reprise-early-end").unstarted(() -> {
            told.run();
            await();
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void await() {
        try {
            done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command has said everything. */
    @Override
    public void close() {
        done.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is at work.
        }
    }
}
