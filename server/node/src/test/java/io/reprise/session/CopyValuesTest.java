package io.reprise.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.SqlType;
import io.reprise.execution.deploy.Arguments;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Fields of a COPY that are read from their bytes: the values are those that the long way gives. */
final class CopyValuesTest {
    private static final List<SqlType> TYPES = List.of(
            SqlType.of(SqlType.Kind.BIGINT),
            SqlType.decimal(12, 2),
            SqlType.of(SqlType.Kind.BOOLEAN),
            SqlType.varchar(60),
            SqlType.of(SqlType.Kind.TIMESTAMP),
            SqlType.of(SqlType.Kind.DATE));

    private static final List<String> TEXTS = List.of(
            "0",
            "-7",
            "999999999999999999",
            "12.50",
            "-.5",
            "3.",
            "t",
            "f",
            "grün",
            "2026-02-28",
            "2024-02-29",
            "2023-02-29",
            "2026-13-01",
            "0000-01-01",
            "1969-12-31 23:59:59",
            "2026-01-02 03:04:05.5",
            "2026-01-02T03:04:05.000001",
            "2026-01-02 03:04:05.",
            "2026-01-02 24:00:00",
            "2026-01-02 03:04:05+02",
            "9999-12-31 23:59:59.999999");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Object plain(SqlType type, String text) {
        Arguments to = new Arguments();
        return CopyValues.addPlain(to, type, bytes(text)) ? to.boxed(0) : null;
    }

    private static void assertSame(SqlType type, String text) {
        Object plain = plain(type, text);
        if (plain != null) {
            assertThat(plain)
                    .as("'%s' as %s", text, type)
                    .isEqualTo(ParameterValues.of(new RawParameter(bytes(text), false), 0, type));
        }
    }

    @Test
    void shouldReadPlainFormsAsTheLongWayDoes() {
        for (SqlType type : TYPES) {
            TEXTS.forEach(text -> assertSame(type, text));
        }

        assertThat(plain(TYPES.get(0), "-7")).isEqualTo(-7L);
        assertThat(plain(TYPES.get(1), "12.50")).isNotNull();
        assertThat(plain(TYPES.get(2), "f")).isEqualTo(false);
        assertThat(plain(TYPES.get(3), "grün")).isEqualTo("grün");
        assertThat(plain(TYPES.get(4), "1969-12-31 23:59:59")).isEqualTo(-1_000_000L);
        assertThat(plain(TYPES.get(5), "2024-02-29")).isNotNull();
    }

    @Test
    void shouldLeaveOtherFormsToTheLongWay() {
        assertThat(plain(TYPES.get(0), " 7")).isNull();
        assertThat(plain(TYPES.get(0), "9999999999999999999")).isNull();
        assertThat(plain(TYPES.get(1), "1e5")).isNull();
        assertThat(plain(TYPES.get(1), ".")).isNull();
        assertThat(plain(TYPES.get(2), "true")).isNull();
        assertThat(plain(TYPES.get(3), "a\0b")).isNull();
        assertThat(plain(TYPES.get(4), "2026-01-02 03:04:05+02")).isNull();
        assertThat(plain(TYPES.get(4), "2026-01-02 03:04:60")).isNull();
        assertThat(plain(TYPES.get(5), "2023-02-29")).isNull();
    }

    @Test
    void shouldReadAnyChangedTextAsTheLongWayDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(TEXTS.get(random.nextInt(TEXTS.size())));
            int at = random.nextInt(text.length());
            text.setCharAt(at, "0123456789-.: T+ft".charAt(random.nextInt(18)));
            texts.add(text.toString());
        }

        for (String text : texts) {
            for (SqlType type : TYPES) {
                try {
                    assertSame(type, text);
                } catch (RuntimeException rejected) {
                    throw new AssertionError("seed " + seed + ": '" + text + "' is rejected as " + type, rejected);
                }
            }
        }
    }
}
