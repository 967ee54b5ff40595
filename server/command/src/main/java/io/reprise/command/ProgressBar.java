package io.reprise.command;

import io.reprise.runtime.time.SystemClock;
import java.io.PrintWriter;
import java.util.Locale;

/** Shows at a terminal how much of something is done; elsewhere nothing. One thread. */
final class ProgressBar {
    private static final int WIDTH = 30;
    private static final long EVERY_NS = 200_000_000;
    private static final double SECOND_NS = 1e9;

    private final PrintWriter to;
    private final long all;
    private final boolean visible;
    private final long beganNs = SystemClock.INSTANCE.nanoTime();
    private long shownNs = beganNs;

    ProgressBar(PrintWriter to, long all, boolean visible) {
        this.to = to;
        this.all = Math.max(1, all);
        this.visible = visible;
    }

    /** On a terminal, if there is one. */
    static ProgressBar on(PrintWriter to, long all) {
        return new ProgressBar(to, all, atTerminal());
    }

    /** Whether a person is there. JDK 25 gives no console again where there is no terminal, whatever was so in between. */
    @SuppressWarnings("SystemConsoleNull")
    static boolean atTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    void show(long done) {
        long nowNs = SystemClock.INSTANCE.nanoTime();
        if (visible && nowNs - shownNs >= EVERY_NS) {
            shownNs = nowNs;
            to.print("\r" + line(done, nowNs - beganNs));
            to.flush();
        }
    }

    String line(long done, long tookNs) {
        double fraction = Math.min(1, (double) done / all);
        int filled = (int) (fraction * WIDTH);
        double left = fraction == 0 ? 0 : tookNs / SECOND_NS * (1 - fraction) / fraction;
        return String.format(
                Locale.ROOT,
                "[%s%s] %3d%%, %.0f s left ",
                "=".repeat(filled),
                " ".repeat(WIDTH - filled),
                Math.round(100 * fraction),
                left);
    }

    void end() {
        if (visible) {
            to.print("\r" + " ".repeat(WIDTH + 30) + "\r");
            to.flush();
        }
    }
}
