package io.reprise.record.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.simulation.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommandCodecTest {
    private final CommandWriter writer = new CommandWriter();
    private final CommandReader reader = new CommandReader();

    private void put(Object value) {
        switch (value) {
            case null -> writer.putNull();
            case Boolean b -> writer.putBoolean(b);
            case Long n -> writer.putInteger(n);
            case Double d -> writer.putDouble(d);
            case BigDecimal d -> writer.putDecimal(d);
            case String s -> writer.putString(s);
            case byte[] a -> writer.putBinary(a);
            case int[] a -> writer.putInts(a);
            case long[] a -> writer.putLongs(a);
            case double[] a -> writer.putDoubles(a);
            case String[] a -> writer.putStrings(a);
            default -> throw new IllegalArgumentException(value.toString());
        }
    }

    private List<Object> readAll() {
        List<Object> values = new ArrayList<>();
        while (reader.next()) {
            values.add(
                    switch (reader.kind()) {
                        case NULL -> null;
                        case BOOLEAN -> reader.booleanValue();
                        case INTEGER -> reader.integer();
                        case DOUBLE -> reader.doubleValue();
                        case DECIMAL -> reader.decimal();
                        case STRING -> reader.string();
                        case BINARY -> reader.binary();
                        case INTS -> reader.ints();
                        case LONGS -> reader.longs();
                        case DOUBLES -> reader.doubles();
                        case STRINGS -> reader.strings();
                    });
        }
        return values;
    }

    private static final Object[] EDGES = {
        null,
        true,
        false,
        0L,
        -16L,
        -17L,
        111L,
        112L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        0.0,
        -0.0,
        Double.NaN,
        Double.MIN_VALUE,
        Double.NEGATIVE_INFINITY,
        new BigDecimal("0.00"),
        new BigDecimal("-12345678901234567.8"),
        new BigDecimal(new BigInteger("9223372036854775807"), 3),
        new BigDecimal(new BigInteger("9223372036854775808"), -3),
        new BigDecimal(new BigInteger("-170141183460469231731687303715884105728"), Integer.MAX_VALUE),
        "",
        "a",
        "x".repeat(63),
        "x".repeat(64),
        "x".repeat(100_000),
        "naïve 日本語 \uD83D\uDE00",
        "half a pair: \uD83D",
        "\0",
        new byte[0],
        new byte[] {-1, 0, 1},
        new int[0],
        new int[] {0, 1, -1, 63, 64, Integer.MAX_VALUE, Integer.MIN_VALUE},
        new long[] {0, Long.MAX_VALUE, Long.MIN_VALUE},
        new double[] {-0.0, Double.NaN, 1.5},
        new String[] {"a", null, "", "\uDE00", "ä".repeat(80)},
        new int[10_000],
    };

    @Test
    void shouldReadBackEveryValueWhenAtItsEdges() {
        writer.begin(1234567);
        for (Object value : EDGES) {
            put(value);
        }
        reader.over(writer.segment(), 0, writer.length());

        assertThat(reader.versionId()).isEqualTo(1234567);
        assertThat(reader.statement()).isNull();
        assertThat(Arrays.deepEquals(readAll().toArray(), EDGES)).isTrue();
    }

    @Test
    void shouldReadBackStatementWhenItWasNotDeployed() {
        writer.beginStatement("INSERT INTO t VALUES (?, 'ä')");
        writer.putInteger(5);
        reader.over(writer.segment(), 0, writer.length());

        assertThat(reader.versionId()).isZero();
        assertThat(reader.statement()).isEqualTo("INSERT INTO t VALUES (?, 'ä')");
        assertThat(readAll()).containsExactly(5L);
    }

    @Test
    void shouldReadBackValuesWhenRandom() {
        Seeds.forEach(200, seed -> {
            Random random = new Random(seed);
            Object[] values = new Object[random.nextInt(20)];
            Arrays.setAll(values, _ -> EDGES[random.nextInt(EDGES.length)]);
            writer.begin(1 + random.nextInt(1000));
            for (Object value : values) {
                put(value);
            }
            reader.over(writer.segment(), 0, writer.length());
            assertThat(Arrays.deepEquals(readAll().toArray(), values)).isTrue();
        });
    }

    @Test
    void shouldWriteTheDocumentedBytes() {
        writer.begin(300);
        put(7L);
        put(300L);
        put(null);
        put(true);
        put(1.5);
        put(new BigDecimal("12.50"));
        put("plum");
        put(new byte[] {1, 2});
        put(new int[] {1, -1, 300});
        put(new String[] {"a", null});

        assertThat(HexFormat.of()
                        .formatHex(writer.segment().asSlice(0, writer.length()).toArray(ValueLayout.JAVA_BYTE)))
                .isEqualTo("ac02" + "17" + "c3d804" + "c0" + "c2" + "c4000000000000f83f" + "c504c413" + "84706c756d"
                        + "c9020102" + "ca030201d804" + "cd028161c0");
    }

    @Test
    void shouldStaySmallWhenCallsAreThoseOfTpccAndVoter() {
        Random random = new Random(1);
        int[] items = random.ints(15, 1, 100_001).toArray();
        int[] quantities = random.ints(15, 1, 11).toArray();
        int[] warehouses = new int[15];
        Arrays.fill(warehouses, 97);
        writer.begin(17);
        for (Object value : new Object[] {97L, 9L, 2999L, items, warehouses, quantities}) {
            put(value);
        }
        assertThat(writer.length()).isLessThan(120);

        writer.begin(17);
        for (Object value : new Object[] {617L, 6_175_551_234L, 6L, 10L}) {
            put(value);
        }
        assertThat(writer.length()).isLessThan(15);
    }

    @Test
    void shouldAllocateNothingButItsBufferAndKeepItWhenACommandWasOfUsualSize() {
        writer.begin(1);
        MemorySegment before = writer.segment();
        put("x".repeat(300));
        writer.begin(2);
        put("y".repeat(300));

        assertThat(writer.segment()).isSameAs(before);
    }

    @Test
    void shouldGiveValuesOrATypedErrorWhenBytesAreDamaged() {
        writer.begin(300);
        for (Object value : EDGES) {
            if (!(value instanceof String s && s.length() > 1000) && !(value instanceof int[] a && a.length > 100)) {
                put(value);
            }
        }
        byte[] whole = writer.segment().asSlice(0, writer.length()).toArray(ValueLayout.JAVA_BYTE);
        for (int position = 0; position < whole.length; position++) {
            for (int flip = 1; flip < 256; flip = flip * 2 + 1) {
                byte[] damaged = whole.clone();
                damaged[position] ^= (byte) flip;
                tryToRead(damaged);
            }
            tryToRead(Arrays.copyOf(whole, position));
        }
    }

    private void tryToRead(byte[] bytes) {
        try {
            reader.over(MemorySegment.ofArray(bytes), 0, bytes.length);
            readAll();
        } catch (DamagedCommandException e) {
            assertThat(e).hasMessageMatching("Damaged at byte \\d+ of " + bytes.length + " of a command: .*\\.");
        }
    }

    @Test
    void shouldSayWhereWhenBytesEndTooEarlyOrMakeNoSense() {
        assertThatThrownBy(() -> read("01c3ff"))
                .isInstanceOf(DamagedCommandException.class)
                .hasMessage("Damaged at byte 3 of 3 of a command: the bytes end in the middle of a value.");
        assertThatThrownBy(() -> read("01ff"))
                .hasMessage("Damaged at byte 2 of 2 of a command: there is no kind of value 255.");
        assertThatThrownBy(() -> read("01ca7f00"))
                .hasMessage("Damaged at byte 3 of 4 of a command: there is no room for 127 elements.");
        assertThatThrownBy(() -> read("01ca01ffffffff1f"))
                .hasMessage("Damaged at byte 8 of 8 of a command: an int is -4294967296.");
        assertThatThrownBy(() -> read("01cd0111"))
                .hasMessage(
                        "Damaged at byte 4 of 4 of a command: an element of an array of strings is of kind INTEGER.");
        assertThatThrownBy(() -> writer.begin(0)).isInstanceOf(IllegalArgumentException.class);
    }

    private void read(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        reader.over(MemorySegment.ofArray(bytes), 0, bytes.length);
        readAll();
    }
}
