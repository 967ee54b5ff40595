package io.reprise.benchmark.tcp;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.ReplyReader;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Hello;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A connection that makes one call at a time, and needs a socket and nothing else: with thousands of them, a client
 * with its threads for each would measure the clients. One thread's at a time.
 */
final class WireConnection implements AutoCloseable {
    private static final int TIMEOUT_MS = 30_000;
    private static final int BUFFER_BYTES = 256;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final MessageWriter out = new MessageWriter(256);
    private final ReplyReader replies = new ReplyReader();
    private long calls;

    /** Connects from one of the machine's own addresses, and greets. */
    WireConnection(InetAddress from, InetSocketAddress server) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(server, TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
            send(
                    Wire.HELLO,
                    Hello.newBuilder()
                            .setLeastVersion(Wire.VERSION)
                            .setGreatestVersion(Wire.VERSION)
                            .setSoftware("Reprise benchmarks")
                            .build()
                            .toByteArray());
            read(Wire.WELCOME);
        } catch (IOException | RuntimeException | Error failure) {
            socket.close();
            throw failure;
        }
    }

    /** The number of a procedure, which is the same for all connections. */
    int handle(String procedure) throws IOException {
        send(Wire.RESOLVE, Resolve.newBuilder().setProcedure(procedure).build().toByteArray());
        return Resolved.parseFrom(read(Wire.RESOLVED)).getHandle();
    }

    /** Makes a call, waits for the reply, and returns whether it committed. */
    boolean call(int handle, ArgumentWriter arguments) throws IOException {
        out.clear();
        int begin = CallWriter.beginFrame(out, -1, 0);
        CallWriter.call(out, ++calls, handle, TIMEOUT_MS, 0, arguments);
        out.endFrame(begin);
        socket.getOutputStream().write(out.array(), 0, out.length());
        byte[] message = read(Wire.REPLIES);
        replies.over(message, 0, message.length);
        return replies.next() && replies.id() == calls && replies.outcome() != ReplyReader.Outcome.FAILURE;
    }

    private void send(byte kind, byte[] message) throws IOException {
        out.clear();
        int begin = out.beginFrame(kind);
        out.raw(message);
        out.endFrame(begin);
        socket.getOutputStream().write(out.array(), 0, out.length());
    }

    private byte[] read(byte wanted) throws IOException {
        int length = in.readInt();
        byte kind = in.readByte();
        byte[] message = new byte[length - 1];
        in.readFully(message);
        if (kind != wanted) {
            throw new IOException("the server sent a frame of kind " + kind + " instead of " + wanted
                    + (kind == Wire.GOODBYE ? ": " + Goodbye.parseFrom(message).getMessage() : ""));
        }
        return message;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
