package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.AbortException;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.LoopGuard;
import io.reprise.procedure.ProcedureException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Procedures that never end by themselves end when they are overdue; others do what they did before they were woven. */
@Timeout(300)
final class LoopWeaverTest {
    /** Bodies of {@code long run(long n)} that don't end, and members that they use. */
    private static final Map<String, String> ENDLESS = new LinkedHashMap<>();

    /** Bodies of {@code long run(long n)} that end. */
    private static final Map<String, String> FINITE = new LinkedHashMap<>();

    static {
        ENDLESS.put("While", "while (n < Long.MAX_VALUE) { n = n / 2; } return n;");
        ENDLESS.put("For", "for (;;) {}");
        ENDLESS.put("Do", "do { n ^= 1; } while (n >= 0); return n;");
        ENDLESS.put(
                "Nested", "for (int i = 0; i < 2; i++) { for (int j = 0; j < 2; j++) { i = 0; j = 0; } } return n;");
        ENDLESS.put("Continue", "outer: while (true) { for (int i = 0; ; i++) { if (i == 3) { continue outer; } } }");
        ENDLESS.put("LongRange", "return java.util.stream.LongStream.range(n, Long.MAX_VALUE).sum();");
        ENDLESS.put(
                "IntRange",
                "while (true) { java.util.stream.IntStream.rangeClosed(0, Integer.MAX_VALUE).boxed().max(Integer::compare); }");
        ENDLESS.put(
                "RangeReference",
                "interface Maker { java.util.stream.LongStream make(long from, long to); }"
                        + " Maker maker = java.util.stream.LongStream::rangeClosed;"
                        + " return maker.make(n, Long.MAX_VALUE).sum();");
        ENDLESS.put("StringMatches", "return \"a\".repeat(80).matches(\"(a|aa)+$(?<x>b)\\\\k<x>\") ? 1 : 0;");
        ENDLESS.put(
                "Matcher",
                "return java.util.regex.Pattern.compile(\"(a|aa)+$(?<x>b)\\\\k<x>\").matcher(\"a\".repeat(80)).find() ? 1 : 0;");
        ENDLESS.put(
                "MatcherReference",
                "java.util.regex.Pattern p = java.util.regex.Pattern.compile(\"(a|aa)+$(?<x>b)\\\\k<x>\");"
                        + " return java.util.stream.Stream.of(\"a\".repeat(80)).map(p::matcher)"
                        + ".filter(java.util.regex.Matcher::matches).count();");
        ENDLESS.put(
                "StringSplitWithDelimiters",
                "return \"a\".repeat(80).splitWithDelimiters(\"(a|aa)+$(?<x>b)\\\\k<x>\", 0).length;");
        ENDLESS.put(
                "PatternSplitWithDelimiters",
                "return java.util.regex.Pattern.compile(\"(a|aa)+$(?<x>b)\\\\k<x>\")"
                        + ".splitWithDelimiters(\"a\".repeat(80), 0).length;");
        ENDLESS.put(
                "OwnReference",
                "record Node(long id) { Node next() { return this; } }"
                        + " return java.util.stream.Stream.iterate(new Node(n), java.util.Objects::nonNull, Node::next).count();");
        ENDLESS.put(
                "OwnOverride",
                "class Same implements java.util.function.LongUnaryOperator { public long applyAsLong(long x) { return x; } }"
                        + " class Always implements java.util.function.LongPredicate { public boolean test(long x) { return true; } }"
                        + " return java.util.stream.LongStream.iterate(n, new Always(), new Same()).count();");
        ENDLESS.put("ReplaceAll", "return \"a\".repeat(80).replaceAll(\"(a|aa)+$(?<x>b)\\\\k<x>\", \"\").length();");
        ENDLESS.put(
                "Switch",
                "while (true) { switch ((int) n) { case 1: n = 2; continue; case 2: n = 3; continue;"
                        + " default: n = 1; continue; } }");
        ENDLESS.put(
                "Catch",
                "while (true) { try { if (n >= 0) { throw new IllegalStateException(); } return 1; }"
                        + " catch (IllegalStateException e) { n++; } }");
        ENDLESS.put("CatchThrowable", "while (true) { try { while (true) { n++; } } catch (Throwable e) { n = 0; } }");
        ENDLESS.put(
                "CatchTimeLimit",
                "while (true) { try { while (true) { n++; } }"
                        + " catch (io.reprise.procedure.ProcedureException e) { n = 0; } }");
        ENDLESS.put("Finally", "while (true) { try { while (true) { n++; } } finally { if (n != 0) { continue; } } }");
        ENDLESS.put(
                "Recursion",
                "return fibonacci(90); } static long fibonacci(int n) {"
                        + " return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);");
        ENDLESS.put(
                "MutualRecursion",
                "return even(200); } long even(long n) { return n == 0 ? 0 : odd(n - 1) + odd(n - 1);"
                        + " } long odd(long n) { return n == 0 ? 0 : even(n - 1) + even(n - 1);");
        ENDLESS.put(
                "Stream", "return java.util.stream.LongStream.rangeClosed(1, Long.MAX_VALUE).map(x -> x ^ 1).sum();");
        ENDLESS.put(
                "Lambda",
                "new Endless().forEachRemaining(x -> flush()); return n; }"
                        + " static final class Endless implements java.util.Iterator<Long> {"
                        + " public boolean hasNext() { return true; } public Long next() { return 1L; }");

        FINITE.put(
                "Regex",
                "String s = \"a1,b22;c333\" + n; java.util.regex.Matcher m = java.util.regex.Pattern.compile(\"([a-z])(\\\\d+)\")"
                        + ".matcher(s); long r = 0; while (m.find()) { r = r * 31 + m.group(2).length() + m.start(1)"
                        + " + m.group().hashCode(); }"
                        + " r = r * 31 + String.join(\"|\", s.split(\"[,;]\")).hashCode() + s.split(\",\", 2).length;"
                        + " r = r * 31 + s.replaceAll(\"\\\\d\", \"<$0>\").hashCode() + s.replaceFirst(\"[a-z]\", \"\").length();"
                        + " r = r * 31 + (s.matches(\".*c.*\") ? 1 : 0) + (java.util.regex.Pattern.matches(\"a.*\", s) ? 2 : 0);"
                        + " r = r * 31 + java.util.stream.Stream.of(s.split(\"\\\\W\")).filter("
                        + "java.util.regex.Pattern.compile(\"2+\").asPredicate()).count();"
                        + " return r * 31 + m.reset(\"z9\").replaceAll(\"$2$1\").hashCode();");
        FINITE.put(
                "Ranges",
                "return java.util.stream.IntStream.range(0, (int) n).map(x -> x * x).sum()"
                        + " + java.util.stream.LongStream.rangeClosed(1, n).limit(5).sum()"
                        + " + java.util.stream.IntStream.rangeClosed(1, (int) n).count();");
        FINITE.put("Sum", "long sum = 0; for (long i = 0; i < n; i++) { sum += i * i; } return sum;");
        FINITE.put(
                "Collatz",
                "long steps = 0; for (long x = n; x != 1; steps++) { x = x % 2 == 0 ? x / 2 : 3 * x + 1; }"
                        + " return steps;");
        FINITE.put(
                "StackAcrossLoop",
                "long x = n + loop(n) * (n > 3 ? loop(2) : 5); return x; } static long loop(long n) {"
                        + " long s = 0; do { s += n--; } while (n > 0); return s;");
        FINITE.put(
                "TryInLoop",
                "long s = 0; for (int i = 0; i < n; i++) { try { s += 10 / (i % 3); }"
                        + " catch (ArithmeticException e) { s += 1000; } finally { s++; } } return s;");
        FINITE.put(
                "Resources",
                "long[] s = {0}; for (int i = 0; i < n; i++) { try (AutoCloseable a = () -> s[0]++;"
                        + " AutoCloseable b = () -> s[0] += 10) { s[0] += 100; if (i == 2) { continue; } s[0] += 1000; }"
                        + " catch (Exception e) { s[0] = -1; } } return s[0];");
        FINITE.put(
                "Types",
                "Object o = null; for (int i = 0; i < n; i++) { if (i % 2 == 0) { o = new A(); } else {"
                        + " o = new B(); } Base b = i % 6 == 0 ? new A() : new B(); n += b.go(); if (n > 50) { break; } }"
                        + " return n + (o instanceof A ? 1 : 2); } static class Base { long go() { return 0; } }"
                        + " static class A extends Base { long go() { return 5; } } static class B extends Base {"
                        + " long go() { return 7; }");
        FINITE.put(
                "Patterns",
                "long s = 0; for (Object o : new Object[] {1, \"a\", 2L, new P(3, 4)}) { s += switch (o) {"
                        + " case Integer i when i > 0 -> i; case String t -> t.length(); case P(int x, int y) -> x * y;"
                        + " default -> 100; }; } return s; } record P(int x, int y) {");
        FINITE.put(
                "Labels",
                "long s = 0; outer: for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { if (j > i) {"
                        + " continue outer; } if (i + j > 12) { break outer; } s += i * j; } } return s;");
        FINITE.put("Assert", "try { assert n < 0 : \"n\"; return 1; } catch (AssertionError e) { return 2; }");
        FINITE.put(
                "Constructors",
                "long s = 0; for (int i = 0; i < n; i++) { s += new Deep(i).depth; } return s; }"
                        + " static final class Deep { final long depth; Deep(int n) { this(n > 5, n); } Deep(boolean deep, int n) {"
                        + " super(); Deep inner = deep ? new Deep(n - 1) : null; depth = inner == null ? 1 : inner.depth + 1; }");
    }

