package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProcedureLoaderTest {
    private final Procedure[] instance = new Procedure[1];

    @Test
    void shouldPassEveryTypeOfParameter() {
        DeployedProcedure procedure = ProcedureLoader.load("ALL", AllTypes.class);
        Arguments arguments = Arguments.of(
                true,
                1,
                2,
                3,
                4L,
                5.5,
                false,
                -1,
                -2,
                -3,
                -4,
                -5.5,
                "s",
                "t",
                new BigDecimal("1.25"),
                new byte[] {1, 2},
                new int[] {1},
                new long[] {2, 3},
                new double[] {0.5},
                new String[] {"x", "y"});

        Object result = call(procedure, arguments);

        assertThat(result).isEqualTo("true 1 2 3 4 5.5 false -1 -2 -3 -4 -5.5 s t 1.25 [1, 2] [1] [2, 3] [0.5] [x, y]");
    }

    @Test
    void shouldPassNullToEveryTypeThatCanHoldIt() {
        DeployedProcedure procedure = ProcedureLoader.load("ALL", AllTypes.class);
        Arguments arguments = Arguments.of(
                false, 0, 0, 0, 0, 0, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null);

        Object result = call(procedure, arguments);

        assertThat(result)
                .isEqualTo("false 0 0 0 0 0.0 null null null null null null null null null null null null null null");
    }

    @Test
    void shouldReturnEveryTypeOfResult() {
        assertThat(call(ProcedureLoader.load("P", ReturnsVoid.class), new Arguments()))
                .isNull();
        assertThat(call(ProcedureLoader.load("P", ReturnsLong.class), new Arguments()))
                .isEqualTo(1L << 40);
        assertThat(call(ProcedureLoader.load("P", ReturnsInt.class), new Arguments()))
                .isEqualTo(-7L);
        assertThat(call(ProcedureLoader.load("P", ReturnsBoolean.class), new Arguments()))
                .isEqualTo(true);
        assertThat(call(ProcedureLoader.load("P", ReturnsDouble.class), new Arguments()))
                .isEqualTo(0.25);
        assertThat(call(ProcedureLoader.load("P", ReturnsString.class), new Arguments()))
                .isEqualTo("result");
        assertThat(call(ProcedureLoader.load("P", ReturnsRows.class), new Arguments()))
                .isNull();
        assertThat(call(ProcedureLoader.load("P", ReturnsTable.class), new Arguments()))
                .isNull();
    }

    /** The parser reads methods only when they are asked for, and the JVM verifies when it links. */
    @Test
    void shouldRefuseADamagedClassFileWhereverTheDamageIs() throws IOException {
        byte[] jar = SourceCompiler.jar(Map.of("P", """
                public class P extends io.reprise.procedure.Procedure {
                    private final io.reprise.procedure.Statement read = sql("SELECT 1");
                    private final java.util.Map<String, Long> seen = new java.util.LinkedHashMap<>();
                    public long run(long[] ids, String what) {
                        long sum = 0;
                        for (long id : ids) {
                            sum += switch (what) { case "a" -> id; case "b" -> 2 * id; default -> throw abort("no " + what); };
                        }
                        try {
                            seen.computeIfAbsent(what, w -> 1L + w.length());
                        } catch (IllegalStateException e) {
                            sum--;
                        }
                        return sum;
                    }
                }
                """));
        byte[] file = ClassSource.classes(jar).get("P");
        Map<String, Integer> ends = new TreeMap<>();

        for (int at = 0; at < file.length; at++) {
            for (int change : new int[] {0x15, 0xFF}) {
                byte[] damaged = file.clone();
                damaged[at] ^= (byte) change;
                ends.merge(load(damaged, at), 1, Integer::sum);
            }
        }

        assertThat(ends).containsKeys("deployed", "damaged", "refused");
    }

    /** A jar built anew because of that is built in vain. */
    @Test
    void shouldNotCallAClassDamagedWhenTheServerFailsWithIt() throws IOException {
        byte[] good = ClassSource.classes(SourceCompiler.jar(Map.of("P", """
                        public class P extends io.reprise.procedure.Procedure { public long run(long x) { return x; } }
                        """))).get("P");
        IllegalStateException fault = new IllegalStateException("a fault of the server's own");
        ProcedureLoader loader = new ProcedureLoader(className -> {
            if (className.equals("P")) {
                return Optional.of(good);
            }
            throw fault;
        });

        assertThat(loader.load("P", "P").name()).isEqualTo("P");
        assertThatThrownBy(() -> loader.load("Q", "Q")).isSameAs(fault);
    }

    @Test
    void shouldSayForWhichJavaAClassIsWhenThatIsALaterOne() throws IOException {
        byte[] file = ClassSource.classes(SourceCompiler.jar(Map.of("P", """
                        public class P extends io.reprise.procedure.Procedure { public long run(long x) { return x; } }
                        """))).get("P");
        file[7]++;
        ProcedureLoader loader = ProcedureLoader.ofClassFiles(Map.of("P", file));
        int here = Runtime.version().feature();

        assertThatThrownBy(() -> loader.load("P", "P"))
                .isInstanceOf(ProcedureException.class)
                .hasMessage(
                        "class P was compiled for Java %d, and the server runs on Java %d; compile it with --release %d"
                                .formatted(here + 1, here, here));
    }

    /** The woven checks in loops can make code too long that was short enough. */
    @Test
    void shouldSayThatAMethodIsTooLongWhenTheChecksMakeItSo() {
        String loop = "while (x > 0) { x--; }";
        byte[] jar = SourceCompiler.jar(Map.of(
                "P",
                "public class P extends io.reprise.procedure.Procedure { public long run(long x) { " + loop.repeat(4500)
                        + " return x; } }"));

        assertThatThrownBy(() -> ProcedureLoader.ofJar(jar).load("P", "P"))
                .isInstanceOf(ProcedureException.class)
                .hasMessageStartingWith("procedure P can't be deployed: class P can't be loaded: ")
                .hasMessageNotContaining("damaged");
    }

    private static String load(byte[] file, int at) {
        try {
            ProcedureLoader loader = ProcedureLoader.ofJar(ClassJar.of(Map.of("P", file)));
            if (loader.has("P")) {
                loader.load("P", "P").initialise();
                loader.classFiles();
            }
            return "deployed";
        } catch (ProcedureException e) {
            assertThat(e.code()).as("byte %d: %s", at, e.getMessage()).isEqualTo(ErrorCode.INVALID_REQUEST);
            // Other damage than that of the file's form can make of it another good file, which is refused for what it
            // says.
            assertThat(e.getMessage())
                    .as("byte %d", at)
                    .doesNotContain("ClassFormatError", "VerifyError", "can't be read");
            return e.getMessage().contains("damaged") ? "damaged" : "refused";
        } catch (RuntimeException | Error e) {
            throw new AssertionError("byte " + at, e);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    int    | String[] other = {"a"}                             | true
                    int    | int[] other = {1}                                  | false
                    int    | java.util.Arrays.sort(now)                         | false
                    int    | System.arraycopy(now, 0, now, 0, 1)                | false
                    int    | long sum = java.util.stream.IntStream.of(now).sum()| false
                    long   | int[] other = {1}                                  | true
                    long   | now[0]++                                           | false
                    double | now[0]++                                           | false
                    byte   | now[0]++                                           | false
                    String | now[0] += "!"                                      | false
                    String | java.util.List.of(now)                             | false
                    String | String first = now[0] + now.length                 | true
                    """)
    void shouldCopyAnArrayUnlessTheProcedureWritesNoneOfItsType(String type, String body, boolean passedAsItIs) {
        // It returns whether it was given the same array as the time before.
        String source = """
                public class P extends io.reprise.procedure.Procedure {
                    private %1$s[] before;
                    public boolean run(%1$s[] now) {
                        boolean same = now == before;
                        before = now;
                        %2$s;
                        return same;
                    }
                }
                """.formatted(type, body);
        byte[] jar = SourceCompiler.jar(Map.of("P", source));
        DeployedProcedure procedure = ProcedureLoader.ofJar(jar).load("P", "P");
        Object array = switch (type) {
            case "int" -> new int[] {1};
            case "long" -> new long[] {1};
            case "double" -> new double[] {1};
            case "byte" -> new byte[] {1};
            default -> new String[] {"x"};
        };
        call(procedure, Arguments.of(array));
        RecordingSink sink = new RecordingSink();

        procedure.invoker().invoke(instance[0], Arguments.of(array), sink);

        assertThat(sink.result()).isEqualTo(passedAsItIs);
    }

    @Test
    void shouldLoadAProcedureAgainWhenItsClassHasChanged() {
        String source = "public class P extends io.reprise.procedure.Procedure { public long run() { return %d; } }";
        byte[] first = SourceCompiler.jar(Map.of("P", source.formatted(1)));
        byte[] second = SourceCompiler.jar(Map.of("P", source.formatted(2)));

        DeployedProcedure before = ProcedureLoader.ofJar(first).load("P", "P");
        DeployedProcedure after = ProcedureLoader.ofJar(second).load("P", "P");

        assertThat(call(before, new Arguments())).isEqualTo(1L);
        assertThat(call(after, new Arguments())).isEqualTo(2L);
        assertThat(call(before, new Arguments())).isEqualTo(1L);
    }

    @Test
    void shouldShareHelperClassesBetweenTheProceduresOfAJar() {
        byte[] jar = SourceCompiler.jar(Map.of(
                "h.Helper", "package h; public class Helper { public static long twice(long n) { return 2 * n; } }",
                "h.A",
                        "package h; public class A extends io.reprise.procedure.Procedure {"
                                + " public long run(long n) { return Helper.twice(n); } }",
                "h.B",
                        "package h; public class B extends io.reprise.procedure.Procedure {"
                                + " public long run(long n) { return Helper.twice(n) + 1; } }"));
        ProcedureLoader loader = ProcedureLoader.ofJar(jar);

        DeployedProcedure a = loader.load("A", "h.A");
        DeployedProcedure b = loader.load("B", "h.B");

        assertThat(call(a, Arguments.of(4))).isEqualTo(8L);
        assertThat(call(b, Arguments.of(4))).isEqualTo(9L);
        assertThat(a.invoker().getClass().getClassLoader())
                .isSameAs(b.invoker().getClass().getClassLoader());
    }

    @Test
    void shouldLoadAProcedureAgainFromItsClassFiles() {
        byte[] jar = SourceCompiler.jar(Map.of(
                "h.Base",
                "package h; public class Base { }",
                "h.Helper",
                "package h; public class Helper extends Base {"
                        + " public static long twice(long n) { return 2 * n; } }",
                "h.Unused",
                "package h; public class Unused { }",
                "h.A",
                "package h; public class A extends io.reprise.procedure.Procedure {"
                        + " public long run(long n) { return Helper.twice(n); } }"));
        ProcedureLoader first = ProcedureLoader.ofJar(jar);
        first.load("A", "h.A");

        Map<String, byte[]> classFiles = first.classFiles();
        DeployedProcedure again = ProcedureLoader.ofClassFiles(classFiles).load("A", "h.A");

        assertThat(classFiles).containsOnlyKeys("h.A", "h.Base", "h.Helper");
        assertThat(call(again, Arguments.of(4))).isEqualTo(8L);
    }

    @Test
    void shouldLoadWhatWasAcceptedOnceThoughItWouldBeRefusedToday() {
        byte[] jar = SourceCompiler.jar(Map.of(
                "h.A",
                "package h; public class A extends io.reprise.procedure.Procedure {"
                        + " public long run(long n) { return n + new java.util.HashMap<Long, Long>().size(); } }"));
        Map<String, byte[]> classFiles =
                Map.of("h.A", ClassSource.jar(jar).bytes("h.A").orElseThrow());

        DeployedProcedure again = ProcedureLoader.ofClassFiles(classFiles).load("A", "h.A");

        assertThat(call(again, Arguments.of(4))).isEqualTo(4L);
        assertThatThrownBy(() -> ProcedureLoader.ofJar(jar).load("A", "h.A")).hasMessageContaining("HashMap");
    }

    /** An application that was not changed opens its database again, and nothing is deployed. */
    @Test
    void shouldCompareAClassWithWhatWasDeployedThoughItWouldBeRefusedToday() {
        assertThat(ProcedureLoader.classFilesOf(Refused.class)).containsKey(Refused.class.getName());
    }

    public static final class Refused extends Procedure {
        public long run() {
            return new java.util.HashMap<Long, Long>().size();
        }
    }

    @Test
    void shouldSayWhichStaticInitialiserFails() {
        ProcedureLoader loader = ProcedureLoader.ofJar(SourceCompiler.jar(Map.of(
                "h.Helper",
                "package h; public class Helper { static final int[] SIZES = new int[1];"
                        + " static final int SIZE = SIZES[1]; }",
                "h.A",
                "package h; public class A extends io.reprise.procedure.Procedure {"
                        + " public long run(long n) { return n < 0 ? Helper.SIZE : n; } }")));
        DeployedProcedure procedure = loader.load("A", "h.A");

        assertThatThrownBy(procedure::initialise)
                .isInstanceOf(ProcedureException.class)
                .hasMessage("procedure A can't be deployed: a static initialiser of what it uses threw"
                        + " java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds for length 1 at"
                        + " h.Helper.<clinit>(Helper.java:1)");
    }

    @Test
    void shouldKeepTheServersClassesFromAJar() {
        byte[] jar = SourceCompiler.jar(Map.of(
                "P",
                "public class P extends io.reprise.procedure.Procedure { public long run() {"
                        + " return io.reprise.catalog.Catalog.empty().version(); } }"));

        assertThatThrownBy(() -> ProcedureLoader.ofJar(jar).load("P", "P"))
                .hasMessage(
                        "procedure P can't be deployed, because a replay could not be relied on to do the same again:\n"
                                + "  P.run (P.java:1) refers to class io.reprise.catalog.Catalog, which is not deployed with it;"
                                + " put it into the same jar");
    }

    @Test
    void shouldNameTheClassThatIsNotThere() {
        byte[] jar = SourceCompiler.jar(Map.of("P", "public class P {}"));

        assertThatThrownBy(() -> ProcedureLoader.ofJar(jar).load("P", "Q"))
                .hasMessage("procedure P can't be deployed: there is no class Q")
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThatThrownBy(() -> ProcedureLoader.ofJar("not a jar".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("the jar holds no classes, or is not a jar at all");
    }

    @Test
    void shouldReportAConstructorThatFailsAsTheProceduresFailure() {
        DeployedProcedure procedure = ProcedureLoader.load("BAD", FailingConstructor.class);

        assertThatThrownBy(() -> procedure.create(new FakeBinding()))
                .hasMessage("an instance of procedure BAD can't be made: the constructor of class "
                        + FailingConstructor.class.getName() + " threw java.lang.IllegalStateException: no luck");
    }

    @Test
    void shouldSeeTheTransactionThroughItsBinding() {
        assertThat(call(ProcedureLoader.load("P", ReadsTransaction.class), new Arguments()))
                .isEqualTo(49L);
    }

    private Object call(DeployedProcedure procedure, Arguments arguments) {
        procedure.signature().check(arguments);
        instance[0] = procedure.create(new FakeBinding());
        RecordingSink sink = new RecordingSink();
        procedure.invoker().invoke(instance[0], arguments, sink);
        return sink.result();
    }

    /** Takes everything. */
    public static final class AllTypes extends Procedure {
        public String run(
                boolean a,
                byte b,
                short c,
                int d,
                long e,
                double f,
                Boolean g,
                Byte h,
                Short i,
                Integer j,
                Long k,
                Double l,
                String m,
                Text n,
                BigDecimal o,
                byte[] p,
                int[] q,
                long[] r,
                double[] s,
                String[] t) {
            return a + " " + b + " " + c + " " + d + " " + e + " " + f + " " + g + " " + h + " " + i + " " + j + " " + k
                    + " " + l + " " + m + " " + n + " " + o + " " + java.util.Arrays.toString(p) + " "
                    + java.util.Arrays.toString(q) + " " + java.util.Arrays.toString(r) + " "
                    + java.util.Arrays.toString(s) + " " + java.util.Arrays.toString(t);
        }
    }

    /** Returns nothing. */
    public static final class ReturnsVoid extends Procedure {
        public void run() {}
    }

    /** Returns a long. */
    public static final class ReturnsLong extends Procedure {
        public long run() {
            return 1L << 40;
        }
    }

    /** Returns an int. */
    public static final class ReturnsInt extends Procedure {
        public int run() {
            return -7;
        }
    }

    /** Returns a boolean. */
    public static final class ReturnsBoolean extends Procedure {
        public boolean run() {
            return true;
        }
    }

    /** Returns a double. */
    public static final class ReturnsDouble extends Procedure {
        public double run() {
            return 0.25;
        }
    }

    /** Returns a string. */
    public static final class ReturnsString extends Procedure {
        public String run() {
            return "result";
        }
    }

    /** Returns rows. */
    public static final class ReturnsRows extends Procedure {
        public Rows run() {
            return null;
        }
    }

    /** Returns a table. */
    public static final class ReturnsTable extends Procedure {
        public ResultTable run() {
            return null;
        }
    }

    /** Can't be made. */
    public static final class FailingConstructor extends Procedure {
        public FailingConstructor() {
            throw new IllegalStateException("no luck");
        }

        public void run() {}
    }

    /** Reads time and id. */
    public static final class ReadsTransaction extends Procedure {
        public long run() {
            return timestampMicros() + transactionId();
        }
    }
}
