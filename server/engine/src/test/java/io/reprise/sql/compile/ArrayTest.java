package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.reprise.procedure.LoopGuard;
import io.reprise.procedure.ProcedureException;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns and values of arrays. */
final class ArrayTest {
    private static final int MANY = 20_000;

    private final TestDatabase database = new TestDatabase("""
            CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, n INTEGER[] NOT NULL DEFAULT '{7,NULL}', big BIGINT ARRAY,
                s TEXT[], v VARCHAR(3)[], d NUMERIC(10,2)[], f DOUBLE PRECISION[], at TIMESTAMP[], u UUID[4], j JSON[][]);
            PARTITION TABLE t ON COLUMN id;
            CREATE INDEX by_n ON t (n) USING ORDERED;
            """);

    @BeforeEach
    void fill() {
        database.run("INSERT INTO t VALUES (1, '{1,2,NULL,3}', ARRAY[10, 9999999999], '{a,\"b c\",NULL}', '{abc}',"
                + " '{1.5,2.255}', '{0.5,-1}', '{2024-02-29 12:00:00}', '{123e4567-e89b-12d3-a456-426614174000}',"
                + " '{\"{\\\"a\\\": 1}\"}')");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = ';', textBlock = """
            n                                        ; {1,2,NULL,3}
            big                                      ; {10,9999999999}
            s                                        ; {a,"b c",NULL}
            d                                        ; {1.50,2.26}
            f                                        ; {0.5,-1}
            at                                       ; {"2024-02-29 12:00:00"}
            u                                        ; {123e4567-e89b-12d3-a456-426614174000}
            j                                        ; {"{\\"a\\": 1}"}
            n[1]                                     ; 1
            n[3]                                     ; NULL
            n[5]                                     ; NULL
            n[0]                                     ; NULL
            s[2]                                     ; b c
            f[2]                                     ; -1.0
            d[id]                                    ; 1.50
            at[1]                                    ; 2024-02-29 12:00:00
            u[1]                                     ; 123e4567-e89b-12d3-a456-426614174000
            (ARRAY[1, id + 1, NULL])[2]              ; 2
            ARRAY[1.5, 2]                            ; {1.5,2.0}
            ARRAY[]::INTEGER[]                       ; {}
            ARRAY['x', s[1]]                         ; {x,a}
            '{3,4}'::int4[]                          ; {3,4}
            CAST('{t,f}' AS BOOLEAN[])               ; {t,f}
            n::bigint[]                              ; {1,2,NULL,3}
            n::text[]                                ; {1,2,NULL,3}
            d::int[]                                 ; {2,2}
            '{0.1,10}'::real[]                       ; {0.1,10}
            '{0.1,1e20,0.00001,100}'::float8[]       ; {0.1,1e+20,1e-05,100}
            '{2024-02-29 12:00:00.5}'::timestamp[]   ; {"2024-02-29 12:00:00.5"}
            '{2024-02-29 12:00+02}'::timestamptz[]   ; {"2024-02-29 10:00:00+00"}
            '{12:00,23:59:59.25}'::time[]            ; {12:00:00,23:59:59.25}
            ARRAY_TO_STRING('{0.1,10}'::real[], '/') ; 0.1/10
            '{0.1}'::real[]::text[]                  ; {0.1}
            '{0.1}'::real[]::float8[]                ; {0.10000000149011612}
            '{2024-02-29 12:00+02}'::timestamptz[]::timestamp[] ; {"2024-02-29 10:00:00"}
            CARDINALITY(n)                           ; 4
            ARRAY_LENGTH(n, 1)                       ; 4
            ARRAY_LENGTH('{}'::int[], 1)             ; NULL
            ARRAY_UPPER(n, 1)                        ; 4
            ARRAY_LOWER(n, 1)                        ; 1
            ARRAY_APPEND(n, 4)                       ; {1,2,NULL,3,4}
            ARRAY_APPEND(NULL::int[], 4)             ; {4}
            ARRAY_APPEND(n, 1.5)                     ; {1,2,NULL,3,2}
            ARRAY_PREPEND(NULL, n)                   ; {NULL,1,2,NULL,3}
            ARRAY_CAT(n, '{5}')                      ; {1,2,NULL,3,5}
            n || 9                                   ; {1,2,NULL,3,9}
            9 || n                                   ; {9,1,2,NULL,3}
            n || ARRAY[8]                            ; {1,2,NULL,3,8}
            n || NULL::int[]                         ; {1,2,NULL,3}
            s || s[1]                                ; {a,"b c",NULL,a}
            ARRAY_APPEND(ARRAY['b c', NULL], s[1] || 'bcdef') ; {"b c",NULL,abcdef}
            ARRAY_PREPEND(s[1] || 'bcd', ARRAY['x']) ; {abcd,x}
            v || 'longer'::text                      ; {abc,longer}
            ARRAY['x'] || v                          ; {x,abc}
            ARRAY_POSITION(v, 'abcd')                ; NULL
            ARRAY_REMOVE(v, 'abcd')                  ; {abc}
            ARRAY_REMOVE(v, 'abc')                   ; {}
            n || ARRAY[8.5]                          ; {1.0,2.0,NULL,3.0,8.5}
            ARRAY[big[2]] || n                       ; {9999999999,1,2,NULL,3}
            ARRAY_REMOVE(n, 2)                       ; {1,NULL,3}
            ARRAY_REMOVE(n, NULL)                    ; {1,2,3}
            ARRAY_POSITION(s, 'b c')                 ; 2
            ARRAY_POSITION(n, NULL)                  ; 3
            ARRAY_POSITION(n, 4)                     ; NULL
            ARRAY_TO_STRING(n, '-')                  ; 1-2-3
            ARRAY_TO_STRING(n, '-', '?')             ; 1-2-?-3
            STRING_TO_ARRAY('a,b,,c', ',')           ; {a,b,"",c}
            STRING_TO_ARRAY('', ',')                 ; {}
            n @> ARRAY[3, 1]                         ; TRUE
            n @> '{4}'                               ; FALSE
            ARRAY[1] <@ n                            ; TRUE
            n && '{9,2}'                             ; TRUE
            n && '{NULL}'                            ; FALSE
            2 = ANY (n)                              ; TRUE
            4 = ANY (n)                              ; NULL
            4 = ANY (big)                            ; FALSE
            10.0 = ANY (big)                         ; TRUE
            1.5 = ANY (d)                            ; TRUE
            1 <> ALL (big)                           ; TRUE
            0 < ALL (n)                              ; NULL
            1 < ALL (n)                              ; FALSE
            'a' = ANY (s)                            ; TRUE
            NULL = ANY ('{}'::int[])                 ; FALSE
            2 = ANY ('{1,2}')                        ; TRUE
            n = '{1,2,NULL,3}'                       ; TRUE
            n < ARRAY[1, 2, NULL, 4]                 ; TRUE
            n > '{1,2,3,4}'                          ; TRUE
            n = big                                  ; FALSE
            n = ARRAY[1, 2]                          ; FALSE
            s IS NULL                                ; FALSE
            COALESCE(NULL, n)                        ; {1,2,NULL,3}
            CASE WHEN id = 1 THEN '{0}'::int[] ELSE n END ; {0}
            """)
    void shouldComputeWithArrays(String expression, String expected) {
        Object value = database.value("SELECT CAST(" + expression + " AS VARCHAR(100)) FROM t");

        assertThat(String.valueOf(value).replace("null", "NULL")).isEqualTo(expected.strip());
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = ';', textBlock = """
            '{1'::int[]                  ; malformed array literal
            '{{1}}'::int[]               ; one dimension
            '{a}'::int[]                 ; 'a' can't be converted to
            '{99999999999}'::int[]       ; out of range
            ARRAY[ARRAY[1]]              ; one dimension
            ARRAY[1, 'a']                ; no common type
            n[s]                         ; ARRAY_ITEM does not take
            ARRAY_LENGTH(n, 2)           ; one dimension
            ARRAY_APPEND(id, 1)          ; ARRAY_APPEND does not take
            id = ANY (id)                ; does not take
            n || TRUE                    ; does not take
            id::int[]                    ; cannot
            n::int                       ; cannot
            """)
    void shouldRefuseWhatHasNoMeaning(String expression, String message) {
        assertThatThrownBy(() -> database.value("SELECT " + expression + " FROM t"))
                .hasMessageContaining(message);
    }

