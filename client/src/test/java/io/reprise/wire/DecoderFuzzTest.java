package io.reprise.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Frames that were changed at random: reading them gives values or says that they are malformed, and nothing else. More of
 * them, or other ones: {@code -Dreprise.frames=N}, {@code -Dreprise.seed=N}.
 */
final class DecoderFuzzTest {
    private static final int FEW = 30_000;
    private static final int MANY = 5_000_000;

    @Test
    void shouldReadOrRefuseAnyFrame() {
        fuzz(Integer.getInteger("reprise.frames", FEW));
    }

    @Test
    @Tag("long")
    void shouldReadOrRefuseMillionsOfFrames() {
        fuzz(Integer.getInteger("reprise.frames", MANY));
    }

    private static void fuzz(int frames) {
        long seed = Long.getLong("reprise.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[][] models = {calls(), replies(), statement()};
        int read = 0;
        int refused = 0;
        for (int i = 0; i < frames; i++) {
            byte[] frame = mutated(models[i % models.length], random);
            try {
                readAll(i % models.length, frame);
                read++;
            } catch (MalformedMessageException malformed) {
                refused++;
            } catch (RuntimeException | Error failure) {
                throw new AssertionError("seed " + seed + ", frame " + i + ": " + Arrays.toString(frame), failure);
            }
        }
        assertThat(read).as("frames that can be read, seed %d", seed).isGreaterThan(frames / 100);
        assertThat(refused).as("frames that are refused, seed %d", seed).isGreaterThan(frames / 10);
    }

    private static void readAll(int model, byte[] frame) {
        if (model == 0) {
            CallReader calls = new CallReader();
            CallReader.partition(frame, 0, frame.length);
            calls.over(frame, 0, frame.length);
            while (calls.next()) {
                for (int i = 0; i < calls.arguments(); i++) {
                    readValue(calls.nextArgument());
                }
            }
        } else if (model == 1) {
            readReplies(frame);
        } else {
            StatementReader.read(frame);
        }
    }

    private static void readValue(ValueReader value) {
        if (value.kind() != ValueKind.UNKNOWN) {
            value.object();
        }
    }

    private static void readReplies(byte[] frame) {
        ReplyReader replies = new ReplyReader();
        replies.over(frame, 0, frame.length);
        while (replies.next()) {
            switch (replies.outcome()) {
                case VALUE:
                    readValue(replies.value());
                    break;
                case TABLE:
                    replies.table();
                    break;
                case FAILURE:
                    replies.failure();
                    break;
                default:
                    break;
            }
        }
        assertThat(replies.load()).isNotNegative();
    }

    /** Some bytes changed, cut out, doubled or put in; lengths above all, because they lead a reader astray. */
    private static byte[] mutated(byte[] model, Random random) {
        byte[] frame = model.clone();
        for (int changes = 1 + random.nextInt(4); changes > 0 && frame.length > 1; changes--) {
            int at = random.nextInt(frame.length);
            switch (random.nextInt(6)) {
                case 0:
                    frame[at] = (byte) random.nextInt();
                    break;
                case 1:
                    frame[at] ^= (byte) (1 << random.nextInt(8));
                    break;
                case 2:
                    frame = Arrays.copyOf(frame, at);
                    break;
                case 3:
                    frame[at] = (byte) (random.nextBoolean() ? 0xFF : 0x7F);
                    break;
                case 4:
                    byte[] longer = new byte[frame.length + 1];
                    System.arraycopy(frame, 0, longer, 0, at);
                    System.arraycopy(frame, at, longer, at + 1, frame.length - at);
                    longer[at] = (byte) random.nextInt();
                    frame = longer;
                    break;
                default:
                    byte[] shorter = new byte[frame.length - 1];
                    System.arraycopy(frame, 0, shorter, 0, at);
                    System.arraycopy(frame, at + 1, shorter, at, frame.length - at - 1);
                    frame = shorter;
            }
        }
        return frame;
    }

    private static byte[] calls() {
        MessageWriter bytes = new MessageWriter(16);
        bytes.number(Wire.CALLS_PARTITION, 200);
        ArgumentWriter arguments = new ArgumentWriter()
                .add(1L << 40)
                .add(2.5)
                .add(true)
                .add("Zürich")
                .add(new byte[] {1, 2, 3})
                .add(new BigDecimal("-12.345"))
                .add(new int[] {1, -2, 3})
                .add(new long[] {1L << 60})
                .add(new double[] {1.5, 2.5})
                .add(new String[] {"x", "yz"})
                .addNull();
        CallWriter.call(bytes, 1, 2, 3000, 500, arguments);
        CallWriter.call(bytes, 300, 70_000, 0, 0, arguments.clear().add(7));
        return bytes.toBytes();
    }

    private static byte[] replies() {
        MessageWriter bytes = new MessageWriter(16);
        ReplyWriter writer = new ReplyWriter(bytes);
        writer.begin(1);
        writer.number(1.5);
        writer.end();
        writer.begin(200);
        writer.failure(3, "out of range", false, true);
        writer.end();
        writer.begin(3);
        writer.beginTable();
        writer.column("A", 5, 0, 0);
        writer.column("B", 8, 20, 0);
        writer.column("C", 9, 20, 0);
        for (int i = 0; i < 3; i++) {
            writer.beginRow();
            writer.rowInteger(i);
            writer.rowText(new byte[] {'a', 'b', 'c'}, 0, 2);
            writer.rowBinary(new byte[] {9, 0, 1}, 1, 2);
            writer.endRow();
        }
        writer.endTable();
        writer.end();
        writer.load(300);
        return bytes.toBytes();
    }

    private static byte[] statement() {
        MessageWriter bytes = new MessageWriter(16);
        CallWriter.statement(
                bytes,
                9,
                "SELECT a FROM t WHERE b = ?",
                new ArgumentWriter().add("x").add(new long[] {1, 2}),
                2);
        return bytes.toBytes();
    }
}
