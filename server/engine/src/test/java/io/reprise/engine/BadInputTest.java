package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages for input that the engine can't take, word for word: the event, its place and the remedy. */
@Timeout(300)
class BadInputTest {
    private static final String DDL = """
            CREATE TABLE item (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(8), raw VARBINARY(4), price DECIMAL(6,2),
              small TINYINT, sold TIMESTAMP);
            PARTITION TABLE item ON COLUMN id;
            CREATE TABLE grade (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(8) NOT NULL UNIQUE);
            CREATE PROCEDURE Put PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.BadInputTest$Put;
            CREATE PROCEDURE Many PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.BadInputTest$Many;
            CREATE PROCEDURE Forget PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.BadInputTest$Forget;
            CREATE PROCEDURE Stray PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.BadInputTest$Stray;
            CREATE PROCEDURE Loop PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.BadInputTest$Loop;
            CREATE PROCEDURE Mute PARTITION ON TABLE item COLUMN id FROM CLASS io.reprise.engine.BadInputTest$Mute;
            CREATE PROCEDURE Grade AS INSERT INTO grade VALUES (?, ?);
            """;

    private static final String TYPES =
            "pass a boolean, an integer, a double, a String, a Text, a BigDecimal, an Instant, a LocalDate, a LocalTime, a byte[], or"
                    + " an array of int, long, double or String";

    private static final Reprise ENGINE = options().open();

    /** For what comes to no end; on a busy machine what is in order may take longer than its limit, too. */
    private static final Reprise HASTY =
            Unhurried.call(() -> options().timeLimit(Duration.ofMillis(200)).open());

    private static Options options() {
        return Options.create().partitions(2).memoryPerPartition(64 << 20).ddl(DDL);
    }

    @AfterAll
    static void close() {
        ENGINE.close();
        HASTY.close();
    }

    /** Inserts a row. */
    public static final class Put extends Procedure {
        private final Statement insert = sql("INSERT INTO item (id, name, price, small) VALUES (?, ?, ?, ?)");

        /** Inserts it. */
        public void run(long id, String name, BigDecimal price, byte small) {
            insert.set(0, id).set(1, name).set(2, price).set(3, small).update();
        }
    }

    /** Takes arrays and wrappers. */
    public static final class Many extends Procedure {
        /** Does nothing. */
        public long run(int id, long[] values, Integer perhaps, String[] texts, boolean flag, double number) {
            return values.length;
        }
    }

    /** Forgets a parameter, or sets one that there is not. */
    public static final class Forget extends Procedure {
        private final Statement read = sql("SELECT name FROM item WHERE id = ? AND small = ?");

        /** Sets the parameter with this number only. */
        public long run(long id, int parameter) {
            read.set(parameter, id).first();
            return id;
        }
    }

    /** Leaves its bucket. */
    public static final class Stray extends Procedure {
        private final Statement read = sql("SELECT name FROM item WHERE id = ?");

        /** Reads another row than that by which it is routed. */
        public long run(long id, long other) {
            read.set(0, other).first();
            return id;
        }
    }

    /** Never ends. */
    public static final class Loop extends Procedure {
        /** Loops. */
        public long run(long id) {
            long n = id;
            while (n >= 0) {
                n = (n * 31 + 1) & 0xFFFF;
            }
            return n;
        }
    }

    /** Throws what can't say why, in one way or another. */
    public static final class Mute extends Procedure {
        private final Statement add = sql("UPSERT INTO item (id, name) VALUES (?, 'mute')");

        /** Cannot be told. */
        static final class Untold extends RuntimeException {
            private static final long serialVersionUID = 1L;
            private final boolean endless;

            Untold(boolean endless) {
                this.endless = endless;
            }

            @Override
            public String getMessage() {
                for (long n = 1; endless; n++) {
                    if (n == 0) {
                        break;
                    }
                }
                throw new IllegalStateException("no message");
            }
        }

        /** Fails after a write. */
        public void run(long id, int how) {
            add.set(0, id).update();
            if (how == 2) {
                throw new ProcedureException(null, "no code");
            }
            throw new Untold(how == 1);
        }
    }

    /** Never made. */
    public static final class LoopingConstructor extends Procedure {
        private final long n;

        /** Loops. */
        public LoopingConstructor() {
            long last = 1;
            while (last >= 0) {
                last = (last * 31 + 1) & 0xFFFF;
            }
            n = last;
        }