    @Test
    void shouldStoreUpdateAndSearchArrays() {
        for (int i = 2; i < 60; i++) {
            database.run("INSERT INTO t (id, n, s) VALUES (?, ?, ?)", i, "{" + i % 7 + "," + i + "}", "{x" + i + "}");
        }
        database.run("INSERT INTO t (id) VALUES (60)");
        database.run("UPDATE t SET n = n || 100, s = NULL WHERE id = 9");
        database.run("UPDATE t SET s = ARRAY['q', NULL] WHERE n = '{3,10}'");

        assertThat(database.value("SELECT CAST(n AS VARCHAR(20)) FROM t WHERE id = 60"))
                .isEqualTo("{7,NULL}");
        assertThat(database.value("SELECT CAST(n AS VARCHAR(20)) FROM t WHERE s IS NULL AND id < 60"))
                .isEqualTo("{2,9,100}");
        assertThat(database.value("SELECT s[1] FROM t WHERE id = 10")).isEqualTo("q");
        assertThat(database.value("SELECT id FROM t WHERE n = ARRAY[5, 12]")).isEqualTo(12L);
        assertThat(database.value("SELECT COUNT(*) FROM t WHERE n >= '{5}' AND n < '{6}'"))
                .isEqualTo(8L);
        assertThat(database.value("SELECT COUNT(*) FROM t WHERE 'x20' = ANY (s)"))
                .isEqualTo(1L);
        assertThat(database.value("SELECT CAST(MAX(n) AS VARCHAR(20)) FROM t")).isEqualTo("{7,NULL}");
        assertThat(database.value("SELECT COUNT(DISTINCT n) FROM t")).isEqualTo(60L);
        assertThat(database.value("SELECT CAST(n AS VARCHAR(20)) FROM t GROUP BY n ORDER BY n DESC LIMIT 1 OFFSET 1"))
                .isEqualTo("{6,55}");
    }

