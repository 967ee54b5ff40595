package io.reprise.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.reprise.wire.message.Call;
import io.reprise.wire.message.Calls;
import io.reprise.wire.message.Column;
import io.reprise.wire.message.Decimal;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Integers;
import io.reprise.wire.message.Numbers;
import io.reprise.wire.message.Replies;
import io.reprise.wire.message.Reply;
import io.reprise.wire.message.Row;
import io.reprise.wire.message.Table;
import io.reprise.wire.message.Texts;
import io.reprise.wire.message.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Generated classes read messages written by hand, and the other way round. */
final class MessageCodecTest {
    private static final long[] INTEGERS = {
        0, 1, -1, 63, 64, -64, -65, 127, 128, 1L << 31, -(1L << 31), 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE
    };
    private static final double[] DOUBLES = {
        0.0, -0.0, 1.5, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY
    };
    private static final String[] TEXTS = {
        "", "a", "Zürich", "\uD83D\uDE00 smile", "\0", "x".repeat(127), "y".repeat(70_000)
    };
    private static final BigDecimal[] DECIMALS = {
        BigDecimal.ZERO, new BigDecimal("-0.01"), new BigDecimal("1E+5"), new BigDecimal("99999999999999999999.99999")
    };

    @Test
    void shouldRefuseADecimalThatServersDoNotTake() {
        BigInteger most = BigInteger.ONE.shiftLeft(511).subtract(BigInteger.ONE);
        for (BigDecimal longest : List.of(new BigDecimal(most, 1000), new BigDecimal(most.negate(), -1000))) {
            MessageWriter frame = new MessageWriter(16);
            int begin = CallWriter.beginFrame(frame, 0, 0);
            CallWriter.call(frame, 1, 1, 0, 0, new ArgumentWriter().add(longest));
            frame.endFrame(begin);
            CallReader reader = new CallReader();
            reader.over(frame.toBytes(), Wire.HEADER_BYTES, frame.length() - Wire.HEADER_BYTES);
            reader.next();

            assertThat(reader.nextArgument().decimal()).isEqualTo(longest);
        }
        for (BigDecimal tooLong : List.of(
                new BigDecimal(most.add(BigInteger.ONE)),
                new BigDecimal("1e1001"),
                new BigDecimal("1e-1001"),
                new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE))) {
            ArgumentWriter arguments = new ArgumentWriter().add(1);

            assertThatThrownBy(() -> arguments.add(tooLong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("longer than servers take");
            assertThat(arguments.length())
                    .as("what stands before it stays")
                    .isEqualTo(new ArgumentWriter().add(1).length());
        }
    }

    @Test
    void shouldWriteCallsThatGeneratedClassesRead() throws InvalidProtocolBufferException {
        ArgumentWriter arguments = new ArgumentWriter();
        List<Object> expected = new ArrayList<>();
        addAll(arguments, expected);
        MessageWriter frame = new MessageWriter(16);
        int begin = CallWriter.beginFrame(frame, 2, 40);
        CallWriter.call(frame, 300, 7, 1000, 41, arguments);
        CallWriter.call(frame, 1, 8, 0, 0, arguments.clear());
        frame.endFrame(begin);

        byte[] bytes = frame.toBytes();
        Calls calls = Calls.parseFrom(Arrays.copyOfRange(bytes, Wire.HEADER_BYTES, bytes.length));

        assertThat(bytes[Wire.LENGTH_BYTES]).isEqualTo(Wire.CALLS);
        assertThat(java.nio.ByteBuffer.wrap(bytes).getInt()).isEqualTo(bytes.length - Wire.LENGTH_BYTES);
        assertThat(calls.getPartition()).isEqualTo(3);
        assertThat(calls.getAcknowledged()).isEqualTo(40);
        assertThat(calls.getCallCount()).isEqualTo(2);
        Call call = calls.getCall(0);
        assertThat(call.getId()).isEqualTo(300);
        assertThat(call.getProcedure()).isEqualTo(7);
        assertThat(call.getSequence()).isEqualTo(41);
        assertThat(call.getTimeoutMs()).isEqualTo(1000);
        assertThat(call.getArgumentCount()).isEqualTo(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(Objects.deepEquals(object(call.getArgument(i)), expected.get(i)))
                    .as("argument %d", i)
                    .isTrue();
        }
    }

    @Test
    void shouldReadCallsThatGeneratedClassesWrite() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Calls.Builder calls = Calls.newBuilder();
            int count = random.nextInt(5);
            for (int i = 0; i < count; i++) {
                Call.Builder call = Call.newBuilder()
                        .setId(random.nextLong())
                        .setProcedure(random.nextInt(1000))
                        .setTimeoutMs(random.nextInt())
                        .setSequence(random.nextLong() >>> 1);
                for (int j = random.nextInt(6); j > 0; j--) {
                    call.addArgument(randomValue(random));
                }
                calls.addCall(call);
            }
            byte[] bytes = calls.build().toByteArray();
            CallReader reader = new CallReader();
            reader.over(bytes, 0, bytes.length);

            for (Call call : calls.getCallList()) {
                assertThat(reader.next()).as("seed %d", seed).isTrue();
                assertThat(reader.id()).isEqualTo(call.getId());
                assertThat(reader.procedure()).isEqualTo(call.getProcedure());
                assertThat(reader.timeoutMs()).isEqualTo(Integer.toUnsignedLong(call.getTimeoutMs()));
                assertThat(reader.sequence()).isEqualTo(call.getSequence());
                assertThat(reader.arguments()).isEqualTo(call.getArgumentCount());
                for (Value value : call.getArgumentList()) {
                    Object read = reader.nextArgument().object();
                    assertThat(Objects.deepEquals(read, object(value)))
                            .as("seed %d: %s", seed, value)
                            .isTrue();
                }
            }
            assertThat(reader.next()).as("seed %d", seed).isFalse();
        }
    }

    @Test
    void shouldReadFieldsInAnyOrderAndSkipUnknownOnes() {
        MessageWriter bytes = new MessageWriter(16);
        int call = bytes.begin(Wire.CALLS_CALL);
        ValueWriter.integer(bytes, Wire.CALL_ARGUMENT, 5);
        bytes.always(15 << 3, 77);
        bytes.fixed(14 << 3 | 1, 1.0);
        bytes.text(13 << 3 | 2, "later");
        bytes.always(Wire.CALL_PROCEDURE, 9);
        ValueWriter.text(bytes, Wire.CALL_ARGUMENT, "six");
        bytes.always(Wire.CALL_ID, 4);
        bytes.end(call);
        CallReader reader = new CallReader();
        reader.over(bytes.array(), 0, bytes.length());

        assertThat(reader.next()).isTrue();
        assertThat(reader.id()).isEqualTo(4);
        assertThat(reader.procedure()).isEqualTo(9);
        assertThat(reader.arguments()).isEqualTo(2);
        assertThat(reader.nextArgument().object()).isEqualTo(5L);
        assertThat(reader.nextArgument().object()).isEqualTo("six");
        assertThat(reader.next()).isFalse();
    }

    @Test
    void shouldWriteRepliesThatGeneratedClassesReadAndReadThemAgain() throws InvalidProtocolBufferException {
        MessageWriter bytes = new MessageWriter(16);
        ReplyWriter writer = new ReplyWriter(bytes);
        writer.begin(1);
        writer.integer(-5);
        writer.end();
        writer.begin(2);
        writer.end();
        writer.begin(3);
        writer.text(null);
        writer.end();
        writer.begin(4);
        writer.failure(2, "no", true, true);
        writer.end();
        writer.begin(5);
        writer.beginTable();
        writer.column("A", Column.Type.DECIMAL_VALUE, 12, 2);
        writer.column("B", Column.Type.VARCHAR_VALUE, 10, 0);
        for (int i = 0; i < 100; i++) {
            writer.beginRow();
            writer.rowInteger(i * 1_000_000_007L);
            writer.rowNull();
            writer.endRow();
        }
        writer.endTable();
        writer.end();
        writer.load(130);

        Replies replies = Replies.parseFrom(bytes.toBytes());
        ReplyReader reader = new ReplyReader();
        reader.over(bytes.array(), 0, bytes.length());

        assertThat(replies.getReplyList()).extracting(Reply::getId).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(replies.getLoad()).isEqualTo(130);
        assertThat(replies.getReply(0).getValue().getInteger()).isEqualTo(-5);
        assertThat(replies.getReply(1).getOutcomeCase()).isEqualTo(Reply.OutcomeCase.OUTCOME_NOT_SET);
        assertThat(replies.getReply(2).getValue().getValueCase()).isEqualTo(Value.ValueCase.VALUE_NOT_SET);
        assertThat(replies.getReply(3).getFailure().getCode()).isEqualTo(Failure.Code.CONSTRAINT_VIOLATION);
        Table table = replies.getReply(4).getTable();
        assertThat(table.getColumn(0).getType()).isEqualTo(Column.Type.DECIMAL);
        assertThat(table.getRowList())
                .hasSize(100)
                .extracting(Row::getValueCount)
                .containsOnly(2);
        assertThat(reader.next()).isTrue();
        assertThat(reader.value().object()).isEqualTo(-5L);
        assertThat(reader.next()).isTrue();
        assertThat(reader.outcome()).isEqualTo(ReplyReader.Outcome.NOTHING);
        assertThat(reader.next()).isTrue();
        assertThat(reader.value().object()).isNull();
        assertThat(reader.next()).isTrue();
        assertThat(reader.failure()).isEqualTo(new WireFailure(2, "no", true, true));
        assertThat(reader.next()).isTrue();
        assertThat(reader.table().rows().get(99)).containsExactly(99_000_000_693L, null);
        assertThat(reader.next()).isFalse();
        assertThat(reader.load()).isEqualTo(130);
    }

    @Test
    void shouldRefuseTextThatNoUtf8Has() {
        ArgumentWriter arguments = new ArgumentWriter();

        assertThatThrownBy(() -> arguments.add("a\uD83D"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("half a surrogate pair at position 1");
        assertThatThrownBy(() -> arguments.add(new String[] {"a", null})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseBytesAsAStringThatAreNoUtf8() {
        byte[] cut = "Z\u00fcrich".getBytes(StandardCharsets.UTF_8);
        ArgumentWriter arguments = new ArgumentWriter().add(1);
        int before = arguments.length();

        // The last of them begins a character and does not end it.
        assertThatThrownBy(() -> arguments.addUtf8(cut, 0, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the 2 bytes given as a string are not UTF-8");
        assertThatThrownBy(() -> arguments.addUtf8(cut, 1, cut.length)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> arguments.addUtf8(cut, 0, -1)).isInstanceOf(IndexOutOfBoundsException.class);

        assertThat(arguments.length()).isEqualTo(before);
        assertThat(arguments.addUtf8(cut, 0, cut.length).bytes().toBytes())
                .isEqualTo(
                        new ArgumentWriter().add(1).add("Z\u00fcrich").bytes().toBytes());
    }

    @Test
    void shouldTellUtf8AsTheJdkDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int[] edges = {
            0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
            0xFF
        };
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = new byte[1 + random.nextInt(12)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (random.nextInt(3) == 0 ? 'a' : edges[random.nextInt(edges.length)]);
            }
            boolean valid;
            try {
                java.nio.charset.StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes));
                valid = true;
            } catch (java.nio.charset.CharacterCodingException e) {
                valid = false;
            }

            assertThat(Utf8.isValid(bytes, 0, bytes.length))
                    .as("seed %d: %s", seed, Arrays.toString(bytes))
                    .isEqualTo(valid);
        }
    }

    private static void addAll(ArgumentWriter to, List<Object> expected) {
        to.addNull();
        expected.add(null);
        for (long value : INTEGERS) {
            to.add(value);
            expected.add(value);
        }
        for (double value : DOUBLES) {
            to.add(value);
            expected.add(value);
        }
        for (String value : TEXTS) {
            to.add(value);
            expected.add(value);
        }
        for (BigDecimal value : DECIMALS) {
            to.add(value);
            expected.add(value);
        }
        to.add(true).add(false).add(new byte[] {1, -1}).add(new byte[0]);
        expected.addAll(List.of(true, false, new byte[] {1, -1}, new byte[0]));
        int[] ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
        to.add(ints).add(new int[0]).add(INTEGERS).add(DOUBLES).add(TEXTS).add(new String[0]);
        expected.addAll(List.of(
                Arrays.stream(ints).asLongStream().toArray(), new long[0], INTEGERS, DOUBLES, TEXTS, new String[0]));
    }

    private static Object object(Value value) {
        switch (value.getValueCase()) {
            case INTEGER:
                return value.getInteger();
            case NUMBER:
                return value.getNumber();
            case BOOLEAN:
                return value.getBoolean();
            case TEXT:
                return value.getText();
            case BINARY:
                return value.getBinary().toByteArray();
            case DECIMAL:
                ByteString unscaled = value.getDecimal().getUnscaled();
                return new BigDecimal(
                        unscaled.isEmpty()
                                ? java.math.BigInteger.ZERO
                                : new java.math.BigInteger(unscaled.toByteArray()),
                        value.getDecimal().getScale());
            case INTS:
                return value.getInts().getElementList().stream()
                        .mapToLong(Long::longValue)
                        .toArray();
            case LONGS:
                return value.getLongs().getElementList().stream()
                        .mapToLong(Long::longValue)
                        .toArray();
            case NUMBERS:
                return value.getNumbers().getElementList().stream()
                        .mapToDouble(Double::doubleValue)
                        .toArray();
            case TEXTS:
                return value.getTexts().getElementList().toArray(new String[0]);
            default:
                return null;
        }
    }

    private static Value randomValue(Random random) {
        Value.Builder value = Value.newBuilder();
        switch (random.nextInt(9)) {
            case 0:
                return value.build();
            case 1:
                return value.setInteger(INTEGERS[random.nextInt(INTEGERS.length)])
                        .build();
            case 2:
                return value.setNumber(random.nextDouble()).build();
            case 3:
                return value.setBoolean(random.nextBoolean()).build();
            case 4:
                return value.setText(TEXTS[random.nextInt(TEXTS.length)]).build();
            case 5:
                return value.setBinary(ByteString.copyFrom(new byte[random.nextInt(300)]))
                        .build();
            case 6:
                return value.setDecimal(Decimal.newBuilder()
                                .setScale(random.nextInt(20) - 5)
                                .setUnscaled(ByteString.copyFrom(new byte[] {(byte) random.nextInt(), 5})))
                        .build();
            case 7:
                Integers.Builder integers = Integers.newBuilder();
                for (int i = random.nextInt(40); i > 0; i--) {
                    integers.addElement(random.nextLong());
                }
                return value.setLongs(integers).build();
            default:
                if (random.nextBoolean()) {
                    return value.setNumbers(Numbers.newBuilder().addElement(random.nextDouble()))
                            .build();
                }
                return value.setTexts(Texts.newBuilder().addElement("a").addElement(""))
                        .build();
        }
    }
}