        /** Returns what was never found. */
        public long run() {
            return n;
        }
    }

    /** Never loaded. */
    public static final class LoopingInitialiser extends Procedure {
        private static final long N = loop();

        private static long loop() {
            long last = 1;
            while (last >= 0) {
                try {
                    last = (last * 31 + 1) & 0xFFFF;
                } catch (RuntimeException e) {
                    last = 1;
                }
            }
            return last;
        }

        /** Returns what was never found. */
        public long run() {
            return N;
        }
    }

    /** Can't be repeated. */
    public static final class Chance extends Procedure {
        private static long calls;

        /** Asks clock and chance, and counts. */
        public long run() {
            calls++;
            return System.nanoTime() + ThreadLocalRandom.current().nextLong() + calls;
        }
    }

    /** Declares what is no SQL. */
    public static final class WrongSql extends Procedure {
        private final Statement read = sql("SELECT nme FROM item WHERE id = ?");

        /** Reads. */
        public long run(long id) {
            return read.set(0, id).query().count();
        }
    }

    /** Writes what it finds first. */
    public static final class WritesAny extends Procedure {
        private final Statement any = sql("SELECT name FROM grade LIMIT 1");
        private final Statement write = sql("UPDATE item SET name = ? WHERE id = ?");

        /** Writes. */
        public long run(long id) {
            return write.set(0, any.query().stringAt(0)).set(1, id).update();
        }
    }

    /** The same; its statement's first word does not show that it writes. */
    public static final class WritesAnyUnseen extends Procedure {
        private final Statement any = sql("SELECT name FROM grade LIMIT 1");
        private final Statement write = sql("-- a note\nUPDATE item SET name = ? WHERE id = ?");

        /** Writes. */
        public long run(long id) {
            return write.set(0, any.query().stringAt(0)).set(1, id).update();
        }
    }

    /** Has no run. */
    public static final class NoRun extends Procedure {}

    /** Takes what no procedure takes. */
    public static final class WrongParameter extends Procedure {
        /** Takes an object. */
        public boolean run(Object what) {
            return what == null;
        }
    }

    /** Is made with an argument. */
    public static final class WrongConstructor extends Procedure {
        private final int n;

        /** Takes it. */
        public WrongConstructor(int n) {
            this.n = n;
        }

        /** Returns it. */
        public int run() {
            return n;
        }
    }

    /** Throws when it is made. */
    public static final class Throwing extends Procedure {
        private final Statement read = sql("SELECT name FROM item WHERE id = ?");

        /** Runs a statement too early. */
        public Throwing() {
            read.set(0, 1).query();
        }

        /** Does nothing. */
        public void run() {}
    }

    private static Arguments call(ErrorCode code, String message, String procedure, Object... values) {
        return arguments(code, message, (Runnable) () -> ENGINE.call(procedure, values));
    }

    private static Arguments endless(String message, Consumer<Reprise> action) {
        return arguments(ErrorCode.TIME_LIMIT, message, (Runnable) () -> action.accept(HASTY));
    }

    private static Arguments sql(ErrorCode code, String message, String text, Object... values) {
        return arguments(code, message, (Runnable) () -> ENGINE.sql(text, values));
    }

    private static Arguments deploy(ErrorCode code, String message, String type) {
        return arguments(code, message, (Runnable) () -> ENGINE.ddl(deploying(type)));
    }

    private static String deploying(String type) {
        return "CREATE PROCEDURE FROM CLASS io.reprise.engine.BadInputTest$" + type;
    }

    private static Arguments ddl(String message, String script) {
        return arguments(ErrorCode.INVALID_REQUEST, message, (Runnable) () -> ENGINE.ddl(script));
    }