    @Test
    void shouldTakeParametersInAllForms() {
        database.run("INSERT INTO t (id, n, s, f) VALUES (?, ?, ?, ?)", 2, "{4,5}", "{\"a,b\"}", "{1e3}");

        assertThat(database.value("SELECT id FROM t WHERE n = ?", "{4, 5}")).isEqualTo(2L);
        assertThat(database.value("SELECT s[?] FROM t WHERE id = 2", 1)).isEqualTo("a,b");
        assertThat(database.value("SELECT CAST(n || ? AS VARCHAR(20)) FROM t WHERE id = 2", "{6}"))
                .isEqualTo("{4,5,6}");
        assertThat(database.value("SELECT id FROM t WHERE ? = ANY (n)", 5)).isEqualTo(2L);
        assertThatThrownBy(() -> database.run("INSERT INTO t (id, n) VALUES (?, ?)", 3, "{x}"))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("can't be converted");
        assertThatThrownBy(() -> database.run("INSERT INTO t (id, n) VALUES (?, ?)", 3, new byte[] {1, 2}))
                .hasMessageContaining("no array of INTEGER");
        assertThatThrownBy(() -> database.run("INSERT INTO t (id, v) VALUES (?, ?)", 3, "{abcd}"))
                .hasMessageContaining("too long");
        assertThatThrownBy(() -> database.run("INSERT INTO t (id, v) VALUES (3, ARRAY['abcd'])"))
                .hasMessageContaining("too long");
        assertThatThrownBy(() -> database.run("INSERT INTO t (id, j) VALUES (3, '{\"{\"}')"))
                .hasMessageContaining("type json");
        assertThatThrownBy(() -> database.run("INSERT INTO t (id, n) VALUES (3, NULL)"))
                .hasMessageContaining("does not allow NULLs");
    }

