package io.reprise.benchmark.drive;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ErrorCode;
import io.reprise.workload.ArgumentList;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Threads that wait for each of their replies, as applications do: each call is made when the one before has ended. */
final class Callers implements Load {
    private static final long PAUSE_NS = 1_000_000;

    private final Client client;
    private final List<String> procedures;
    private final Failures failures;
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder completed = new LongAdder();
    private final Recorder latencies = new Recorder(Driver.HIGHEST_NS, 3);
    private volatile boolean stopping;

    Callers(Client client, Workload workload, List<Generator> generators, Failures failures) {
        this.client = client;
        this.procedures = workload.procedures();
        this.failures = failures;
        for (Generator generator : generators) {
            threads.add(Thread.ofPlatform()
                    .daemon()
                    .name("caller-" + threads.size())
                    .unstarted(() -> run(generator)));
        }
    }

    @Override
    public void start() {
        threads.forEach(Thread::start);
    }

    private void run(Generator generator) {
        ArgumentList arguments = new ArgumentList();
        try {
            while (!stopping) {
                call(generator, generator.next(arguments), arguments.toArray());
            }
        } catch (RuntimeException bug) {
            failures.broken(bug);
        }
    }

    private void call(Generator generator, int procedure, Object[] arguments) {
        long beganNs = System.nanoTime();
        try {
            Object value = client.call(procedures.get(procedure), arguments).value();
            generator.completed(procedure, true, value instanceof Long number ? number : 0);
        } catch (CallException failure) {
            if (!failures.count(failure)) {
                if (failure.code() == ErrorCode.NOT_CONNECTED) {
                    LockSupport.parkNanos(PAUSE_NS);
                }
                return;
            }
            generator.completed(procedure, false, 0);
        }
        latencies.recordValue(Math.min(Driver.HIGHEST_NS, System.nanoTime() - beganNs));
        completed.increment();
    }

    @Override
    public void stop() {
        stopping = true;
    }

    @Override
    public void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** None is due before the one before has ended. */
    @Override
    public long missed() {
        return 0;
    }

    @Override
    public long completed() {
        return completed.sum();
    }

    @Override
    public Histogram latencies() {
        return latencies.getIntervalHistogram();
    }
}