    static Stream<Arguments> calls() {
        BigDecimal price = new BigDecimal("1.50");
        long[] longs = {1};
        String[] texts = {"a"};
        return Stream.of(
                call(
                        ErrorCode.INVALID_REQUEST,
                        "there is no procedure Pt; deployed are FORGET, GRADE, LOOP, MANY, MUTE," + " PUT, STRAY",
                        "Pt",
                        1L),
                call(
                        ErrorCode.INVALID_REQUEST,
                        "procedure PUT takes 4 arguments (long id, String name, BigDecimal price,"
                                + " byte small), but 0 were given",
                        "Put"),
                call(
                        ErrorCode.INVALID_REQUEST,
                        "procedure PUT takes 4 arguments (long id, String name, BigDecimal price,"
                                + " byte small), but 5 were given",
                        "Put",
                        1L,
                        "a",
                        price,
                        1,
                        2),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter id (1 of 4) of procedure PUT takes an integer, but got the" + " string '1'",
                        "Put",
                        "1",
                        "a",
                        price,
                        1),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter id (1 of 4) of procedure PUT takes an integer, but got the" + " double 1.5",
                        "Put",
                        1.5,
                        "a",
                        price,
                        1),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter id (1 of 4) of procedure PUT takes an integer, but got null",
                        "Put",
                        null,
                        "a",
                        price,
                        1),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter name (2 of 4) of procedure PUT takes a string or null, but got" + " the integer 7",
                        "Put",
                        1L,
                        7,
                        price,
                        1),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter price (3 of 4) of procedure PUT takes a decimal number or null,"
                                + " but got the double 1.5",
                        "Put",
                        1L,
                        "a",
                        1.5,
                        1),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter small (4 of 4) of procedure PUT takes an integer from -128 to"
                                + " 127, but got the integer 200",
                        "Put",
                        1L,
                        "a",
                        price,
                        200),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter id (1 of 6) of procedure MANY takes an integer from -2147483648"
                                + " to 2147483647, but got the integer 1099511627776",
                        "Many",
                        1L << 40,
                        longs,
                        1,
                        texts,
                        true,
                        1.0),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter values (2 of 6) of procedure MANY takes an array of long or"
                                + " null, but got an array of String",
                        "Many",
                        1,
                        texts,
                        1,
                        texts,
                        true,
                        1.0),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter perhaps (3 of 6) of procedure MANY takes an integer from"
                                + " -2147483648 to 2147483647 or null, but got the string 'x'",
                        "Many",
                        1,
                        longs,
                        "x",
                        texts,
                        true,
                        1.0),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter flag (5 of 6) of procedure MANY takes a boolean, but got the" + " integer 1",
                        "Many",
                        1,
                        longs,
                        null,
                        texts,
                        1,
                        1.0),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter number (6 of 6) of procedure MANY takes a number, but got the" + " string '1'",
                        "Many",
                        1,
                        longs,
                        null,
                        texts,
                        true,
                        "1"),
                call(
                        ErrorCode.INVALID_VALUE,
                        "argument 4 is a java.lang.Object, which a procedure can't take; " + TYPES,
                        "Many",
                        1,
                        longs,
                        null,
                        new Object(),
                        true,
                        1.0),
                call(
                        ErrorCode.VALUE_TOO_LONG,
                        "a string of 13 characters does not fit ITEM.NAME VARCHAR(8): 'much too" + " long'",
                        "Put",
                        1L,
                        "much too long",
                        price,
                        1),
                call(
                        ErrorCode.NUMERIC_OVERFLOW,
                        "parameter 3 of 4: 12345.00 is out of range for DECIMAL(6,2): INSERT INTO item"
                                + " (id, name, price, small) VALUES (?, ?, ?, ?)",
                        "Put",
                        1L,
                        "a",
                        new BigDecimal("12345.00"),
                        1),
                call(
                        ErrorCode.INVALID_VALUE,
                        "parameter 2 of 2 is not set in this transaction: SELECT name FROM item WHERE id"
                                + " = ? AND small = ?",
                        "Forget",
                        1L,
                        0),
                call(
                        ErrorCode.INVALID_VALUE,
                        "there is no parameter with the index 2: the statement has 2, with indexes from 0:"
                                + " SELECT name FROM item WHERE id = ? AND small = ?",
                        "Forget",
                        1L,
                        2),
                call(
                        ErrorCode.SCOPE_VIOLATION,
                        "The statement touches a row of bucket 241, but the transaction was routed"
                                + " to bucket 632 by its partitioning parameter. Use that parameter in the"
                                + " statement, or declare the procedure for all partitions.",
                        "Stray",
                        1L,
                        2L),
                endless(
                        "procedure LOOP ran longer than the transaction time limit; its transaction"
                                + " was rolled back",
                        engine -> engine.call("Loop", 1L)),
                call(
                        ErrorCode.PROCEDURE_FAILURE,
                        "procedure MUTE threw io.reprise.engine.BadInputTest$Mute$Untold, which can't tell why: asked for its"
                                + " message it threw java.lang.IllegalStateException",
                        "Mute",
                        1L,
                        0),
                endless(
                        "procedure MUTE ran longer than the transaction time limit; its transaction was rolled back",
                        engine -> engine.call("Mute", 1L, 1)),
                call(
                        ErrorCode.INVALID_REQUEST,
                        "the statement has 2 parameters [INTEGER, VARCHAR(1048575)], but 1 value"
                                + " was given: INSERT INTO grade VALUES (?, ?)",
                        "Grade",
                        1));
    }

    static Stream<Arguments> statements() {
        return Stream.of(
                sql(
                        ErrorCode.INVALID_REQUEST,
                        "syntax error: expected SELECT, WITH, VALUES, INSERT, UPSERT, UPDATE,"
                                + " DELETE, TRUNCATE or EXPLAIN at line 1, column 1",
                        "SELEC name FROM item"),
                sql(
                        ErrorCode.INVALID_REQUEST,
                        "there is no statement in the text: expected SELECT, WITH, VALUES, INSERT,"
                                + " UPSERT, UPDATE, DELETE, TRUNCATE or EXPLAIN at line 1, column 1",
                        ""),
                sql(
                        ErrorCode.INVALID_REQUEST,
                        "Column 'NME' not found in any table at line 1, column 8",
                        "SELECT nme FROM item"),
                sql(
                        ErrorCode.INVALID_REQUEST,
                        "there is no table ITEMS; did you mean ITEM? at line 1, column 18",
                        "SELECT name FROM items"),
                sql(
                        ErrorCode.INVALID_REQUEST,
                        "CREATE defines the schema: it cannot be run as a statement within a"
                                + " transaction at line 1, column 1",
                        "CREATE TABLE t (a INTEGER)"),
                sql(
                        ErrorCode.INVALID_REQUEST,
                        "the statement has 1 parameter [BIGINT], but 0 values were given: SELECT"
                                + " name FROM item WHERE id = ?",
                        "SELECT name FROM item WHERE id = ?"),
                sql(
                        ErrorCode.INVALID_REQUEST,
                        "the statement has 1 parameter [BIGINT], but 2 values were given: SELECT"
                                + " name FROM item WHERE id = ?",
                        "SELECT name FROM item WHERE id = ?",
                        1,
                        2),
                sql(
                        ErrorCode.INVALID_VALUE,
                        "parameter 1 of 1 is BIGINT and can't be set to a string: SELECT name FROM item"
                                + " WHERE id = ?",
                        "SELECT name FROM item WHERE id = ?",
                        "x"),
                sql(
                        ErrorCode.INVALID_VALUE,
                        "argument 1 is a java.lang.Object, which a procedure can't take; " + TYPES,
                        "SELECT name FROM item WHERE id = ?",
                        new Object()),
                sql(
                        ErrorCode.VALUE_TOO_LONG,
                        "a string of 13 characters does not fit ITEM.NAME VARCHAR(8): 'much too" + " long'",
                        "INSERT INTO item (id, name) VALUES (?, ?)",
                        1,
                        "much too long"),
                sql(
                        ErrorCode.VALUE_TOO_LONG,
                        "a binary value of 5 bytes does not fit ITEM.RAW VARBINARY(4)",
                        "INSERT INTO item (id, raw) VALUES (?, ?)",
                        1,
                        new byte[5]),
                sql(
                        ErrorCode.NUMERIC_OVERFLOW,
                        "200 is out of range for ITEM.SMALL TINYINT",
                        "INSERT INTO item (id, small) VALUES (1, 100 + 100)"),
                sql(
                        ErrorCode.NUMERIC_OVERFLOW,
                        "200 is out of range for parameter 2 of 2, of type TINYINT: INSERT INTO item (id,"
                                + " small) VALUES (?, ?)",
                        "INSERT INTO item (id, small) VALUES (?, ?)",
                        1,
                        200),
                sql(
                        ErrorCode.INVALID_REQUEST,
                        "Column 'NAME' has no default value and does not allow NULLs at line 1," + " column 19",
                        "INSERT INTO grade VALUES (1, NULL)"),
                sql(
                        ErrorCode.CONSTRAINT_VIOLATION,
                        "Table GRADE already has a row with (ID) = (1), which its primary key" + " GRADE_PK forbids",
                        "INSERT INTO grade VALUES (1, 'a'), (1, 'b')"),
                sql(
                        ErrorCode.CONSTRAINT_VIOLATION,
                        "Table GRADE already has a row with (NAME) = ('a'), which unique index"
                                + " GRADE_NAME_UNIQUE forbids",
                        "INSERT INTO grade VALUES (1, 'a'), (2, 'a')"));
    }

    static Stream<Arguments> schemas() {
        return Stream.of(
                ddl("line 1, column 19: unknown type 'INTEGR'; did you mean INTEGER?", "CREATE TABLE t (a INTEGR)"),
                ddl(
                        "line 1, column 14: table ITEM exists already; DROP it first, or choose" + " another name",
                        "CREATE TABLE item (a INTEGER)"),
                ddl(
                        "line 1, column 26: expected NOT NULL, NULL, DEFAULT, PRIMARY KEY, UNIQUE, REFERENCES, CHECK,"
                                + " ',' or ')', but found the end of the statement",
                        "CREATE TABLE t (a INTEGER"),
                ddl(
                        "line 1, column 1: a script for the schema has DDL statements only, but"
                                + " this is a DML; run it as a statement",
                        "INSERT INTO grade VALUES (1, 'a')"),
                ddl(
                        "line 1, column 32: table ITEM has no column NME; did you mean NAME?",
                        "PARTITION TABLE item ON COLUMN nme"),
                ddl(
                        "procedure P can't be deployed: there is no class com.example.Nowhere",
                        "CREATE PROCEDURE P FROM CLASS com.example.Nowhere"),
                ddl(
                        "procedure P can't be deployed: Column 'NME' not found in any table at line"
                                + " 1, column 8, in: SELECT nme FROM item",
                        "CREATE PROCEDURE P AS SELECT nme FROM item"));
    }

    static Stream<Arguments> classes() {
        return Stream.of(
                deploy(
                        ErrorCode.INVALID_REQUEST,
                        "procedure WrongSql can't be deployed: Column 'NME' not found in any table"
                                + " at line 1, column 8, in: SELECT nme FROM item WHERE id = ?",
                        "WrongSql"),
                deploy(
                        ErrorCode.INVALID_REQUEST,
                        "procedure WritesAny can't be deployed: what this query finds, and so what its procedure"
                                + " writes, would depend on the order in which rows happen to be stored: LIMIT or OFFSET"
                                + " chooses among them by no total order; add GRADE.ID to ORDER BY at line 1, column 30,"
                                + " in: SELECT name FROM grade LIMIT 1",
                        "WritesAny"),
                deploy(
                        ErrorCode.INVALID_REQUEST,
                        "procedure WritesAnyUnseen can't be deployed: what this query finds, and so what its procedure"
                                + " writes, would depend on the order in which rows happen to be stored: LIMIT or OFFSET"
                                + " chooses among them by no total order; add GRADE.ID to ORDER BY at line 1, column 30,"
                                + " in: SELECT name FROM grade LIMIT 1",
                        "WritesAnyUnseen"),
                deploy(
                        ErrorCode.INVALID_REQUEST,
                        "class io.reprise.engine.BadInputTest$NoRun is not a procedure: it has no"
                                + " method run; declare one public method run",
                        "NoRun"),
                deploy(
                        ErrorCode.INVALID_REQUEST,
                        "class io.reprise.engine.BadInputTest$WrongParameter is not a procedure: parameter what of run has type"
                                + " java.lang.Object; a parameter can be boolean, byte, short, int, long, double, their"
                                + " wrappers, String, Text, BigDecimal, byte[], int[], long[], double[] or String[]",
                        "WrongParameter"),
                deploy(
                        ErrorCode.INVALID_REQUEST,
                        "class io.reprise.engine.BadInputTest$WrongConstructor is not a procedure: it"
                                + " has no constructor without parameters",
                        "WrongConstructor"),
                deploy(
                        ErrorCode.INVALID_REQUEST,
                        "procedure Throwing can't be deployed: its constructor called"
                                + " Statement.set, outside of any transaction; call it in run",
                        "Throwing"),
                endless(
                        "procedure LoopingConstructor can't be deployed: making an instance of"
                                + " class io.reprise.engine.BadInputTest$LoopingConstructor took longer than"
                                + " the transaction time limit; a constructor only declares statements and"
                                + " makes what run uses again",
                        engine -> engine.ddl(deploying("LoopingConstructor"))),
                endless(
                        "procedure LoopingInitialiser can't be deployed: making an instance of"
                                + " class io.reprise.engine.BadInputTest$LoopingInitialiser took longer than"
                                + " the transaction time limit; a constructor only declares statements and"
                                + " makes what run uses again",
                        engine -> engine.ddl(deploying("LoopingInitialiser"))));
    }

    @ParameterizedTest
    @MethodSource({"calls", "statements", "schemas", "classes"})
    void shouldSayWhatIsWrongWhenInputIsBad(ErrorCode code, String message, Runnable action) {
        assertThatThrownBy(action::run)
                .hasMessage(message)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void shouldRollBackWhenAnExceptionHasNoCode() {
        assertThatThrownBy(() -> ENGINE.call("Mute", 5L, 2))
                .hasMessageStartingWith("procedure MUTE threw java.lang.NullPointerException: code");
        assertThat(ENGINE.sql("SELECT name FROM item WHERE id = 5").rows().count())
                .isZero();
    }

    @Test
    void shouldListAllThatAReplayCouldNotRepeatWhenProcedureIsNotDeterministic() {
        String type = "io.reprise.engine.BadInputTest$Chance";

        assertThatThrownBy(() -> ENGINE.ddl("CREATE PROCEDURE FROM CLASS " + type))
                .extracting(e -> e.getMessage().replaceAll("java:[0-9]+", "java:LINE"))
                .isEqualTo("""
                        procedure Chance can't be deployed, because a replay could not be relied on to do the same again:
                          TYPE.calls (BadInputTest.java) is static and not final: all partitions' threads would share it, and a \
                        replay would find another value; make it final, or a field of the instance
                          TYPE.run (BadInputTest.java:LINE) writes the static field TYPE.calls: all partitions' threads would \
                        share it; make it a field of the instance
                          TYPE.run (BadInputTest.java:LINE) calls java.lang.System.nanoTime: a replay would read another time; \
                        use timestampMicros()
                          TYPE.run (BadInputTest.java:LINE) calls java.util.concurrent.ThreadLocalRandom.current: a replay would \
                        draw other numbers; use random()
                          TYPE.run (BadInputTest.java:LINE) calls java.util.concurrent.ThreadLocalRandom.nextLong: a replay would \
                        draw other numbers; use random()\
                        """.replace("TYPE", type));
    }

    @Test
    void shouldSayWhatToDoWhenMemoryIsFull() {
        try (Reprise engine =
                Options.create().memoryPerPartition(4 << 20).ddl(DDL).open()) {
            assertThatThrownBy(() -> {
                        for (long id = 0; ; id++) {
                            engine.sql("INSERT INTO item (id) VALUES (?)", id);
                        }
                    })
                    .hasMessageMatching(
                            "The memory limit of the partition is reached: table ITEM \\((rows|indexes)\\) needs more,"
                                    + " [0-9]+ of 4194304 bytes are in use\\. Delete rows \\(space of deleted rows is used again\\), drop"
                                    + " what is not needed, or raise the limit; reads and deletes still work\\.")
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
            assertThat(engine.sql("DELETE FROM item").longValue()).isGreaterThan(1000);
            assertThat(engine.sql("INSERT INTO item (id) VALUES (1)").longValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldLeaveTheSchemaUsableWhenAConstructorLoops() {
        assertThatThrownBy(() -> HASTY.ddl(
                        "CREATE PROCEDURE Endless FROM CLASS io.reprise.engine.BadInputTest$LoopingConstructor"))
                .hasMessageContaining("longer than the transaction time limit");

        HASTY.ddl("CREATE PROCEDURE NameOf AS SELECT name FROM grade WHERE id = ?");

        assertThat(Unhurried.call(() -> HASTY.call("NameOf", 77)).rows().count())
                .isZero();
        HASTY.ddl("DROP PROCEDURE NameOf");
    }

    @Test
    void shouldRefuseToOpenWhenAConstructorLoops() {
        Options options = Options.create()
                .memoryPerPartition(4 << 20)
                .timeLimit(Duration.ofMillis(100))
                .procedures(LoopingConstructor.class);

        assertThatThrownBy(options::open)
                .hasMessageStartingWith("procedure LoopingConstructor can't be deployed: making an instance of class ");
    }
}
