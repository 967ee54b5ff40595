package io.reprise.node;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Hello;
import io.reprise.wire.message.Replies;
import io.reprise.wire.message.Reply;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import io.reprise.wire.message.StatementCall;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;

/** A socket to a server, through which a test sends whatever bytes it wants. */
public final class RawConnection implements AutoCloseable {
    private static final int TIMEOUT_MS = 60_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;

    /** A frame that the server sent. */
    record Frame(byte kind, byte[] message) {}

    RawConnection(InetSocketAddress address) throws IOException {
        socket.setReceiveBufferSize(1 << 16);
        socket.connect(address);
        socket.setSoTimeout(TIMEOUT_MS);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** One that has said Hello and read the answer. */
    static RawConnection greeted(InetSocketAddress address) throws IOException {
        return greeted(address, 0);
    }

    /** The same as a client with an id. */
    public static RawConnection greeted(InetSocketAddress address, long clientId) throws IOException {
        RawConnection connection = new RawConnection(address);
        try {
            connection.greet(clientId);
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    private void greet(long clientId) throws IOException {
        sendFrame(
                Wire.HELLO,
                Hello.newBuilder()
                        .setLeastVersion(1)
                        .setGreatestVersion(1)
                        .setClientId(clientId)
                        .build()
                        .toByteArray());
        if (readFrame().kind() != Wire.WELCOME) {
            throw new IOException("the server did not welcome");
        }
    }

    /** Sends bytes as they are. */
    public RawConnection send(byte... bytes) throws IOException {
        out.write(bytes);
        out.flush();
        return this;
    }

    static byte[] frame(byte kind, byte[] message) {
        MessageWriter bytes = new MessageWriter(message.length + 16);
        int begin = bytes.beginFrame(kind);
        bytes.raw(message);
        bytes.endFrame(begin);
        return bytes.toBytes();
    }

    RawConnection sendFrame(byte kind, byte[] message) throws IOException {
        return send(frame(kind, message));
    }

    /** The number of a procedure. */
    public int handle(String procedure) throws IOException {
        return handle(procedure, new byte[0]);
    }

    /** The same; the request and the bytes behind it reach the server in one read. */
    int handle(String procedure, byte... behind) throws IOException {
        byte[] request = frame(
                Wire.RESOLVE,
                Resolve.newBuilder().setProcedure(procedure).build().toByteArray());
        byte[] all = Arrays.copyOf(request, request.length + behind.length);
        System.arraycopy(behind, 0, all, request.length, behind.length);
        send(all);
        return Resolved.parseFrom(readFrame().message()).getHandle();
    }

    static byte[] callFrame(long id, int handle, int timeoutMs, ArgumentWriter arguments) {
        MessageWriter bytes = new MessageWriter(128);
        int begin = CallWriter.beginFrame(bytes, -1, 0);
        CallWriter.call(bytes, id, handle, timeoutMs, 0, arguments);
        bytes.endFrame(begin);
        return bytes.toBytes();
    }

    /** Makes a call that has a number, and gives the reply. */
    Reply call(int handle, long sequence, long acknowledged, Object... arguments) throws IOException {
        ArgumentWriter written = new ArgumentWriter();
        for (Object argument : arguments) {
            if (argument instanceof String text) {
                written.add(text);
            } else {
                written.add(((Number) argument).longValue());
            }
        }
        sendCall(1, handle, sequence, acknowledged, written);
        return readReplies().getReply(0);
    }

    /** Makes a call that has a number, and doesn't wait. */
    void sendCall(long id, int handle, long sequence, long acknowledged, ArgumentWriter arguments) throws IOException {
        MessageWriter bytes = new MessageWriter(128);
        int begin = CallWriter.beginFrame(bytes, -1, acknowledged);
        CallWriter.call(bytes, id, handle, 0, sequence, arguments);
        bytes.endFrame(begin);
        send(bytes.toBytes());
    }

    /** Runs a statement, and gives the reply. */
    Reply statement(String sql) throws IOException {
        sendFrame(
                Wire.STATEMENT,
                StatementCall.newBuilder().setId(1).setSql(sql).build().toByteArray());
        return readReplies().getReply(0);
    }

    /** The next frame; null when the server has closed the connection. */
    Frame read() throws IOException {
        try {
            int length = in.readInt();
            byte kind = in.readByte();
            byte[] message = new byte[length - 1];
            in.readFully(message);
            return new Frame(kind, message);
        } catch (EOFException | SocketException end) {
            return null;
        }
    }

    Frame readFrame() throws IOException {
        Frame frame = read();
        if (frame == null) {
            throw new EOFException("the server has ended the connection");
        }
        return frame;
    }

    /** Whether the frame comes unasked: the topology, or the sign of life of a server that reads no more for now. */
    private static boolean isUnasked(Frame frame) {
        return frame.kind() == Wire.RESOLVED && frame.message().length == 0 || frame.kind() == Wire.TOPOLOGY;
    }

    /** The next frame, which must have replies. */
    public Replies readReplies() throws IOException {
        Frame frame = read();
        while (frame != null && isUnasked(frame)) {
            frame = read();
        }
        if (frame == null || frame.kind() != Wire.REPLIES) {
            throw new IOException("no replies, but "
                    + (frame == null
                            ? "the end"
                            : frame.kind() == Wire.GOODBYE
                                    ? Goodbye.parseFrom(frame.message())
                                    : "a frame of kind " + frame.kind()));
        }
        return Replies.parseFrom(frame.message());
    }

    /** Reads up to the end, which a Goodbye must precede. */
    Goodbye readGoodbye() throws IOException {
        Goodbye goodbye = null;
        for (Frame frame = read(); frame != null; frame = read()) {
            goodbye = frame.kind() == Wire.GOODBYE ? Goodbye.parseFrom(frame.message()) : null;
        }
        if (goodbye == null) {
            throw new IOException("the connection ended without a reason");
        }
        return goodbye;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
