package io.reprise.benchmark.tcp;

import com.sun.management.UnixOperatingSystemMXBean;
import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Option;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.benchmark.UsageException;
import io.reprise.benchmark.drive.NamedWorkload;
import io.reprise.wire.ArgumentWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Many connections held at once: idle ones, which cost memory only, and busy ones, each with a call under way all the time. At the
 * end each idle one makes a call, so that one which only seemed to be there is not counted.
 */
final class ConnectionsBenchmark implements Benchmark {
    private static final int SPARE_FILES = 500;
    private static final int ADDRESSES = 100;
    private static final long PHONES_OF_AREA = 10_000_000;
    private static final int AREA = 212;

    @Override
    public String name() {
        return "tcp-connections";
    }

    @Override
    public String description() {
        return "Connections held at once: --idle 10000 that do nothing and --busy 1000 that vote without pause; synchronous command"
                + " log, one site";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("idle", "connections that did nothing, and answered when asked at the end")
                        .atLeast(10_000),
                Key.of("busy", "connections with a call under way all the time, without an error")
                        .atLeast(1_000),
                Key.of(
                        "bytes_per_connection",
                        "of the server's heap and buffers for one that is idle, the system's aside"),
                Key.of("busy_tps", "calls per second of the busy ones"),
                Key.of("connects_per_second", "how fast the idle ones were made, one after the other"));
    }

    @Override
    public List<Option> options() {
        return List.of(Option.number("idle", 1), Option.number("busy", 1), Option.SECONDS, Option.ROUNDS);
    }

    @Override
    public Result run(Context context) throws Exception {
        int idleWanted = context.option("idle", 10_000);
        int busyWanted = context.option("busy", 1_000);
        checkFiles(idleWanted + busyWanted + SPARE_FILES);
        List<WireConnection> idle = new ArrayList<>();
        List<WireConnection> busy = new ArrayList<>();
        try (TcpRun run = TcpRun.start(context, ServerSetup.of(NamedWorkload.VOTER, 1, Log.SYNCHRONOUS))) {
            InetSocketAddress server = run.server().address();
            connect(idle, Math.min(100, idleWanted), server);
            ServerMemory before = run.server().collectedMemory();
            int counted = idleWanted - idle.size();
            long beganNs = System.nanoTime();
            connect(idle, idleWanted, server);
            double connectsPerSecond = counted * 1e9 / (System.nanoTime() - beganNs);
            ServerMemory after = run.server().collectedMemory();
            context.progress("%d idle connections, %.0f a second", idle.size(), connectsPerSecond);
            connect(busy, busyWanted, server);
            Busy work = new Busy(busy, busy.isEmpty() ? 0 : busy.getFirst().handle("Vote"));
            Samples rates =
                    work.run(context, context.option("seconds", 2), context.option("rounds", context.quickOr(2, 10)));
            int alive = 0;
            int handle = idle.getFirst().handle("Vote");
            for (WireConnection connection : idle) {
                alive += connection.call(handle, vote(new ArgumentWriter(), AREA * PHONES_OF_AREA + alive)) ? 1 : 0;
            }
            return new Result()
                    .put("idle", alive)
                    .put("busy", (double) work.good())
                    .put(
                            "bytes_per_connection",
                            (double) (after.heap() + after.direct() - before.heap() - before.direct())
                                    / Math.max(1, counted))
                    .put("busy_tps", rates)
                    .put("connects_per_second", connectsPerSecond);
        } finally {
            close(idle);
            close(busy);
        }
    }

    /** Says before anything is measured what would fail in the midst of it. The server's process has the same limit. */
    private static void checkFiles(int needed) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < needed) {
            throw new UsageException("tcp-connections needs " + needed + " open files, and a process may have "
                    + system.getMaxFileDescriptorCount() + ": allow more by ulimit -n " + needed
                    + ", or ask for fewer connections by --idle and --busy");
        }
    }

    /** From several addresses, each of which has ports for some ten thousand connections. */
    private static void connect(List<WireConnection> to, int wanted, InetSocketAddress server) throws IOException {
        while (to.size() < wanted) {
            byte last = (byte) (2 + to.size() % ADDRESSES);
            to.add(new WireConnection(InetAddress.getByAddress(new byte[] {127, 0, 0, last}), server));
        }
    }

    private static void close(List<WireConnection> connections) throws IOException {
        for (WireConnection connection : connections) {
            connection.close();
        }
    }

    private static ArgumentWriter vote(ArgumentWriter arguments, long phone) {
        return arguments.clear().add(phone / PHONES_OF_AREA).add(phone).add(1).add(2);
    }

    /** A thread for each connection, which calls without pause. */
    private static final class Busy {
        private final List<WireConnection> connections;
        private final int handle;
        private final LongAdder calls = new LongAdder();
        private final LongAdder good = new LongAdder();
        private final AtomicReference<Exception> failure = new AtomicReference<>();
        private volatile boolean stopping;

        Busy(List<WireConnection> connections, int handle) {
            this.connections = connections;
            this.handle = handle;
        }

        Samples run(Context context, int seconds, int rounds) throws InterruptedException {
            List<Thread> threads = new ArrayList<>();
            for (WireConnection connection : connections) {
                int seed = threads.size();
                threads.add(Thread.ofVirtual().start(() -> call(connection, seed)));
            }
            double[] rates = new double[rounds];
            for (int i = 0; i < rounds; i++) {
                long before = calls.sum();
                long beganNs = System.nanoTime();
                Thread.sleep(seconds * 1000L);
                rates[i] = (calls.sum() - before) * 1e9 / (System.nanoTime() - beganNs);
                context.progress("%d busy connections: %.0f calls/s", connections.size(), rates[i]);
            }
            stopping = true;
            for (Thread thread : threads) {
                thread.join();
            }
            if (failure.get() != null) {
                context.progress("A busy connection failed: %s", failure.get());
            }
            return new Samples(rates);
        }

        private void call(WireConnection connection, int seed) {
            SplittableRandom random = new SplittableRandom(seed);
            ArgumentWriter arguments = new ArgumentWriter();
            try {
                while (!stopping) {
                    if (!connection.call(
                            handle, vote(arguments, AREA * PHONES_OF_AREA + random.nextLong(PHONES_OF_AREA)))) {
                        throw new IOException("a vote failed");
                    }
                    calls.increment();
                }
                good.increment();
            } catch (IOException | RuntimeException e) {
                failure.compareAndSet(null, e);
            }
        }

        long good() {
            return good.sum();
        }
    }
}
