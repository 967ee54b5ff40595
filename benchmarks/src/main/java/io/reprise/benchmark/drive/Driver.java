package io.reprise.benchmark.drive;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ErrorCode;
import io.reprise.client.RemoteProcedure;
import io.reprise.client.ReplyHandler;
import io.reprise.procedure.Text;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import io.reprise.wire.ValueKind;
import io.reprise.wire.WireFailure;
import io.reprise.workload.Call;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * A thread that makes calls without waiting for their replies: at a given rate, timed from when each should have been made
 * (so that a stall is not overlooked), or as many as the client allows to be under way.
 */
final class Driver implements Load, ReplyHandler {
    private static final int PROCEDURE_BITS = 4;
    private static final int PROCEDURE_MASK = (1 << PROCEDURE_BITS) - 1;
    private static final long LEAST_PAUSE_NS = 20_000;
    private static final long PAUSE_NS = 1_000_000;

    /** While calls are refused those that fall due are made a thousandth of a second's at a time, and for so long afterwards. */
    private static final long REFUSED_PAUSE_NS = 1_000_000;

    private static final long CROWDED_NS = 100_000_000;

    /** For how long calls that were due when it ended are still made. */
    private static final long MAKE_UP_NS = 2_000_000_000;

    /** Calls that are never made are recorded in so many steps at most. */
    private static final long MOST_STEPS = 10_000;

    /** Longer times are taken for this. */
    static final long HIGHEST_NS = 3_600_000_000_000L;

    private final Client client;
    private final Generator generator;
    private final RemoteProcedure[] procedures;
    private final Failures failures;
    private final double perSecond;
    private final long originNs = System.nanoTime();
    private final SingleWriterRecorder latencies = new SingleWriterRecorder(HIGHEST_NS, 3);
    private final Thread thread;
    private final ArgumentWriter arguments = new ArgumentWriter();
    private volatile boolean stopping;
    private volatile long stoppedNs;
    private volatile long sent;
    private volatile long ended;
    private volatile long completed;

    // The driver's thread's, and when that has ended its joiner's.
    private long missed;
    private long firstMissedNs;
    private long gaveUpNs;

    // The driver's thread's.
    private long due;
    private long sending;
    private boolean kept;
    private int refused;

    // The network thread's.
    private long ending;
    private long completing;

    /**
     * A driver.
     *
     * @param perSecond calls per second; 0: as many as the client takes
     */
    Driver(Client client, Workload workload, Generator generator, double perSecond, Failures failures) {
        this.client = client;
        this.generator = generator;
        this.failures = failures;
        this.perSecond = perSecond;
        procedures = workload.procedures().stream().map(client::procedure).toArray(RemoteProcedure[]::new);
        thread = Thread.ofPlatform().daemon().name("driver").unstarted(this::run);
    }

    @Override
    public void start() {
        thread.start();
    }

    private void run() {
        Writer writer = new Writer();
        long beginNs = System.nanoTime();
        double intervalNs = perSecond > 0 ? 1e9 / perSecond : 0;
        long crowdedUntilNs = beginNs;
        try {
            while (!stopping) {
                long nowNs = System.nanoTime();
                long dueNs = perSecond > 0 ? beginNs + (long) (due * intervalNs) : nowNs;
                if (nowNs < dueNs) {
                    long leastNs = nowNs < crowdedUntilNs ? REFUSED_PAUSE_NS : LEAST_PAUSE_NS;
                    LockSupport.parkNanos(Math.max(leastNs, dueNs - nowNs));
                    continue;
                }
                refused = 0;
                do {
                    due++;
                    call(writer, dueNs);
                    dueNs = beginNs + (long) (due * intervalNs);
                } while (perSecond > 0 && dueNs <= nowNs && !stopping);
                if (refused > 0) {
                    failures.refused(refused);
                    crowdedUntilNs = nowNs + CROWDED_NS;
                    LockSupport.parkNanos(REFUSED_PAUSE_NS);
                }
            }
            if (perSecond > 0) {
                makeUp(writer, beginNs, intervalNs);
            }
        } catch (RuntimeException bug) {
            failures.broken(bug);
        }
    }

