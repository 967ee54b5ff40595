package io.reprise.node;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Between client and server: passes on everything, but on one of the connections nothing of the server's after its first frame. */
final class WelcomeOnlyProxy implements AutoCloseable {
    private static final int CHUNK = 4096;

    private final ServerSocket listening;
    private final InetSocketAddress server;
    private final int silent;
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * A proxy.
     *
     * @param silent the number of that connection, from 0
     */
    WelcomeOnlyProxy(InetSocketAddress server, int silent) throws IOException {
        this.server = server;
        this.silent = silent;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread.ofPlatform().daemon().name("proxy").start(task);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** How many there were. */
    int connections() {
        return connections.get();
    }

    /** Ends all connections; others may be made. */
    void cut() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket upstream = new Socket();
                upstream.connect(server);
                open.add(client);
                open.add(upstream);
                int number = connections.getAndIncrement();
                start(() -> pass(client, upstream, false));
                start(() -> pass(upstream, client, number == silent));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private static void pass(Socket from, Socket to, boolean onlyOne) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            if (onlyOne) {
                byte[] frame = new byte[in.readInt()];
                in.readFully(frame);
                out.writeInt(frame.length);
                out.write(frame);
                in.skipNBytes(Long.MAX_VALUE);
            }
            byte[] chunk = new byte[CHUNK];
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                out.write(chunk, 0, count);
            }
        } catch (IOException ended) {
            // One side has gone; closing both tells the other.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
