package io.reprise.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a client and a server and misbehaves like a network: delays bytes, cuts connections, between bytes
 * of a frame too, goes silent in one direction, passes bytes on twice, or drops the rest. Its choices follow from a
 * seed; their moments do not, as they depend on how bytes arrive.
 */
public final class FaultProxy implements AutoCloseable {
    private static final int CHUNK = 4096;

    private final TcpProxy proxy;
    private final long seed;
    private final int oneIn;
    private final AtomicInteger faults = new AtomicInteger();
    private volatile boolean faulty;

    /**
     * A proxy that passes everything on until it is told to misbehave.
     *
     * @param oneIn the mean number of chunks for each fault
     */
    public FaultProxy(InetSocketAddress server, long seed, int oneIn) throws IOException {
        this.seed = seed;
        this.oneIn = oneIn;
        proxy = new TcpProxy(server, this::pass);
    }

    public InetSocketAddress address() {
        return proxy.address();
    }

    /** The number of faults so far. */
    public int faults() {
        return faults.get();
    }

    /** From now on something happens to one chunk in some. */
    public void misbehave() {
        faulty = true;
    }

    /** From now on everything is passed on. */
    public void behave() {
        faulty = false;
    }

    private void pass(Socket from, Socket to, int connection, boolean toClient) throws IOException {
        Random random = new Random(seed + 2L * connection + (toClient ? 1 : 0));
        byte[] chunk = new byte[CHUNK];
        boolean silent = false;
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
    }

    @Override
    public void close() throws IOException {
        proxy.close();
    }
}
