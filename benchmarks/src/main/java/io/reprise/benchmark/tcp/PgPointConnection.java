package io.reprise.benchmark.tcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A connection in the PostgreSQL protocol with one prepared statement that takes an integer. It does as little as a driver can, so that the
 * measured time is the server's. Owned by one thread.
 */
final class PgPointConnection implements AutoCloseable {
    private static final int PROTOCOL = 3 << 16;
    private static final int INT4 = 23;
    private static final int TIMEOUT_MS = 60_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final ByteArrayOutputStream message = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(message);
    private int rows;

    PgPointConnection(InetSocketAddress address) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        socket.connect(address);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        byte[] parameters = "user\0bench\0database\0bench\0\0".getBytes(StandardCharsets.UTF_8);
        out.writeInt(parameters.length + 2 * Integer.BYTES);
        out.writeInt(PROTOCOL);
        out.write(parameters);
        exchange();
    }

    /** Prepares the statement. */
    void prepare(String sql) throws IOException {
        byte[] text = sql.getBytes(StandardCharsets.UTF_8);
        out.writeByte('P');
        out.writeInt(text.length + 2 + Short.BYTES + 2 * Integer.BYTES);
        out.writeByte(0);
        out.write(text);
        out.writeByte(0);
        out.writeShort(1);
        out.writeInt(INT4);
        sync();
        exchange();
    }

    private void sync() throws IOException {
        out.writeByte('S');
        out.writeInt(Integer.BYTES);
    }

    /** Runs the statement, with a binary argument and a binary result. Returns the number of rows that it read or wrote. */
    int run(int argument) throws IOException {
        out.writeByte('B');
        out.writeInt(Integer.BYTES + 2 + 2 * Short.BYTES + Short.BYTES + 2 * Integer.BYTES + 2 * Short.BYTES);
        out.writeShort(0);
        out.writeShort(1);
        out.writeShort(1);
        out.writeShort(1);
        out.writeInt(Integer.BYTES);
        out.writeInt(argument);
        out.writeShort(1);
        out.writeShort(1);
        out.writeByte('E');
        out.writeInt(2 * Integer.BYTES + 1);
        out.writeByte(0);
        out.writeInt(0);
        sync();
        exchange();
        return rows;
    }

    /** Sends the messages and reads up to ReadyForQuery. */
    private void exchange() throws IOException {
        message.writeTo(socket.getOutputStream());
        message.reset();
        byte kind;
        do {
            kind = in.readByte();
            byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
            if (kind == 'E') {
                throw new IOException(
                        "the server reported " + new String(body, StandardCharsets.UTF_8).replace('\0', ' '));
            } else if (kind == 'C') {
                String tag = new String(body, 0, body.length - 1, StandardCharsets.UTF_8);
                rows = Integer.parseInt(tag.substring(tag.lastIndexOf(' ') + 1));
            }
        } while (kind != 'Z');
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