    @Test
    void shouldRefuseToStoreAStringThatIsTooLongForTheElementsOfAColumn() {
        for (String longer : new String[] {"v || 'abcd'::text", "ARRAY_APPEND(v, 'abcd')", "v || ARRAY['abcd']"}) {
            assertThatThrownBy(() -> database.run("UPDATE t SET v = " + longer))
                    .as(longer)
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("too long");
        }
        database.run("UPDATE t SET v = v || 'xyz'::text");

        assertThat(database.value("SELECT CAST(v AS VARCHAR(20)) FROM t")).isEqualTo("{abc,xyz}");
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '^', delimiter = ';', textBlock = """
            w ; 01 80 00                          ; no array
            w ; 01 8101 0000 01 82 0000           ; no DECIMAL
            w ; 01 8200ff05 0000                  ; no DECIMAL
            w ; 01 8900ff0102030405060708 0000    ; no DECIMAL
            w ; 01 893635c9adc5dea000ff00ff 0000   ; no DECIMAL
            v ; 01 61626364 0000                  ; too long
            s ; 01 c3 0000                        ; not UTF-8
            d ; 01 8de0b6b3a7640000               ; out of range
            j ; 01 7b 0000                        ; type json
            """)
    void shouldRefuseBytesWithElementsThatTheTypeDoesNotHave(String column, String hex, String message) {
        try (TestDatabase wide = new TestDatabase("""
                CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, s TEXT[], v VARCHAR(3)[], d NUMERIC(10,2)[], j JSON[],
                    w NUMERIC(20,2)[]);
                """)) {
            byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));

