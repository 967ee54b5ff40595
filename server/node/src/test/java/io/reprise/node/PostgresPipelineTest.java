package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client that sends requests before it has read the replies to earlier ones. */
final class PostgresPipelineTest {
    private static final int ROUNDS = 2000;
    private static final int TIMEOUT_MS = 60_000;
    private static final int PROTOCOL = 3 << 16;
    private static final int LONGEST_PAUSE_NS = 120_000;
    private static final long SEED = Long.getLong("reprise.seed", System.nanoTime());

    private static void send(OutputStream out, String query) throws IOException {
        byte[] text = (query + '\0').getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(message);
        fields.write('Q');
        fields.writeInt(text.length + Integer.BYTES);
        fields.write(text);
        out.write(message.toByteArray());
        out.flush();
    }

    private static void login(OutputStream out) throws IOException {
        byte[] parameters = "user\0ann\0database\0bank\0\0".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(message);
        fields.writeInt(parameters.length + 2 * Integer.BYTES);
        fields.writeInt(PROTOCOL);
        fields.write(parameters);
        out.write(message.toByteArray());
        out.flush();
    }

    /** Reads the tags of completed statements; of a row, its first value stands before them. */
    private static List<String> read(DataInputStream in, int tags) {
        List<String> read = new ArrayList<>();
        try {
            for (int found = 0; found < tags; ) {
                int kind = in.readUnsignedByte();
                byte[] body = new byte[in.readInt() - Integer.BYTES];
                in.readFully(body);
                if (kind == 'C') {
                    read.add(new String(body, 0, body.length - 1, StandardCharsets.UTF_8));
                    found++;
                } else if (kind == 'D') {
                    int header = Short.BYTES + Integer.BYTES;
                    read.add(new String(body, header, body.length - header, StandardCharsets.UTF_8));
                } else if (kind == 'E') {
                    read.add(new String(body, StandardCharsets.UTF_8));
                    return read;
                }
            }
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pause(Random random) {
        long until = System.nanoTime() + random.nextInt(LONGEST_PAUSE_NS);
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    /** The query is run by a thread of its own, and BEGIN by the network loop. */
    @Test
    void shouldAnswerInTheOrderOfTheRequests() throws Exception {
        Random random = new Random(SEED);
        List<String> expected = new ArrayList<>();
        List<String> answers;
        try (PostgresServer server = PostgresServer.open(Options.create());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.setTcpNoDelay(true);
            OutputStream out = new BufferedOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            login(out);
            CompletableFuture<List<String>> reader = CompletableFuture.supplyAsync(() -> read(in, 3 * ROUNDS));
            for (int i = 0; i < ROUNDS; i++) {
                send(out, "SELECT 7");
                pause(random);
                send(out, "BEGIN");
                send(out, "COMMIT");
                pause(random);
                expected.addAll(List.of("7", "SELECT 1", "BEGIN", "COMMIT"));
            }
            answers = reader.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }

        assertThat(answers).as("seed %s", SEED).isEqualTo(expected);
    }
}