    private static ProcedureLoader woven;
    private static ClassLoader plain;

    @BeforeAll
    static void compile() {
        Map<String, String> sources = new LinkedHashMap<>();
        ENDLESS.forEach((name, body) -> sources.put(name, source(name, body)));
        FINITE.forEach((name, body) -> sources.put(name, source(name, body)));
        sources.put("Deep", """
                public class Deep extends io.reprise.procedure.Procedure {
                  public long run(long n) {
                    try { return deeper(n); } catch (Throwable e) { return -1; }
                  }
                  long deeper(long n) { return 1 + deeper(n + 1); }
                }
                """);
        sources.put("Lines", """
                public class Lines extends io.reprise.procedure.Procedure {
                  public long run(long n) {
                    for (int i = 0; ; i++) {
                      n = n /
                         (3 - i);
                    }
                  }
                }
                """);
        byte[] jar = SourceCompiler.jar(sources);
        woven = ProcedureLoader.ofJar(jar);
        plain = new PlainLoader(ClassSource.jar(jar));
    }

    private static String source(String name, String body) {
        return "public class " + name + " extends io.reprise.procedure.Procedure {\n public long run(long n) {\n" + body
                + "\n}}\n";
    }

    static Iterable<String> endless() {
        return ENDLESS.keySet();
    }

