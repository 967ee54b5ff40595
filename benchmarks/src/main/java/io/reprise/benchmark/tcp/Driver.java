package io.reprise.benchmark.tcp;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.RemoteProcedure;
import io.reprise.client.ReplyHandler;
import io.reprise.procedure.Text;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import io.reprise.wire.ValueKind;
import io.reprise.workload.Call;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * A thread that makes calls without waiting for their replies: at a given rate, timed from when each should have been made
 * (so that a stall is not overlooked), or as many as the client allows to be under way.
 */
final class Driver implements ReplyHandler {
    private static final int PROCEDURE_BITS = 4;
    private static final int PROCEDURE_MASK = (1 << PROCEDURE_BITS) - 1;
    private static final long HIGHEST_NS = 60_000_000_000L;
    private static final long LEAST_PAUSE_NS = 20_000;

    private final Client client;
    private final Generator generator;
    private final RemoteProcedure[] procedures;
    private final double perSecond;
    private final long originNs = System.nanoTime();
    private final SingleWriterRecorder latencies = new SingleWriterRecorder(HIGHEST_NS, 3);
    private final Thread thread;
    private final ArgumentWriter arguments = new ArgumentWriter();
    private volatile boolean stopping;
    private volatile Throwable problem;
    private volatile long sent;
    private volatile long completed;
    private volatile long rolledBack;
    private long sending;
    private long completing;
    private long failing;

    /**
     * A driver.
     *
     * @param perSecond calls per second; 0: as many as the client takes
     */
    Driver(Client client, Workload workload, Generator generator, double perSecond) {
        this.client = client;
        this.generator = generator;
        this.perSecond = perSecond;
        procedures = workload.procedures().stream().map(client::procedure).toArray(RemoteProcedure[]::new);
        thread = new Thread(this::run, "driver");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        Writer writer = new Writer();
        long beginNs = System.nanoTime();
        double intervalNs = perSecond > 0 ? 1e9 / perSecond : 0;
        try {
            while (!stopping) {
                long dueNs = beginNs + (long) (sending * intervalNs);
                long nowNs = System.nanoTime();
                if (perSecond > 0 && nowNs < dueNs) {
                    LockSupport.parkNanos(Math.max(LEAST_PAUSE_NS, dueNs - nowNs));
                    continue;
                }
                arguments.clear();
                generator.next(writer);
                long fromNs = perSecond > 0 ? dueNs : nowNs;
                client.call(
                        procedures[writer.procedure],
                        arguments,
                        this,
                        fromNs - originNs << PROCEDURE_BITS | writer.procedure);
                sent = ++sending;
            }
        } catch (RuntimeException failure) {
            problem = failure;
        }
    }

    @Override
    public void replied(long cookie, ReplyReader reply) {
        int procedure = (int) cookie & PROCEDURE_MASK;
        boolean committed = reply.outcome() != ReplyReader.Outcome.FAILURE;
        boolean integer =
                reply.outcome() == ReplyReader.Outcome.VALUE && reply.value().kind() == ValueKind.INTEGER;
        generator.completed(procedure, committed, integer ? reply.value().integer() : 0);
        if (!committed) {
            failed(reply);
        }
        latencies.recordValue(
                Math.min(HIGHEST_NS, Math.max(0, System.nanoTime() - originNs - (cookie >> PROCEDURE_BITS))));
        completed = ++completing;
    }

    private void failed(ReplyReader reply) {
        rolledBack = ++failing;
        int code = reply.failure().code();
        if (code != io.reprise.wire.message.Failure.Code.USER_ABORT_VALUE) {
            problem = new IllegalStateException(reply.failure().toString());
        }
    }

    @Override
    public void failed(long cookie, CallException why) {
        problem = why;
        completed = ++completing;
    }

    /** Ends, and waits until everything that was sent has been answered. */
    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
        while (completed < sent && problem == null) {
            Thread.sleep(1);
        }
        check();
    }

    /** Throws what has gone wrong, if anything has. */
    void check() {
        if (problem != null) {
            throw new IllegalStateException("a call failed", problem);
        }
    }

    long completed() {
        return completed;
    }

    long rolledBack() {
        return rolledBack;
    }

    Generator generator() {
        return generator;
    }

    /** How long calls took that have been answered since this was last asked for. */
    Histogram latencies() {
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
            MemorySegment.copy(value.segment(), value.offset(), MemorySegment.ofArray(bytes), 0, bytes.length);
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
