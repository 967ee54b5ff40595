package io.reprise.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between clients and a server: for each connection it makes one to the server, and has each direction passed on by a thread. */
public final class TcpProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final InetSocketAddress server;
    private final Passage passage;
    private final AtomicInteger connections = new AtomicInteger();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** Passes on what comes from one side, until that ends. Then both sides are closed. */
    @FunctionalInterface
    public interface Passage {
        /**
         * Does it.
         *
         * @param connection its number, from 0
         * @param toClient the direction
         */
        void pass(Socket from, Socket to, int connection, boolean toClient) throws IOException;
    }

    /** One that listens on a port that is free. */
    public TcpProxy(InetSocketAddress server, Passage passage) throws IOException {
        this.server = server;
        this.passage = passage;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable task) {
        Thread.ofPlatform().daemon().name("proxy").start(task);
    }

    /** The address for clients. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** The number of connections. */
    public int connections() {
        return connections.get();
    }

    /** Ends all connections; others may be made. */
    public void cut() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
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
                start(() -> pass(client, upstream, number, false));
                start(() -> pass(upstream, client, number, true));
            } catch (IOException closed) {
                // Either this proxy, or a client that has gone already.
            }
        }
    }

    private void pass(Socket from, Socket to, int connection, boolean toClient) {
        try (from;
                to) {
            passage.pass(from, to, connection, toClient);
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
