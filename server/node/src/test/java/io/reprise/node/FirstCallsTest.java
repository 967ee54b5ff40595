package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.runtime.agent.Waker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first numbered calls of clients at servers that have just started, over TCP, while nodes fall silent and lose their leads: each
 * call counts once. {@code -Dreprise.rounds=N} runs N clusters.
 */
@Timeout(1800)
final class FirstCallsTest {
    private static final int NODES = 3;
    private static final int CLIENTS = 4;
    private static final int KEYS = 8;
    private static final int BUMPS = 10;
    private static final int PARTITIONS = 6;
    private static final Duration FAILURE = Duration.ofMillis(300);
    private static final int ROUNDS = Integer.getInteger("reprise.rounds", 1);

    @TempDir
    Path directory;

    private final StallingLinks[] links = new StallingLinks[NODES];
    private CounterServers servers;

    @Test
    void shouldRunEachFirstCallOnceWhileLeadersChange() throws IOException, InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Path data = directory.resolve("round-" + round);
            try (CounterServers started = new CounterServers(data, NODES, PARTITIONS, FAILURE, this::stalling)) {
                servers = started;
                servers.start();
                run(new Random(System.nanoTime()));
            }
        }
    }

    private Links stalling(int node, Links ofPort) {
        links[node] = new StallingLinks(ofPort);
        return links[node];
    }

    private void run(Random random) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            long first = (long) i * KEYS;
            int node = i % NODES;
            callers.add(Thread.ofPlatform().start(() -> call(first, node, failure)));
        }
        Thread trouble = Thread.ofPlatform().start(() -> {
            while (!isOver.get()) {
                links[random.nextInt(NODES)].stall(random.nextLong(2 * FAILURE.toNanos()));
                LockSupport.parkNanos(random.nextLong(2 * FAILURE.toNanos()));
            }
        });
        for (Thread caller : callers) {
            caller.join();
        }
        isOver.set(true);
        trouble.join();
        assertThat(failure.get()).isNull();
    }

    /** A client's calls: its first one comes when the servers have just opened. */
    private void call(long first, int node, AtomicReference<Throwable> failure) {
        ClientSettings settings = ClientSettings.to(
                        servers.of(node).address(),
                        servers.of((node + 1) % NODES).address())
                .withCallTimeout(Duration.ofSeconds(60))
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(50));
        try (Client client = Client.connect(settings)) {
            for (long key = first; key < first + KEYS; key++) {
                client.call("StartCounter", key);
            }
            for (int i = 0; i < BUMPS; i++) {
                for (long key = first; key < first + KEYS; key++) {
                    assertThat(client.call("CountOne", key).longValue()).isEqualTo(1);
                }
            }
            for (long key = first; key < first + KEYS; key++) {
                var rows = client.call("GetCounter", key).rows();
                assertThat(rows.next()).isTrue();
                assertThat(rows.longAt(0)).as("counter " + key).isEqualTo(BUMPS);
            }
        } catch (RuntimeException | Error wrong) {
            failure.compareAndSet(null, wrong);
        }
    }

    /** A node's links, which now and then hold all frames back for a while, in both directions. */
    private static final class StallingLinks implements Links {
        private final Links links;
        private volatile long untilNs = System.nanoTime();

        StallingLinks(Links links) {
            this.links = links;
        }

        void stall(long ns) {
            untilNs = System.nanoTime() + ns;
        }

        private boolean isStalled() {
            return System.nanoTime() - untilNs < 0;
        }

        @Override
        public Link connect(String address) {
            return new StallingLink(links.connect(address));
        }

        @Override
        public Link accept() {
            Link link = links.accept();
            return link == null ? null : new StallingLink(link);
        }

        @Override
        public boolean tellsRefusals() {
            return links.tellsRefusals();
        }

        @Override
        public void wake(Waker waker) {
            links.wake(waker);
        }

        /** The sites and the cluster agent send. */
        private final class StallingLink implements Link {
            private final Link link;
            private final Queue<byte[]> held = new ArrayDeque<>();

            StallingLink(Link link) {
                this.link = link;
            }

            private synchronized void release() {
                while (!held.isEmpty() && link.send(held.peek(), 0, held.peek().length)) {
                    held.remove();
                }
            }

            @Override
            public State state() {
                if (!isStalled()) {
                    release();
                }
                return link.state();
            }

            @Override
            public boolean isRefused() {
                return link.isRefused();
            }

            @Override
            public synchronized boolean send(byte[] frame, int offset, int length) {
                if (!isStalled()) {
                    release();
                    return held.isEmpty() && link.send(frame, offset, length);
                }
                return link.state() == State.OPEN && held.add(Arrays.copyOfRange(frame, offset, offset + length));
            }

            @Override
            public byte[] receive() {
                if (isStalled()) {
                    return null;
                }
                release();
                return link.receive();
            }

            @Override
            public void close() {
                link.close();
            }
        }
    }
}
