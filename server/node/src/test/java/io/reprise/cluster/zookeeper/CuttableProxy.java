package io.reprise.cluster.zookeeper;

import io.reprise.node.TcpProxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** The way of one node to ZooKeeper, which a test cuts and heals. */
final class CuttableProxy implements AutoCloseable {
    private final TcpProxy proxy;
    private volatile boolean cut;

    CuttableProxy(int port) throws IOException {
        proxy = new TcpProxy(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                (from, to, connection, toClient) -> pass(from, to));
    }

    private void pass(Socket from, Socket to) throws IOException {
        byte[] some = new byte[1 << 14];
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int count = in.read(some); count > 0 && !cut; count = in.read(some)) {
            out.write(some, 0, count);
        }
    }

    String address() {
        return "127.0.0.1:" + proxy.address().getPort();
    }

    void cut() {
        cut = true;
        try {
            proxy.cut();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    void heal() {
        cut = false;
    }

    @Override
    public void close() throws IOException {
        proxy.close();
    }
}
