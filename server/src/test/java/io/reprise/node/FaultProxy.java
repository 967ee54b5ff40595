package io.reprise.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a client and a server and does what networks do: delays what it passes on, cuts connections, between bytes
 * of a frame too, goes silent in one direction, passes bytes on twice, or drops the rest. What it does follows from a seed; when
 * does not, as that depends on how bytes arrive.
 */
final class FaultProxy implements AutoCloseable {
    private static final int CHUNK = 4096;

    private final ServerSocket listening;
    private final InetSocketAddress server;
    private final long seed;
    private final int oneIn;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger faults = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean faulty = true;

    /**
     * A proxy.
     *
     * @param oneIn how many chunks pass for each one that something happens to, on average
     */
    FaultProxy(InetSocketAddress server, long seed, int oneIn) throws IOException {
        this.server = server;
        this.seed = seed;
        this.oneIn = oneIn;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread.ofPlatform().daemon().name("proxy").start(task);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** How often something has happened. */
    int faults() {
        return faults.get();
    }

    /** From now on everything is passed on. */
    void behave() {
        faulty = false;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket upstream = new Socket();
                open.add(client);
                open.add(upstream);
                try {
                    upstream.connect(server);
                } catch (IOException refused) {
                    client.close();
                    continue;
                }
                int number = connections.getAndIncrement();
                start(() -> pump(client, upstream, new Random(seed + 2L * number)));
                start(() -> pump(upstream, client, new Random(seed + 2L * number + 1)));
            } catch (IOException closed) {
                // Either this proxy, or a client that has gone already.
            }
        }
    }

    private void pump(Socket from, Socket to, Random random) {
        byte[] chunk = new byte[CHUNK];
        boolean silent = false;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                if (silent) {
                    continue;
                }
                if (!faulty || random.nextInt(oneIn) != 0) {
                    out.write(chunk, 0, count);
                    continue;
                }
                faults.incrementAndGet();
                switch (random.nextInt(5)) {
                    case 0 -> {
                        LockSupport.parkNanos(random.nextInt(20) * 1_000_000L);
                        out.write(chunk, 0, count);
                    }
                    case 1 -> {
                        return;
                    }
                    case 2 -> {
                        out.write(chunk, 0, random.nextInt(count));
                        return;
                    }
                    case 3 -> silent = true;
                    default -> {
                        out.write(chunk, 0, count);
                        out.write(chunk, 0, count);
                    }
                }
            }
        } catch (IOException ended) {
            // One side has gone; closing both tells the other.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
