package io.reprise.benchmark.drive;

import io.reprise.client.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A part of a run with one plan.
 *
 * @param rate wanted calls per second; 0: as many as may be under way, or callers
 * @param seconds the events, second by second, after the warm-up
 * @param all the same as one; its latencies and outcomes include calls that were under way or due at the end
 * @param missed number of due calls that were never made, because there was no room
 * @param failures of the calls that did not commit, by reason, the warm-up's included
 * @param firstError the message of the first error; empty without one
 * @param someUnknown whether calls have an unknown outcome
 * @param silent whether it was ended because for a while nothing was answered
 * @param byNode the share of each node in the replies, the warm-up's included; empty with one node
 */
record Trial(
        int rate,
        List<Second> seconds,
        Second all,
        long missed,
        Map<ErrorCode, Long> failures,
        String firstError,
        boolean someUnknown,
        boolean silent,
        String byNode) {
    /** When nothing is answered for so long, the rest would not be a measurement either. */
    private static final int GIVE_UP_SECONDS = 10;

    /** The message about that. */
    static final String SAYS_SILENT = "It was ended before its time: nothing was answered for ten seconds.";

    /**
     * Drives at a rate.
     *
     * @param stop ends it early
     * @param told of each second; true: it was of the warm-up
     */
    static Trial run(
            Session session,
            Plan plan,
            int rate,
            int warmUpSeconds,
            CountDownLatch stop,
            BiConsumer<Second, Boolean> told)
            throws InterruptedException {
        SortedMap<String, Long> before = session.repliesByNode();
        Drive drive = plan.callers() > 0 ? session.callers(plan.callers()) : session.drive(rate);
        int mostSeconds = plan.seconds() == 0 ? Integer.MAX_VALUE : plan.seconds();
        Trial trial = of(drive, rate, warmUpSeconds, mostSeconds, GIVE_UP_SECONDS, stop, told);
        return trial.with(shares(before, session.repliesByNode()));
    }

    private Trial with(String shares) {
        return new Trial(rate, seconds, all, missed, failures, firstError, someUnknown, silent, shares);
    }

    /** The share of each node in what has come since, as text; empty with one node. */
    static String shares(SortedMap<String, Long> before, SortedMap<String, Long> after) {
        long all = 0;
        for (Map.Entry<String, Long> node : after.entrySet()) {
            all += node.getValue() - before.getOrDefault(node.getKey(), 0L);
        }
        if (after.size() < 2 || all == 0) {
            return "";
        }
        StringJoiner text = new StringJoiner(", ");
        for (Map.Entry<String, Long> node : after.entrySet()) {
            long replies = node.getValue() - before.getOrDefault(node.getKey(), 0L);
            text.add(String.format(Locale.ROOT, "%s %,d (%.1f%%)", node.getKey(), replies, 100.0 * replies / all));
        }
        return "Replies by node: " + text;
    }

    /** Of calls that are being made. */
    static Trial of(
            Drive drive,
            int rate,
            int warmUpSeconds,
            int mostSeconds,
            int giveUpSeconds,
            CountDownLatch stop,
            BiConsumer<Second, Boolean> told)
            throws InterruptedException {
        boolean silent =
                !watch(new Watch(drive), warmUpSeconds, giveUpSeconds, stop, second -> told.accept(second, true));
        List<Second> seconds = new ArrayList<>();
        Watch watch = new Watch(drive);
        long rolledBack = drive.failures().rolledBack();
        long refused = drive.failures().refused();
        long errors = drive.failures().errors();
        if (!silent && (warmUpSeconds == 0 || stop.getCount() > 0)) {
            silent = !watch(watch, mostSeconds, giveUpSeconds, stop, second -> {
                seconds.add(second);
                told.accept(second, false);
            });
        }
        double took = seconds.isEmpty() ? 0 : seconds.getLast().at();
        double perSecond = took == 0 ? 0 : watch.total().getTotalCount() / took;
        drive.stop();
        if (took > 0) {
            // Those that take longest are most likely among those that are under way at the end.
            watch.addLast();
        }
        Second all = Second.of(
                took,
                perSecond,
                watch.total(),
                drive.failures().rolledBack() - rolledBack,
                drive.failures().refused() - refused,
                drive.failures().errors() - errors);
        return new Trial(
                rate,
                seconds,
                all,
                drive.missed(),
                drive.failures().byCode(),
                drive.failures().firstError().map(Throwable::toString).orElse(""),
                drive.failures().someUnknown(),
                silent,
                "");
    }

    /** Until the time is over or it is stopped; returns false if it gave up before. */
    private static boolean watch(
            Watch watch, int seconds, int giveUpSeconds, CountDownLatch stop, Consumer<Second> told)
            throws InterruptedException {
        long beganNs = System.nanoTime();
        int silent = 0;
        for (int i = 1; i <= seconds; i++) {
            long leftNs = beganNs + TimeUnit.SECONDS.toNanos(i) - System.nanoTime();
            boolean stopped = stop.await(Math.max(0, leftNs), TimeUnit.NANOSECONDS);
            Second second = watch.look();
            told.accept(second);
            silent = second.perSecond() == 0 ? silent + 1 : 0;
            if (stopped) {
                return true;
            }
            if (silent == giveUpSeconds) {
                return false;
            }
        }
        return true;
    }

    /** The message about calls that were never made; empty if all were. */
    String saysMissed() {
        return missed == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d calls that were due found no room until it was over: they count as having taken until then, and would"
                                + " have taken longer.",
                        missed);
    }

    /** Whether the server, or this machine, could not keep up with the rate; no, if nothing was measured. */
    boolean fellBehind() {
        return rate > 0 && !seconds.isEmpty() && all.perSecond() < 0.97 * rate;
    }
}