            assertThatThrownBy(() -> wide.run("INSERT INTO t (id, " + column + ") VALUES (1, ?)", bytes))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining(message);
        }
    }

    @Test
    void shouldTakeTheBytesOfAnArrayOfLongNumbers() {
        try (TestDatabase wide =
                new TestDatabase("CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, w NUMERIC(20,2)[]);")) {
            wide.run(
                    "INSERT INTO t VALUES (1, ?)", HexFormat.of().parseHex("018101" + "0000" + "02" + "0180" + "0000"));

            assertThat(wide.value("SELECT CAST(w AS VARCHAR) FROM t")).isEqualTo("{0.01,NULL,0.00}");
        }
    }

    @Test
    void shouldUnnestArrays() {
        database.run("INSERT INTO t (id, n) VALUES (2, '{20,NULL}'), (3, '{}')");

        assertThat(database.value("SELECT SUM(x) FROM UNNEST(ARRAY[1, 2, 3]) AS u (x)"))
                .isEqualTo(6L);
        assertThat(database.value("SELECT COUNT(*) FROM UNNEST('{a,b}'::text[])"))
                .isEqualTo(2L);
        assertThat(database.value("SELECT MAX(x * o) FROM UNNEST(ARRAY[5, 7]) WITH ORDINALITY AS u (x, o)"))
                .isEqualTo(14L);
        assertThat(database.value("SELECT SUM(e) FROM t, UNNEST(n) AS e WHERE id < 3"))
                .isEqualTo(26L);
        assertThat(database.value("SELECT COUNT(*) FROM t CROSS JOIN LATERAL UNNEST(t.n) AS u (e)"))
                .isEqualTo(6L);
        assertThat(database.value("SELECT SUM(unnest) FROM (SELECT unnest(n) FROM t WHERE id = 1) AS q"))
                .isEqualTo(6L);
        assertThat(database.value("SELECT id FROM t WHERE 20 IN (SELECT * FROM UNNEST(n))"))
                .isEqualTo(2L);
    }

    /** Read from the first element for each of its elements, an array would be copied this many times. */
    @Test
    void shouldReadAnArrayOnceForAllOfItsElements() {
        long limit = 100L << 20;
        database.run("INSERT INTO t (id, n) VALUES (2, ?)", numbers(MANY));
        long sum = MANY * (MANY + 1L) / 2;
        String[] queries = {
            "SELECT SUM(x) FROM t, UNNEST(n) AS u (x) WHERE id = 2",
            "SELECT SUM(o) FROM t, UNNEST(n) WITH ORDINALITY AS u (x, o) WHERE id = 2",
            "SELECT SUM(unnest) FROM (SELECT unnest(n) FROM t WHERE id = 2) AS q"
        };
        for (String sql : queries) {
            database.value("SELECT SUM(x) FROM t, UNNEST(n) AS u (x) WHERE id = 1");
            database.statement(sql);

            long allocated = allocatedBy(() -> assertThat(database.value(sql)).isEqualTo(sum));

            assertThat(allocated).as(sql).isLessThan(limit);
        }
    }

    /** The scratch space would not suffice for an array of each element. */
    @Test
    void shouldComputeAnArrayOnceForAllOfItsElements() {
        database.run("INSERT INTO t (id, n) VALUES (2, ?)", numbers(MANY));

        assertThat(database.value("SELECT SUM(x) FROM t, UNNEST(n || 1) AS u (x) WHERE id = 2"))
                .isEqualTo(MANY * (MANY + 1L) / 2 + 1);
        assertThat(database.value("SELECT SUM(unnest) FROM (SELECT unnest(n || 1) FROM t WHERE id = 2) AS q"))
                .isEqualTo(MANY * (MANY + 1L) / 2 + 1);
    }

    /** With a copy of all elements before it for each element, the scratch space would grow with the square of their number. */
    @Test
    void shouldWriteTheElementsOfAnArrayOnce() {
        int elements = 100;
        String sql = "SELECT CARDINALITY(ARRAY["
                + String.join(", ", Collections.nCopies(elements, "REPEAT(s[1], 10000)"))
                + "]) FROM t";
        database.statement(sql);
        long before = database.store.scratch(0);

        assertThat(database.value(sql)).isEqualTo((long) elements);

        assertThat(database.store.scratch(0) - before).isLessThan(4L << 20);
    }

    @ParameterizedTest
    @CsvSource({
        "'REPEAT(s[1], 524287), REPEAT(s[1], 524283)', a string of 1048576 bytes is longer than the longest possible",
        "'REPEAT(s[1], 1048575), s[1]', an array of 1048578 bytes is too long"
    })
    void shouldRefuseAnArrayThatIsTooLong(String elements, String message) {
        assertThatThrownBy(() -> database.value("SELECT CARDINALITY(ARRAY[" + elements + "]) FROM t"))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"n", "big", "s", "v", "d", "f", "at", "u", "j", "NULL::int[]", "n || NULL::int", "'{}'::text[]"})
    void shouldUnnestWhatSubscriptsGive(String array) {
        String elements = "SELECT MIN(CAST(x AS VARCHAR(50))) || '/' || COUNT(x) || '/' || COUNT(*) FROM t, ";

        Object unnested = database.value(elements + "UNNEST(" + array + ") AS u (x)");

        assertThat(unnested)
                .isEqualTo(database.value(elements + "LATERAL (SELECT (" + array
                        + ")[i] FROM GENERATE_SERIES(1, CARDINALITY(" + array + ")) AS g (i)) AS u (x)"));
    }

    @Test
    void shouldEndJoiningElementsAtTheLongestString() {
        database.run("INSERT INTO t (id, n) VALUES (2, ?)", numbers(MANY));
        String sql = "SELECT ARRAY_TO_STRING(n, REPEAT('-', 10000)) FROM t WHERE id = 2";
        database.statement(sql);

        long allocated = allocatedBy(() -> assertThatThrownBy(() -> database.value(sql))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("longer than the longest possible"));

        assertThat(allocated).isLessThan(20L << 20);
    }

    @Test
    void shouldLookAtTheTimeLimitWhileItJoinsElements() {
        database.run("INSERT INTO t (id, n) VALUES (2, ?)", numbers(MANY));
        AtomicInteger looks = new AtomicInteger();
        LoopGuard.mark(Thread.currentThread(), () -> looks.incrementAndGet() < 0);
        try {
            database.value("SELECT CHAR_LENGTH(ARRAY_TO_STRING(n, ',')) FROM t WHERE id = 2");
        } finally {
            LoopGuard.clear(Thread.currentThread());
        }

        assertThat(looks.get()).isGreaterThan(MANY);
    }

    private static String numbers(int last) {
        return IntStream.rangeClosed(1, last).mapToObj(Integer::toString).collect(Collectors.joining(",", "{", "}"));
    }

    /** The bytes of Java heap that some work takes. */
    private static long allocatedBy(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