    static Iterable<String> finite() {
        return FINITE.keySet();
    }

    @AfterEach
    void clear() {
        LoopGuard.clear(Thread.currentThread());
    }

    @ParameterizedTest
    @MethodSource("endless")
    void shouldEndWhenOverdueFromTheStart(String name) {
        LoopGuard.mark(Thread.currentThread(), () -> true);

        assertThatThrownBy(() -> call(name, 1))
                .isInstanceOf(ProcedureException.class)
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(ErrorCode.TIME_LIMIT);
    }

    @ParameterizedTest
    @MethodSource("endless")
    void shouldEndWhenMarkedWhileItRuns(String name) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread runner = Thread.ofPlatform().unstarted(() -> {
            try {
                call(name, 1);
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        runner.start();
        while (Arrays.stream(runner.getStackTrace())
                .noneMatch(f -> f.getClassName().equals(name))) {
            assertThat(thrown.get()).as("what ended it").isNull();
            Thread.onSpinWait();
        }

        LoopGuard.mark(runner, () -> true);
        runner.join();
        LoopGuard.clear(runner);

        assertThat(thrown.get())
                .isInstanceOf(ProcedureException.class)
                .hasMessage("the procedure ran longer than the configured transaction time limit");
    }

    @ParameterizedTest
    @MethodSource("finite")
    void shouldDoWhatItDidBefore(String name) throws ReflectiveOperationException {
        for (long n : new long[] {1, 2, 3, 7, 27}) {
            assertThat(call(name, n)).as("%s of %d", name, n).isEqualTo(callPlain(name, n));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sum", "TryInLoop"})
    void shouldNotDisturbOtherThreadsThanTheOneMarked(String name) throws InterruptedException {
        Thread other = Thread.ofPlatform().unstarted(() -> {});
        LoopGuard.mark(other, () -> true);

        Object result = call(name, 100);

        LoopGuard.clear(other);
        assertThat(result).isEqualTo(call(name, 100));
    }

    @Test
    void shouldNotLetAProcedureSwallowAnOverflownStack() {
        assertThatThrownBy(() -> call("Deep", 1)).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void shouldLetAProcedureCatchWhatIsItsOwn() {
        assertThat(call("TryInLoop", 1)).isEqualTo(1001L);
        assertThat(new AbortException("x").code()).isEqualTo(ErrorCode.USER_ABORT);
    }

    @Test
    void shouldKeepLineNumbers() {
        assertThatThrownBy(() -> call("Lines", 1))
                .isInstanceOf(ArithmeticException.class)
                .extracting(e -> e.getStackTrace()[0].getLineNumber())
                .isEqualTo(4);
    }

    @Test
    void shouldKeepAWholeLibraryVerifiable() throws IOException {
        byte[] jar;
        try (InputStream in = org.h2.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .openStream()) {
            jar = in.readAllBytes();
        }
        ProcedureClasses classes = new ProcedureClasses(ClassSource.jar(jar));
        LoopWeaver weaver = new LoopWeaver(classes);
        ClassFile classFile = ClassFile.of();

        int checks = 0;
        int clean = 0;
        for (String name : names(jar)) {
            byte[] woven = weaver.weave(classes.model(name).orElseThrow());
            // Some classes name others that are not in the jar, which the verifier can't resolve, woven or not.
            List<String> problems = problems(classFile.verify(woven));
            assertThat(problems)
                    .as(name)
                    .isEqualTo(problems(classFile.verify(classes.bytes(name).orElseThrow())));
            clean += problems.isEmpty() ? 1 : 0;
            checks += checks(classFile.parse(woven));
        }

        assertThat(checks).isGreaterThan(1_500);
        assertThat(clean).isGreaterThan(100);
    }

    private static List<String> problems(List<VerifyError> errors) {
        return errors.stream().map(VerifyError::getMessage).toList();
    }

    private static List<String> names(byte[] jar) throws IOException {
        List<String> names = new ArrayList<>();
        try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jar))) {
            for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                String path = entry.getName();
                // Each sixth class: enough to meet all that compilers do.
                if (path.endsWith(".class") && !path.startsWith("META-INF") && path.hashCode() % 6 == 0) {
                    names.add(
                            path.substring(0, path.length() - ".class".length()).replace('/', '.'));
                }
            }
        }
        return names;
    }

    private static int checks(ClassModel model) {
        return (int) model.methods().stream()
                .flatMap(m -> m.code().stream())
                .flatMap(CodeModel::elementStream)
                .filter(e -> e instanceof InvokeInstruction call
                        && call.owner().asInternalName().equals("io/reprise/procedure/LoopGuard"))
                .count();
    }

    private static Object call(String name, long n) {
        DeployedProcedure procedure = woven.load(name, name);
        RecordingSink sink = new RecordingSink();
        procedure.invoker().invoke(procedure.create(new FakeBinding()), Arguments.of(n), sink);
        return sink.result();
    }

    private static Object callPlain(String name, long n) throws ReflectiveOperationException {
        Class<?> type = plain.loadClass(name);
        Object procedure = new FakeBinding().during(() -> {
            try {
                return type.getConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("the plain class can't be made", e);
            }
        });
        return type.getMethod("run", long.class).invoke(procedure, n);
    }

    /** Loads classes as the compiler made them. */
    private static final class PlainLoader extends ClassLoader {
        private final ClassSource source;

        PlainLoader(ClassSource source) {
            super(LoopWeaverTest.class.getClassLoader());
            this.source = source;
            setDefaultAssertionStatus(true);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = source.bytes(name).orElseThrow(() -> new ClassNotFoundException(name));
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
