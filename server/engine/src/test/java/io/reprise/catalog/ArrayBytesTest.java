package io.reprise.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.SqlType.Kind;
import io.reprise.procedure.ProcedureException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays as bytes, and as text. */
final class ArrayBytesTest {
    private static SqlType element(Kind kind) {
        return switch (kind) {
            case DECIMAL -> SqlType.decimal(12, 2);
            case VARCHAR -> SqlType.varchar(40);
            case VARBINARY -> SqlType.varbinary(40);
            default -> SqlType.of(kind);
        };
    }

    /** An element: a Long, a Double or a byte array; null: NULL. */
    private static Object random(Random random, Kind kind) {
        boolean small = random.nextBoolean();
        return random.nextInt(5) == 0
                ? null
                : switch (kind) {
                    case BOOLEAN -> (long) random.nextInt(2);
                    case DOUBLE -> small ? random.nextInt(3) - 1.0 : random.nextGaussian() * 1e9 + 0.0;
                    case VARCHAR, VARBINARY -> string(random);
                    default -> {
                        long any = small ? random.nextInt(5) - 2 : random.nextLong();
                        int unused = Long.SIZE - Byte.SIZE * kind.width();
                        yield any << unused >> unused;
                    }
                };
    }

    private static byte[] string(Random random) {
        byte[] bytes = new byte[random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) new int[] {0, 1, 2, 'a', 0xFF}[random.nextInt(5)];
        }
        return bytes;
    }

    private static byte[] bytes(SqlType element, List<Object> elements) {
        ArrayWriter writer = new ArrayWriter(element);
        for (Object each : elements) {
            switch (each) {
                case null -> writer.addNull();
                case Long word -> writer.add(word);
                case Double number -> writer.add(Double.doubleToRawLongBits(number));
                default -> writer.add((byte[]) each);
            }
        }
        return writer.toBytes();
    }

    private static int compare(Object one, Object other) {
        if (one == null || other == null) {
            return Boolean.compare(one == null, other == null);
        }
        return switch (one) {
            case Long word -> word.compareTo((Long) other);
            case Double number -> number.compareTo((Double) other);
            default -> Arrays.compareUnsigned((byte[]) one, (byte[]) other);
        };
    }

    private static int compare(List<Object> one, List<Object> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int first = compare(one.get(i), other.get(i));
            if (first != 0) {
                return first;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldOrderBytesAsArraysAndReadThemAgain(Kind kind) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        SqlType element = element(kind);
        List<List<Object>> arrays = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            List<Object> array = new ArrayList<>();
            for (int n = random.nextInt(4); n > 0; n--) {
                array.add(random(random, kind));
            }
            arrays.add(array);
        }

        for (List<Object> one : arrays) {
            byte[] bytes = bytes(element, one);
            ArrayReader reader = new ArrayReader(SqlType.array(element), bytes);
            for (Object each : one) {
                assertThat(reader.next()).as("seed %s", seed).isTrue();
                assertThat(reader.isNull()).as("seed %s", seed).isEqualTo(each == null);
                if (each instanceof byte[] string) {
                    assertThat(reader.string()).as("seed %s", seed).isEqualTo(string);
                } else if (each != null) {
                    long word = each instanceof Double number ? Double.doubleToRawLongBits(number) : (Long) each;
                    assertThat(reader.word()).as("seed %s", seed).isEqualTo(word);
                }
            }
            assertThat(reader.next()).as("seed %s", seed).isFalse();
            for (List<Object> other : arrays) {
                assertThat(Integer.signum(Arrays.compareUnsigned(bytes, bytes(element, other))))
                        .as("seed %s", seed)
                        .isEqualTo(Integer.signum(compare(one, other)));
            }
        }
    }

    @Test
    void shouldHaveTheDocumentedBytes() {
        byte[] numbers = bytes(SqlType.of(Kind.INTEGER), Arrays.asList(1L, null, -2L));
        byte[] texts = bytes(SqlType.TEXT, List.of("a\0b".getBytes(StandardCharsets.UTF_8), new byte[0]));

        assertThat(HexFormat.of().formatHex(numbers)).isEqualTo("0180000001" + "02" + "017ffffffe");
        assertThat(HexFormat.of().formatHex(texts)).isEqualTo("016100ff620000" + "010000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "03", "01", "0180", "01800000", "0180000001ff"})
    void shouldRejectBytesThatAreNoArray(String hex) {
        SqlType array = SqlType.array(SqlType.of(Kind.INTEGER));

        assertThatThrownBy(() -> ArrayReader.count(array, HexFormat.of().parseHex(hex)))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("no array of INTEGER");
    }

    @ParameterizedTest
    @ValueSource(strings = {"01", "0161", "016100", "01610001", "016100ff"})
    void shouldRejectStringsWithoutEnd(String hex) {
        assertThatThrownBy(() -> ArrayReader.count(
                        SqlType.array(SqlType.TEXT), HexFormat.of().parseHex(hex)))
                .isInstanceOf(ProcedureException.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {}                       | {}
            { a , "b c" , NULL }     | {a,"b c",NULL}
            {"NULL","",null}         | {"NULL","",NULL}
            {a\\,b,"q\\"\\\\"}       | {"a,b","q\\"\\\\"}
            {a b}                    | {"a b"}
            """)
    void shouldReadAndWriteTexts(String text, String expected) {
        assertThat(ArrayText.of(ArrayText.split(text).toArray(String[]::new))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "}", "1", "{1", "{1,}", "{,1}", "{\"a}", "{a\"b\"}", "{{1}}", "{1}x", "{\"a\"b}"})
    void shouldRejectMalformedTexts(String text) {
        assertThatThrownBy(() -> ArrayText.split(text)).hasMessageContaining("malformed array literal");
    }

    @Test
    void shouldKnowTheTypeOfTheElements() {
        for (SqlType element : List.of(
                SqlType.of(Kind.INTEGER),
                SqlType.decimal(18, 18),
                SqlType.TEXT,
                SqlType.varchar(1),
                SqlType.JSON,
                SqlType.JSONB,
                SqlType.UUID,
                SqlType.REAL,
                SqlType.TIMESTAMPTZ,
                SqlType.varbinary(SqlType.MAX_STRING_BYTES))) {
            SqlType array = SqlType.array(element);

            assertThat(array.isArray()).isTrue();
            assertThat(array.element()).isEqualTo(element);
            assertThat(array.isUuid() || array.isJson() || array.isZoned()).isFalse();
        }
        assertThat(SqlType.array(SqlType.TEXT)).hasToString("TEXT[]");
        assertThat(SqlType.UUID.isArray()).isFalse();
    }
}