    /**
     * Calls that were due before the end and found no room have waited for longest: without them a stall at the end
     * would be overlooked. They are made now, while they are taken; the rest has waited until now at least.
     */
    private void makeUp(Writer writer, long beginNs, double intervalNs) {
        long allDue = (long) ((stoppedNs - beginNs) / intervalNs) + 1;
        while (due < allDue && System.nanoTime() - stoppedNs < MAKE_UP_NS) {
            long dueNs = beginNs + (long) (due * intervalNs);
            due++;
            call(writer, dueNs);
            if (kept) {
                failures.refused(refused);
                break;
            }
        }
        gaveUpNs = System.nanoTime();
        firstMissedNs = beginNs + (long) (due * intervalNs);
        missed = Math.max(0, allDue - due);
    }

    private void call(Writer writer, long dueNs) {
        if (!kept) {
            arguments.clear();
            generator.next(writer);
        }
        kept = !send(writer.procedure, dueNs);
    }

    /** Returns false if the call was not sent. An unsent call serves as the next one that is due. */
    private boolean send(int procedure, long fromNs) {
        try {
            if (!client.offer(
                    procedures[procedure], arguments, this, fromNs - originNs << PROCEDURE_BITS | procedure)) {
                refused++;
                return false;
            }
            sent = ++sending;
            return true;
        } catch (CallException notSent) {
            failures.count(notSent);
            if (notSent.code() == ErrorCode.NOT_CONNECTED) {
                LockSupport.parkNanos(PAUSE_NS);
            }
            return false;
        }
    }

    @Override
    public void replied(long cookie, ReplyReader reply) {
        try {
            count(cookie, reply);
        } catch (RuntimeException bug) {
            failures.broken(bug);
        } finally {
            // Whatever happens: all that were sent are waited for.
            ended = ++ending;
        }
    }

    private void count(long cookie, ReplyReader reply) {
        int procedure = (int) cookie & PROCEDURE_MASK;
        if (reply.outcome() == ReplyReader.Outcome.FAILURE) {
            WireFailure failure = reply.failure();
            if (!failures.count(
                    new CallException(ErrorCode.of(failure.code()), failure.message(), failure.retryIsSafe()))) {
                return;
            }
            generator.completed(procedure, false, 0);
        } else {
            boolean integer = reply.outcome() == ReplyReader.Outcome.VALUE
                    && reply.value().kind() == ValueKind.INTEGER;
            generator.completed(procedure, true, integer ? reply.value().integer() : 0);
        }
        latencies.recordValue(
                Math.min(HIGHEST_NS, Math.max(0, System.nanoTime() - originNs - (cookie >> PROCEDURE_BITS))));
        completed = ++completing;
    }

    @Override
    public void failed(long cookie, CallException why) {
        failures.count(why);
        ended = ++ending;
    }

    @Override
    public void stop() {
        if (!stopping) {
            stoppedNs = System.nanoTime();
            stopping = true;
        }
    }

    /** A call ends by its timeout if by nothing else. */
    @Override
    public void join() throws InterruptedException {
        thread.join();
        while (ended < sent) {
            Thread.sleep(1);
        }
        recordMissed();
    }

    /** Records calls that were due and not made; after all other threads have recorded. */
    private void recordMissed() {
        long step = missed / MOST_STEPS + 1;
        for (long i = 0; i < missed; i += step) {
            long waitedNs = gaveUpNs - firstMissedNs - (long) (i * (1e9 / perSecond));
            latencies.recordValueWithCount(Math.clamp(waitedNs, 0, HIGHEST_NS), Math.min(step, missed - i));
        }
    }

    @Override
    public long missed() {
        return missed;
    }

    @Override
    public long completed() {
        return completed;
    }

    @Override
    public Histogram latencies() {
        return latencies.getIntervalHistogram();
    }

    private final class Writer implements Call {
        private int procedure;

        @Override
        public Call procedure(int index) {
            procedure = index;
            return this;
        }

        @Override
        public Call add(long value) {
            arguments.add(value);
            return this;
        }

        @Override
        public Call add(double value) {
            arguments.add(value);
            return this;
        }

        @Override
        public Call add(Text value) {
            byte[] bytes = new byte[value.length()];
            value.copyTo(0, bytes, 0, bytes.length);
            arguments.addUtf8(bytes, 0, bytes.length);
            return this;
        }

        @Override
        public Call add(int[] values, int count) {
            arguments.add(values, count);
            return this;
        }

        @Override
        public Call add(long[] values, int count) {
            arguments.add(values, count);
            return this;
        }

        @Override
        public Call addNull() {
            arguments.addNull();
            return this;
        }
    }
}
