package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.deploy.Arguments.Kind;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Text;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ProcedureSignatureTest {
    private static final ProcedureSignature PAY = new ProcedureSignature(
            "PAY",
            List.of("account", "cents", "note"),
            List.of(ParameterType.INT, ParameterType.LONG, ParameterType.STRING),
            ResultType.VOID);

    @Test
    void shouldReadNamesAndTypes() {
        ProcedureSignature signature = ProcedureSignature.of("GOOD", Good.class);

        assertThat(signature)
                .isEqualTo(new ProcedureSignature(
                        "GOOD",
                        List.of("id", "name", "amounts"),
                        List.of(ParameterType.LONG, ParameterType.TEXT, ParameterType.LONG_ARRAY),
                        ResultType.BOOLEAN));
    }

    @Test
    void shouldSayWhyAClassIsNoProcedure() {
        assertRefused(String.class, "it does not extend io.reprise.procedure.Procedure");
        assertRefused(Abstract.class, "it is abstract; name a class that can be instantiated");
        assertRefused(NotPublic.class, "it is not public");
        assertRefused(Inner.class, "it is an inner class; declare it static, or in a file of its own");
        assertRefused(HiddenConstructor.class, "its constructor without parameters is not public");
        assertRefused(NoConstructor.class, "it has no constructor without parameters");
        assertRefused(NoRun.class, "it has no method run; declare one public method run");
        assertRefused(HiddenRun.class, "its method run is not public");
        assertRefused(TwoRuns.class, "it has 2 public methods run; a procedure has exactly one, rename the others");
        assertRefused(StaticRun.class, "its method run is static; a procedure's is not");
        assertRefused(
                BadParameter.class,
                "parameter when of run has type java.util.Date; a parameter can be boolean, byte, short, int, long, double,"
                        + " their wrappers, String, Text, BigDecimal, byte[], int[], long[], double[] or String[]");
        assertRefused(
                BadResult.class,
                "run returns java.lang.Long; it can return void, long, int, boolean, double, String, Rows or ResultTable");
    }

    @Test
    void shouldConvertArgumentsWithoutLoss() {
        assertThat(converted(ParameterType.DOUBLE, 5).boxed(0)).isEqualTo(5.0);
        assertThat(converted(ParameterType.DECIMAL, 5).boxed(0)).isEqualTo(BigDecimal.valueOf(5));
        assertThat(converted(ParameterType.TEXT, "abc").boxed(0)).hasToString("abc");
        assertThat(converted(ParameterType.STRING, Text.of("abc")).boxed(0)).isEqualTo("abc");
        assertThat(converted(ParameterType.BYTE, (short) -128).boxed(0)).isEqualTo(-128L);
        assertThat(converted(ParameterType.NULLABLE_INT, new Object[] {null}).kind(0))
                .isEqualTo(Kind.NULL);
    }

    @Test
    void shouldNameTheParameterThatDoesNotFit() {
        assertMismatch(
                ParameterType.INT,
                1L << 31,
                "an integer from -2147483648 to 2147483647, but got the integer 2147483648");
        assertMismatch(ParameterType.BYTE, 128, "an integer from -128 to 127, but got the integer 128");
        assertMismatch(ParameterType.SHORT, -32769, "an integer from -32768 to 32767, but got the integer -32769");
        assertMismatch(ParameterType.LONG, 1.0, "an integer, but got the double 1.0");
        assertMismatch(ParameterType.LONG, "1", "an integer, but got the string '1'");
        assertMismatch(ParameterType.LONG, null, "an integer, but got null");
        assertMismatch(ParameterType.NULLABLE_LONG, true, "an integer or null, but got the boolean true");
        assertMismatch(ParameterType.BOOLEAN, 1, "a boolean, but got the integer 1");
        assertMismatch(ParameterType.DOUBLE, (1L << 53) + 1, "a number, but got the integer 9007199254740993");
        assertMismatch(ParameterType.DOUBLE, "x", "a number, but got the string 'x'");
        assertMismatch(ParameterType.STRING, 5, "a string or null, but got the integer 5");
        assertMismatch(ParameterType.TEXT, new byte[3], "a string or null, but got a byte array of length 3");
        assertMismatch(ParameterType.DECIMAL, 0.5, "a decimal number or null, but got the double 0.5");
        assertMismatch(
                ParameterType.BYTES,
                "x".repeat(50),
                "a byte array or null, but got the string '" + "x".repeat(40) + "...'");
        assertMismatch(
                ParameterType.INT_ARRAY, new long[] {1L << 40}, "an array of int or null, but got an array of long");
        assertMismatch(ParameterType.LONG_ARRAY, BigDecimal.TEN, "an array of long or null, but got the decimal 10");
        assertMismatch(
                ParameterType.STRING_ARRAY,
                new String[] {"a", null},
                "an array of String or null, but got an array of String with a null element");
    }

    @Test
    void shouldSayHowManyArgumentsAProcedureTakes() {
        assertThatThrownBy(() -> PAY.check(Arguments.of(1, 2)))
                .hasMessage("procedure PAY takes 3 arguments (int account, long cents, String note), but 2 were given")
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThatThrownBy(() -> signature(ParameterType.LONG).check(Arguments.of()))
                .hasMessage("procedure P takes 1 argument (long p), but 0 were given");
        assertThatThrownBy(
                        () -> new ProcedureSignature("P", List.of(), List.of(), ResultType.VOID).check(Arguments.of(1)))
                .hasMessage("procedure P takes 0 arguments (), but 1 was given");
    }

    @Test
    void shouldNameThePlaceOfTheParameter() {
        assertThatThrownBy(() -> PAY.check(Arguments.of(1, "x", "y")))
                .hasMessage("parameter cents (2 of 3) of procedure PAY takes an integer, but got the string 'x'");
    }

    @Test
    void shouldRefuseValuesThatNoProcedureTakes() {
        assertThatThrownBy(() -> Arguments.of(1, java.time.Duration.ZERO))
                .hasMessage(
                        "argument 2 is a java.time.Duration, which a procedure can't take; pass a boolean, an integer, a"
                                + " double, a String, a Text, a BigDecimal, an Instant, a LocalDate, a LocalTime, a byte[], or an array of"
                                + " int, long, double or String");
    }

    @Test
    void shouldForgetArgumentsWhenCleared() {
        Arguments arguments = new Arguments();
        for (int i = 0; i < 100; i++) {
            arguments.add(i).add("s" + i).addNull().add(i / 2.0).add(i % 2 == 0);
        }

        arguments.clear().add(5L).add(2.5);

        assertThat(arguments.count()).isEqualTo(2);
        assertThat(arguments.word(0)).isEqualTo(5);
        assertThat(arguments.doubleAt(1)).isEqualTo(2.5);
        assertThat(arguments.reference(0)).isNull();
        assertThat(arguments.reference(1)).isNull();
    }

    private static Arguments converted(ParameterType type, Object... value) {
        Arguments arguments = Arguments.of(value);
        signature(type).check(arguments);
        return arguments;
    }

    private static void assertMismatch(ParameterType type, Object value, String problem) {
        assertThatThrownBy(() ->
                        signature(type).check(Arguments.of(value == null ? new Object[] {null} : new Object[] {value})))
                .hasMessage("parameter p (1 of 1) of procedure P takes " + problem)
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(ErrorCode.INVALID_VALUE);
    }

    private static ProcedureSignature signature(ParameterType type) {
        return new ProcedureSignature("P", List.of("p"), List.of(type), ResultType.VOID);
    }

    private static void assertRefused(Class<?> type, String why) {
        assertThatThrownBy(() -> ProcedureSignature.of("P", type))
                .hasMessage("class " + type.getName() + " is not a procedure: " + why)
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    /** Fine. */
    public static final class Good extends Procedure {
        public boolean run(long id, Text name, long[] amounts) {
            return id > 0 && name != null && amounts != null;
        }
    }

    /** Refused. */
    public abstract static class Abstract extends Procedure {
        public void run() {}
    }

    static final class NotPublic extends Procedure {
        public void run() {}
    }

    /** Refused. */
    @SuppressWarnings("ClassCanBeStatic") // It is refused because it isn't.
    public final class Inner extends Procedure {
        public void run() {}
    }

    /** Refused. */
    public static final class HiddenConstructor extends Procedure {
        HiddenConstructor() {}

        public void run() {}
    }

    /** Refused. */
    public static final class NoConstructor extends Procedure {
        public NoConstructor(int size) {
            assert size > 0;
        }

        public void run() {}
    }

    /** Refused. */
    public static final class NoRun extends Procedure {}

    /** Refused. */
    public static final class HiddenRun extends Procedure {
        void run() {}
    }

    /** Refused. */
    public static final class TwoRuns extends Procedure {
        public void run(int a) {
            assert a > 0;
        }

        public void run(long a) {
            assert a > 0;
        }
    }

    /** Refused. */
    public static final class StaticRun extends Procedure {
        public static void run() {}
    }

    /** Refused. */
    public static final class BadParameter extends Procedure {
        @SuppressWarnings("JavaUtilDate") // It is refused because of it.
        public void run(java.util.Date when) {
            assert when != null;
        }
    }

    /** Refused. */
    public static final class BadResult extends Procedure {
        public Long run() {
            return 1L;
        }
    }
}
