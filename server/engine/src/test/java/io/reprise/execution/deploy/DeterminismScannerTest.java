package io.reprise.execution.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each construct that is refused, with the whole of its message; and what is allowed although it looks like one. */
final class DeterminismScannerTest {
    private static final String CLOCK = "a replay would read another time; use timestampMicros()";
    private static final String RANDOM = "a replay would draw other numbers; use random()";
    private static final String THREADS =
            "a procedure runs alone on its partition's thread and must not start, wait for or lock out others";
    private static final String OUTSIDE = "a procedure has no access to files, network, processes and the machine; pass"
            + " what it needs as a parameter, and return what it has to say";
    private static final String REFLECTION = "reflection and class loading are closed to procedures; call it directly";
    private static final String IDENTITY =
            "it depends on where the object happens to lie in memory; call a method that its class overrides";
    private static final String UNLISTED =
            "it is not among the classes of the JDK that a procedure may use, those known to do the same in a replay";
    private static final String LOCALE = "it depends on the machine's language; pass Locale.ROOT";
    private static final String LOCK = "a procedure runs alone on its partition's thread, and a lock could make"
            + " partitions wait for each other; leave synchronized out";
    private static final String SHARED =
            " refers to: all partitions' threads share it; make it a field of the instance";

    /** A body of run (or, with {@code members}, the class's other members) and what is said about it. */
    private record Case(String members, String body, List<String> findings) {
        @Override
        public String toString() {
            return members + body;
        }
    }

    private static final String HASHED =
            ", which depends on where that happens to lie in memory; make it of what it holds, or of its name";

    private static final List<Case> REFUSED = List.of(
            body(
                    "java.util.Objects.hash(1, java.time.DayOfWeek.MONDAY);",
                    "makes a hash code of an object of type DayOfWeek" + HASHED),
            body(
                    "java.util.Objects.hashCode(java.time.DayOfWeek.MONDAY);",
                    "makes a hash code of an object of type DayOfWeek" + HASHED),
            body(
                    "java.util.Arrays.hashCode(java.time.DayOfWeek.values());",
                    "makes a hash code of an object of type DayOfWeek" + HASHED),
            body(
                    "java.util.Objects.hash(\"a\", new long[1]);",
                    "makes a hash code of an object of type long[]" + HASHED),
            new Case(
                    "record Key(long id, java.time.DayOfWeek day) {} ",
                    "new Key(1, java.time.DayOfWeek.MONDAY).hashCode();",
                    List.of("makes a hash code of an object of type %s$Key" + HASHED)),
            new Case(
                    "static class Plain {} ",
                    "Object[] all = {new Plain()}; java.util.Arrays.deepHashCode(all);",
                    List.of("makes a hash code of an object of type %s$Plain" + HASHED)),
            body(
                    "java.util.function.LongSupplier f = () -> 1; f.getClass().getName();",
                    "asks an object of type LongSupplier for its class: that of a lambda is named anew by each process;"
                            + " use the class's name itself"),
            body(
                    "Runnable f = () -> {}; Class<?> c = f.getClass(); String s = \"\" + c;",
                    "asks an object of type Runnable for its class: that of a lambda is named anew by each process;"
                            + " use the class's name itself"),
            new Case(
                    "static abstract class Base {} static final class Plain extends Base {} ",
                    "java.util.Objects.hash(new Plain(), new long[1]);",
                    List.of(
                            "makes a hash code of an object of type %s$Plain" + HASHED,
                            "makes a hash code of an object of type long[]" + HASHED)),
            new Case(
                    "static final class Plain {} ",
                    "java.util.Arrays.deepHashCode(new Object[] {new Plain(), new long[1]});"
                            + " java.util.Arrays.hashCode(new long[1][1]);",
                    List.of(
                            "makes a hash code of an object of type %s$Plain" + HASHED,
                            "makes a hash code of an object of type long[]" + HASHED)),
            new Case(
                    "enum Op { PLUS { int of(int a) { return a; } }; abstract int of(int a); } ",
                    "java.util.Objects.hashCode(Op.PLUS);",
                    List.of("makes a hash code of an object of type %s$Op" + HASHED)),
            body(
                    "Runnable f = () -> {}; String s = \"\" + f;",
                    "makes a string of an object of type Runnable: its class has no toString, so the result depends"
                            + " on where it happens to lie in memory; override toString"),
            body(
                    "String s = String.valueOf(java.util.List.of(1).iterator());",
                    "makes a string of an object of type Iterator: its class has no toString, so the result depends"
                            + " on where it happens to lie in memory; override toString"),
            body(
                    "String s = \"\" + java.util.stream.IntStream.of(1);",
                    "makes a string of an object of type IntStream: its class has no toString, so the result depends"
                            + " on where it happens to lie in memory; override toString"),
            body("Thread.currentThread();", "calls java.lang.Thread.currentThread: " + THREADS),
            body(
                    "java.util.function.ToIntFunction<Object> f = System::identityHashCode;",
                    "calls java.lang.System.identityHashCode: " + IDENTITY),
            body(
                    "java.util.Locale.getDefault(java.util.Locale.Category.FORMAT);",
                    "calls java.util.Locale.getDefault: " + LOCALE),
            body("java.util.TimeZone.getDefault();", "calls java.util.TimeZone.getDefault: " + CLOCK),
            body("System.getProperty(\"user.name\");", "calls java.lang.System.getProperty: " + OUTSIDE),
            body("java.util.ServiceLoader.load(Runnable.class);", "calls java.util.ServiceLoader.load: " + REFLECTION),
            body(
                    "java.util.LinkedHashMap.newHashMap(4);",
                    "calls java.util.LinkedHashMap.newHashMap: its order differs from one JVM to the next; use"
                            + " LinkedHashMap"),
            body(
                    "java.util.LinkedHashSet.newHashSet(4);",
                    "calls java.util.LinkedHashSet.newHashSet: its order differs from one JVM to the next; use"
                            + " LinkedHashSet"),
            body(
                    "java.time.ZoneOffset.systemDefault();",
                    "calls java.time.ZoneOffset.systemDefault: the rules of time zones differ between versions of Java;"
                            + " use ZoneOffset"),
            body("java.math.RoundingMode.UP.hashCode();", "calls java.math.RoundingMode.hashCode: " + IDENTITY),
            body(
                    "java.util.function.ToIntFunction<java.time.DayOfWeek> f = java.time.DayOfWeek::hashCode;",
                    "calls java.lang.Enum.hashCode: " + IDENTITY),
            body(
                    "Double.doubleToRawLongBits(hashCode);",
                    "calls java.lang.Double.doubleToRawLongBits: the bits of a NaN differ between interpreted and"
                            + " compiled code; use doubleToLongBits"),
            body("java.util.Locale.ROOT.getDisplayName();", "calls java.util.Locale.getDisplayName: " + LOCALE),
            body(
                    "String.format(java.util.Locale.ROOT, \"at %1$tF\", timestampMicros() / 1000);",
                    "formats a time by %t, which depends on the machine's time zone and language: use a"
                            + " DateTimeFormatter"),
            body(
                    "String s = \"\" + new io.reprise.procedure.TextBuilder(4);",
                    "makes a string of an object of type TextBuilder: its class has no toString, so the result depends"
                            + " on where it happens to lie in memory; override toString"),
            body(
                    "String s = \"\" + this;",
                    "makes a string of an object of type %s: its class has no toString, so the result depends"
                            + " on where it happens to lie in memory; override toString"),
            new Case(
                    "static final io.reprise.procedure.TextBuilder B = new io.reprise.procedure.TextBuilder(9); ",
                    "",
                    List.of("B:0 is static and of the mutable type TextBuilder: all partitions' threads would share it;"
                            + " make it a field of the instance")),
            new Case(
                    "static final java.nio.LongBuffer B = java.nio.LongBuffer.allocate(9); ",
                    "",
                    List.of("B:0 is static and of the mutable type LongBuffer: all partitions' threads would share it;"
                            + " make it a field of the instance")),
            new Case(
                    "static final io.reprise.procedure.Text T = io.reprise.procedure.Text.of(\"x\"); ",
                    "T.wrap(T.segment(), 0, 0);",
                    List.of("changes by wrap the object that the static field T" + SHARED)),
            new Case(
                    "static final long[] A = {1, 2}; ",
                    "java.util.Arrays.fill(A, 3);",
                    List.of("changes by fill the object that the static field A" + SHARED)),
            new Case(
                    "static final java.util.List<long[]> A = java.util.List.of(new long[1]); ",
                    "for (long[] a : A) a[0]++;",
                    List.of("changes an element of the array that the static field A" + SHARED)),
            body("System.currentTimeMillis();", "calls java.lang.System.currentTimeMillis: " + CLOCK),
            body("System.nanoTime();", "calls java.lang.System.nanoTime: " + CLOCK),
            body("java.time.Instant.now();", "calls java.time.Instant.now: " + CLOCK),
            body("java.time.LocalDate.now();", "calls java.time.LocalDate.now: " + CLOCK),
            body(
                    "java.time.LocalDateTime.now(java.time.ZoneOffset.UTC);",
                    "calls java.time.LocalDateTime.now: " + CLOCK),
            body("new java.util.Date();", "makes a java.util.Date: " + CLOCK),
            body("java.util.Calendar.getInstance();", "calls java.util.Calendar.getInstance: " + CLOCK),
            body("java.time.Clock.systemUTC();", "calls java.time.Clock.systemUTC: " + CLOCK),
            body(
                    "java.time.ZoneId.of(\"Europe/Paris\");",
                    "calls java.time.ZoneId.of: the rules of time zones differ between versions of Java; use ZoneOffset"),
            body("new java.util.Random(1);", "makes a java.util.Random: " + RANDOM),
            body("Math.random();", "calls java.lang.Math.random: " + RANDOM),
            body(
                    "java.util.concurrent.ThreadLocalRandom.current();",
                    "calls java.util.concurrent.ThreadLocalRandom.current: " + RANDOM),
            body("java.util.UUID.randomUUID();", "calls java.util.UUID.randomUUID: " + RANDOM),
            body("new java.security.SecureRandom();", "makes a java.security.SecureRandom: " + RANDOM),
            body(
                    "java.util.random.RandomGenerator.getDefault();",
                    "calls java.util.random.RandomGenerator.getDefault: " + RANDOM),
            body(
                    "java.util.Collections.shuffle(new java.util.ArrayList<String>());",
                    "calls java.util.Collections.shuffle: " + RANDOM),
            body("new Thread();", "makes a java.lang.Thread: " + THREADS),
            body("Thread.currentThread();", "calls java.lang.Thread.currentThread: " + THREADS),
            body("Thread.yield();", "calls java.lang.Thread.yield: " + THREADS),
            body(
                    "java.util.concurrent.Executors.newCachedThreadPool();",
                    "calls java.util.concurrent.Executors.newCachedThreadPool: " + THREADS),
            body(
                    "new java.util.concurrent.CompletableFuture<String>();",
                    "makes a java.util.concurrent.CompletableFuture: " + THREADS),
            body(
                    "new java.util.concurrent.locks.ReentrantLock();",
                    "makes a java.util.concurrent.locks.ReentrantLock: " + THREADS),
            body(
                    "new java.util.concurrent.atomic.AtomicLong();",
                    "makes a java.util.concurrent.atomic.AtomicLong: a procedure runs on one thread; use a plain field"),
            body("new ThreadLocal<String>();", "makes a java.lang.ThreadLocal: " + THREADS),
            body("notifyAll();", "calls java.lang.Object.notifyAll: " + THREADS),
            body("synchronized (this) { hashCode = 1; }", "locks an object: " + LOCK),
            body("java.util.List.of(1).parallelStream().count();", "calls java.util.List.parallelStream: " + THREADS),
            body("new java.io.File(\"x\");", "makes a java.io.File: " + OUTSIDE),
            body("java.nio.file.Path.of(\"x\");", "calls java.nio.file.Path.of: " + OUTSIDE),
            body("java.net.URI.create(\"x\");", "calls java.net.URI.create: " + OUTSIDE),
            body("new ProcessBuilder(\"x\");", "makes a java.lang.ProcessBuilder: " + OUTSIDE),
            body("Runtime.getRuntime();", "calls java.lang.Runtime.getRuntime: " + OUTSIDE),
            body("System.exit(1);", "calls java.lang.System.exit: " + OUTSIDE),
            body("System.getenv(\"x\");", "calls java.lang.System.getenv: " + OUTSIDE),
            body("System.getProperty(\"x\");", "calls java.lang.System.getProperty: " + OUTSIDE),
            body("Integer.getInteger(\"x\");", "calls java.lang.Integer.getInteger: " + OUTSIDE),
            body(
                    "System.out.println();",
                    "uses java.lang.System.out: " + OUTSIDE,
                    "calls java.io.PrintStream.println: " + OUTSIDE),
            body("java.util.logging.Logger.getGlobal();", "calls java.util.logging.Logger.getGlobal: " + OUTSIDE),
            body("Class.forName(\"x\");", "calls java.lang.Class.forName: " + REFLECTION),
            body("getClass().getMethods();", "calls java.lang.Class.getMethods: " + REFLECTION),
            body(
                    "java.lang.invoke.MethodHandles.lookup();",
                    "calls java.lang.invoke.MethodHandles.lookup: " + REFLECTION),
            body(
                    "java.lang.foreign.Arena.global();",
                    "calls java.lang.foreign.Arena.global: memory outside of Java objects is closed to procedures"),
            body("System.identityHashCode(this);", "calls java.lang.System.identityHashCode: " + IDENTITY),
            body("new Object().hashCode();", "calls java.lang.Object.hashCode: " + IDENTITY),
            body("new Object().toString();", "calls java.lang.Object.toString: " + IDENTITY),
            body("hashCode();", "calls java.lang.Object.hashCode: " + IDENTITY),
            body(
                    "String s = \"\" + new int[1];",
                    "makes a string of an object of type int[]: its class has no toString, so the result depends on"
                            + " where it happens to lie in memory; use Arrays.toString"),
            new Case(
                    "static final class Plain {} ",
                    "String s = \"\" + new Plain();",
                    List.of("makes a string of an object of type %s$Plain: its class has no toString, so the result"
                            + " depends on where it happens to lie in memory; override toString")),
            body(
                    "new java.util.HashMap<String, String>();",
                    "makes a java.util.HashMap: its order differs from one JVM to the next; use LinkedHashMap"),
            body(
                    "new java.util.HashSet<String>();",
                    "makes a java.util.HashSet: its order differs from one JVM to the next; use LinkedHashSet"),
            body(
                    "java.util.Map.of(1, 2);",
                    "calls java.util.Map.of: its order differs from one JVM to the next; use LinkedHashMap"),
            body(
                    "java.util.Set.of(1, 2);",
                    "calls java.util.Set.of: its order differs from one JVM to the next; use LinkedHashSet"),
            body(
                    "java.util.List.of(1).stream().collect(java.util.stream.Collectors.toSet());",
                    "calls java.util.stream.Collectors.toSet: its order differs from one JVM to the next; use"
                            + " toCollection(LinkedHashSet::new)"),
            body(
                    "java.util.List.of(1).stream().collect(java.util.stream.Collectors.groupingBy(x -> x));",
                    "calls java.util.stream.Collectors.groupingBy: its order differs from one JVM to the next; use the"
                            + " overload that takes a map factory, with LinkedHashMap::new"),
            body(
                    "java.util.stream.Stream.generate(() -> 1);",
                    "calls java.util.stream.Stream.generate: an endless stream can't be ended by the time limit; use a"
                            + " loop"),
            body(
                    "java.util.stream.LongStream.iterate(1, x -> x + 1);",
                    "calls java.util.stream.LongStream.iterate: an endless stream can't be ended by the time limit; use"
                            + " a loop"),
            body(
                    "Math.sin(1);",
                    "calls java.lang.Math.sin: its last digit may differ from one processor to the next; use the method"
                            + " of StrictMath"),
            body("\"x\".toUpperCase();", "calls java.lang.String.toUpperCase: " + LOCALE),
            body("String.format(\"x\");", "calls java.lang.String.format: " + LOCALE),
            body(
                    "\"x\".getBytes();",
                    "calls java.lang.String.getBytes: it depends on the machine's character set; pass"
                            + " StandardCharsets.UTF_8"),
            body(
                    "new Throwable().getStackTrace();",
                    "calls java.lang.Throwable.getStackTrace: stack traces differ from run to run"),
            body("new java.util.zip.ZipEntry(\"x\");", "makes a java.util.zip.ZipEntry: " + UNLISTED),
            body("Runnable r = System::gc;", "calls java.lang.System.gc: " + OUTSIDE),
            body("Runnable r = () -> System.nanoTime();", "calls java.lang.System.nanoTime: " + CLOCK),
            body(
                    "java.util.function.Supplier<Object> s = java.util.Random::new;",
                    "makes a java.util.Random: " + RANDOM),
            body(
                    "io.reprise.procedure.LoopGuard.check();",
                    "calls io.reprise.procedure.LoopGuard.check: it is the engine's own, not for procedures"),
            new Case("private synchronized void one() {} ", "one();", List.of("one:0 is synchronized: " + LOCK)),
            new Case(
                    "private native void one(); ",
                    "one();",
                    List.of("one:0 is native: what it does can't be known; write it in Java")),
            new Case(
                    "protected void finalize() {} ",
                    "",
                    List.of(
                            "finalize:0 is a finalizer, run by the garbage collector at a time of its own; leave it out")),
            new Case(
                    "private volatile int v; ",
                    "",
                    List.of("v:0 is volatile: a procedure's instance is used by one thread only; leave volatile out")),
            new Case(
                    "static long total; ",
                    "total++;",
                    List.of(
                            "total:0 is static and not final: all partitions' threads would share it, and a replay would"
                                    + " find another value; make it final, or a field of the instance",
                            "writes the static field %s.total: all partitions' threads would share it; make it a field of"
                                    + " the instance")),
            new Case(
                    "static final StringBuilder OUT = new StringBuilder(); ",
                    "OUT.append(1);",
                    List.of(
                            "OUT:0 is static and of the mutable type StringBuilder: all partitions' threads would share it;"
                                    + " make it a field of the instance")),
            new Case(
                    "static final long[] COUNTS = new long[2]; ",
                    "COUNTS[1]++;",
                    List.of("changes an element of the array that the static field COUNTS" + SHARED)),
            new Case(
                    "static final long[][] COUNTS = new long[2][2]; ",
                    "long[] row = COUNTS[hashCode > 0 ? 1 : 0]; row[1] = 5;",
                    List.of("changes an element of the array that the static field COUNTS" + SHARED)),
            new Case(
                    "static final java.util.List<String> NAMES = new java.util.ArrayList<>(); ",
                    "NAMES.add(hashCode > 0 ? \"a\" : \"b\");",
                    List.of("changes by add the object that the static field NAMES" + SHARED)),
            new Case(
                    "static final class Box { long value; } static final Box BOX = new Box(); ",
                    "BOX.value = 1;",
                    List.of(
                            "BOX:0 is static and of type %s$Box, whose field value can change: all partitions' threads would share"
                                    + " it; make value final, or this a field of the instance",
                            "changes the field value of the object that the static field BOX" + SHARED)),
            new Case(
                    "interface Ids { long next(); } static final Ids IDS = new Ids() { long n; public long next() { return ++n; } }; ",
                    "long x = IDS.next();",
                    List.of(
                            "IDS:0 is static and of type %s$Ids, one kind of which, %s$1, has the field n, which can change: all"
                                    + " partitions' threads would share it; make this a field of the instance")),
            new Case(
                    "static final java.util.function.LongSupplier IDS = new java.util.function.LongSupplier() {"
                            + " long n; public long getAsLong() { return ++n; } }; ",
                    "long x = IDS.getAsLong();",
                    List.of(
                            "IDS:0 is static and of type LongSupplier, one kind of which, %s$1, has the field n, which can change: all"
                                    + " partitions' threads would share it; make this a field of the instance")),
            new Case(
                    "static final long START = System.nanoTime(); ",
                    "long x = START;",
                    List.of("<clinit>:3 calls java.lang.System.nanoTime: " + CLOCK)),
            new Case(
                    "static class Base { void go() { System.nanoTime(); } } static class Sub extends Base {} ",
                    "new Sub().go();",
                    List.of("Base.go:3 calls java.lang.System.nanoTime: " + CLOCK)),
            new Case(
                    "interface Job { default void go() { System.nanoTime(); } void other(); } ",
                    "Job job = () -> {}; job.go();",
                    List.of("Job.go:3 calls java.lang.System.nanoTime: " + CLOCK)),
            new Case(
                    "static class Cmp implements java.util.Comparator<String> {"
                            + " public int compare(String a, String b) { return (int) System.nanoTime(); } } ",
                    "java.util.List.of(\"a\").sort(new Cmp());",
                    List.of("Cmp.compare:3 calls java.lang.System.nanoTime: " + CLOCK)),
            new Case(
                    "enum Light { RED; int count; } ",
                    "Light.RED.count++;",
                    List.of(
                            "$Light.RED:0 is static and of type %s$Light, whose field count can change: all partitions'"
                                    + " threads would share it; make count final, or this a field of the instance",
                            "changes the field count of the object that the static field %s$Light.RED" + SHARED)),
            new Case(
                    "enum Light { RED; final java.util.List<Long> seen = new java.util.ArrayList<>();"
                            + " void see() { seen.add(1L); } } ",
                    "Light.RED.see();",
                    List.of("$Light.RED:0 is static and of type %s$Light, which changes what its seen refers to: all"
                            + " partitions' threads would share it; make this a field of the instance")),
            new Case(
                    "record Box(long[] values) {} static final Box BOX = new Box(new long[1]); ",
                    "BOX.values()[0]++;",
                    List.of("changes an element of the array that the static field BOX" + SHARED)),
            new Case(
                    "static final java.util.List<long[]> ROWS = java.util.List.of(new long[1]); ",
                    "ROWS.get(0)[0]++;",
                    List.of("changes an element of the array that the static field ROWS" + SHARED)),
            body(
                    "java.time.chrono.IsoChronology.INSTANCE.dateNow();",
                    "calls java.time.chrono.IsoChronology.dateNow: " + CLOCK),
            body(
                    "throw new InternalError();",
                    "makes a java.lang.InternalError: it says that the Java machine is broken, which ends the engine;"
                            + " throw another"),
            new Case(
                    "static class Own extends InternalError {} ",
                    "throw new Own();",
                    List.of(
                            "Own.<init>:3 makes a java.lang.InternalError: it says that the Java machine is broken, which"
                                    + " ends the engine; throw another")),
            new Case(
                    "enum Color { RED } ",
                    "Color.RED.hashCode();",
                    List.of("calls java.lang.Enum.hashCode: " + IDENTITY)));

    private static final List<Case> ALLOWED = List.of(
            // As Lombok, Kotlin's data classes and IDEs write it, and a class whose equality is its superclass's
            // besides.
            body(
                    "new java.util.LinkedHashMap<Part, Long>().merge(new Part(1, java.time.DayOfWeek.MONDAY, Kind.A), 1L, Long::sum);"
                            + " String s = \"\" + new Part(1, null, null);",
                    "enum Kind { A } static class Base {} static final class Part extends Base { final long id;"
                            + " final java.time.DayOfWeek day; final Kind kind; final byte[] data = {1};"
                            + " Part(long id, java.time.DayOfWeek day, Kind kind) { this.id = id; this.day = day; this.kind = kind; }"
                            + " @Override public boolean equals(Object o) { return o instanceof Part p && p.id == id; }"
                            + " @Override public int hashCode() { int h = 59 + (int) (id >>> 32 ^ id);"
                            + " h = h * 59 + (day == null ? 43 : day.hashCode()); h = h * 59 + (kind == null ? 43 : kind.hashCode());"
                            + " return h * 59 + java.util.Arrays.hashCode(data) + super.hashCode(); }"
                            + " @Override public String toString() { return \"Part(id=\" + id + \", day=\" + day + \", kind=\" + kind"
                            + " + \", data=\" + java.util.Arrays.toString(data) + \")\"; } } "),
            // A class whose subclasses say what their hash code is.
            body(
                    "java.util.Objects.hash(1, shape(1));",
                    "Shape shape(int x) { return x > 0 ? new Line(1) : new Dot(2); } static abstract class Shape {} static final class Line extends Shape { final int a; Line(int a) { this.a = a; }"
                            + " @Override public int hashCode() { return a; } } static final class Dot extends Shape { final int a;"
                            + " Dot(int a) { this.a = a; } @Override public int hashCode() { return a; } } "),
            // The null check of compilers of Java 8 for the object of a method reference.
            body(
                    "java.util.function.LongSupplier f = () -> 1; f.getClass(); Runnable r = () -> {}; if (r.getClass() == f.getClass()) r.run();"),
            body(
                    "record(new Key(1, java.time.DayOfWeek.MONDAY));",
                    "record Key(long id, java.time.DayOfWeek day) {} void record(Key key) { java.util.Map<Key, Long> m ="
                            + " new java.util.LinkedHashMap<>(); m.put(key, 1L); m.get(key); key.equals(key); String s = \"\" + key; } "),
            body(
                    "int h = java.util.List.of(1, 2).hashCode()"
                            + " + java.util.List.of(\"a\").stream().mapToInt(String::hashCode).sum() + java.util.Optional.of(1).hashCode() + new java.util.ArrayList<>(java.util.List.of(\"a\")).hashCode();"),
            body(
                    "java.util.Objects.hash(java.time.LocalDate.EPOCH, new java.util.UUID(1, 2), java.time.Duration.ZERO, 'c', true,"
                            + " java.util.List.of(1), new java.util.TreeMap<String, Long>(), java.time.DayOfWeek.MONDAY.name());"
                            + " java.util.Objects.hash((Object[]) new String[] {\"a\"}); java.util.Arrays.hashCode(new Long[1]);"
                            + " java.util.Arrays.deepHashCode(new long[1][1]); java.util.Arrays.deepHashCode(new Object[] {new long[1]});"),
            body(
                    "Object o = hashCode > 0 ? \"a\" : java.math.BigDecimal.ONE; java.util.Objects.hash(o); String s = \"\" + o;"),
            body("String s = \"\" + new java.util.ArrayDeque<>(java.util.List.of(1)) + java.util.Optional.of(2)"
                    + " + java.util.OptionalLong.of(2) + new java.util.BitSet(1) + java.time.DayOfWeek.MONDAY"
                    + " + new IllegalStateException(\"x\") + java.util.regex.Pattern.compile(\"x\")"
                    + " + java.util.stream.LongStream.of(1).summaryStatistics();"),
            body(
                    "java.util.Objects.hash(1, \"a\", 2L, new java.math.BigDecimal(3)); java.util.Arrays.hashCode(new long[1]);"),
            body(
                    "java.util.Map<Key, Long> m = new java.util.LinkedHashMap<>(); m.merge(new Key(1, java.time.DayOfWeek.MONDAY),"
                            + " 1L, Long::sum); new Name(\"a\", 1).hashCode();",
                    "record Name(String first, long id) {} record Key(long id, java.time.DayOfWeek day) {"
                            + " @Override public int hashCode() { return java.util.Objects.hash(id, day); } } "),
            body("Object o = 1; String s = \"\" + o + o.getClass().getSimpleName(); Number n = 2; s += n;"),
            body("String s = String.format(java.util.Locale.ROOT, \"%d%% to %s\", 1, \"50% total\");"),
            body(
                    "long[] mine = A.clone(); java.util.Arrays.sort(mine); for (String s : L) s.length();",
                    "static final long[] A = {1}; static final java.util.List<String> L = java.util.List.of(\"a\"); "),
            body("java.util.LinkedHashMap.newLinkedHashMap(4).getOrDefault(1, 2);"),
            body("java.time.ZoneOffset.UTC.normalized(); new StringBuilder(\"a\").append(1).length();"),
            body("Math.max(1, 2); StrictMath.sin(1); Math.sqrt(2);"),
            body("new java.util.LinkedHashMap<String, Integer>().merge(\"a\", 1, Integer::sum);"),
            body(
                    "java.util.Map<String, String> m = new java.util.TreeMap<>(); m.put(\"a\", \"b\"); m.entrySet().iterator();"),
            body("java.util.List.of(3, 1).stream().map(x -> x + 1).sorted().toList();"),
            body("java.time.LocalDate.of(2025, 1, 1).plusDays(1).getDayOfWeek();"),
            body("java.time.Instant.ofEpochSecond(timestampMicros() / 1_000_000);"),
            body("new java.math.BigDecimal(\"1.5\").setScale(2, java.math.RoundingMode.HALF_UP).toPlainString();"),
            body("String.format(java.util.Locale.ROOT, \"%d\", 5); \"a\".toUpperCase(java.util.Locale.ROOT);"),
            body("String s = \"a\" + 1 + 'c' + 2.5 + timestampMicros(); s.hashCode();"),
            body("try { Integer.parseInt(\"x\"); } catch (NumberFormatException e) { e.getMessage(); }"),
            body("try { flush(); } finally { savepoint(); }"),
            body("assert hashCode == 0 : \"unexpected\";"),
            body("switch (\"a\") { case \"b\" -> flush(); default -> {} }"),
            body(
                    "Object o = 1; switch (o) { case Integer i when i > 1 -> flush(); case String s -> {} default -> {} }"),
            body("random().nextInt(1, 6); transactionId();"),
            body("int[] copy = new int[] {3, 2}.clone(); java.util.Arrays.sort(copy);"),
            body(
                    "new io.reprise.procedure.AbortException(\"no\").getMessage(); if (hashCode > 0) { throw abort(\"no\"); }"),
            body("Runnable r = this::flush0; r.run();", "private void flush0() {} "),
            body(
                    "Point p = new Point(1, 2); String s = \"\" + p; p.hashCode(); p.equals(p);",
                    "record Point(int x, int y) {} "),
            body("switch (Color.values()[0]) { case RED -> flush(); case BLUE -> {} }", "enum Color { RED, BLUE } "),
            body(
                    "String name = NAMES[1]; long x = LIMITS.get(0); int n = NAMES.length;",
                    "static final String[] NAMES = {\"a\", \"b\"}; static final java.util.List<Long> LIMITS ="
                            + " java.util.List.of(1L); static final java.math.BigDecimal RATE ="
                            + " new java.math.BigDecimal(\"0.1\"); "),
            body(
                    "long[] copy = WEIGHTS.copy(); copy[0] = 2; long x = WEIGHTS.values()[0] + Unit.KM.factors.get(0);",
                    "record Weights(long[] values) { long[] copy() { return values.clone(); } }"
                            + " static final Weights WEIGHTS = new Weights(new long[] {1});"
                            + " enum Unit { KM; final java.util.List<Long> factors = new java.util.ArrayList<>();"
                            + " Unit() { factors.add(1000L); } } "),
            body(
                    "long[] mine = new long[NAMES.length]; mine[0] = 1; hashCode = 3; list.add(\"x\");",
                    "static final String[] NAMES = {\"a\"}; final java.util.List<String> list ="
                            + " new java.util.ArrayList<>(); "),
            body(
                    "Helper.used();",
                    "static final class Helper { static void used() {} static long unused() { return System.nanoTime(); }"
                            + " void never() { System.exit(1); } } "));

    private static ProcedureLoader loader;

    private static Case body(String body, String... findingsOrMembers) {
        boolean members = findingsOrMembers.length == 1 && findingsOrMembers[0].endsWith(" ");
        return members
                ? new Case(findingsOrMembers[0], body, List.of())
                : new Case("", body, List.of(findingsOrMembers));
    }

    @BeforeAll
    static void compile() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (int i = 0; i < REFUSED.size(); i++) {
            sources.put("Refused" + i, source("Refused" + i, REFUSED.get(i)));
        }
        for (int i = 0; i < ALLOWED.size(); i++) {
            sources.put("Allowed" + i, source("Allowed" + i, ALLOWED.get(i)));
        }
        loader = ProcedureLoader.ofJar(SourceCompiler.jar(sources));
    }

    /** The members are in line 3, the body of run in line 5. */
    private static String source(String name, Case source) {
        return "public class " + name + " extends io.reprise.procedure.Procedure {\n"
                + "    int hashCode;\n" + source.members() + "\n"
                + "    public void run() throws Exception {\n" + source.body() + "\n    }\n}\n";
    }

    static Stream<Integer> refused() {
        return IntStream.range(0, REFUSED.size()).boxed();
    }

    static Stream<Integer> allowed() {
        return IntStream.range(0, ALLOWED.size()).boxed();
    }

    @ParameterizedTest
    @MethodSource("refused")
    void shouldRefuse(int number) {
        String name = "Refused" + number;
        StringBuilder expected = new StringBuilder(
                "procedure P can't be deployed, because a replay could not be relied on to do the same again:");
        for (String finding : REFUSED.get(number).findings()) {
            expected.append("\n  ").append(located(name, finding).replace("%s", name));
        }

        assertThatThrownBy(() -> loader.load("P", name))
                .hasMessage(expected.toString())
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    /** A finding is in line 5 of run, unless it begins with {@code Nested.method:line}. */
    private static String located(String className, String finding) {
        int space = finding.indexOf(' ');
        String first = finding.substring(0, space);
        if (!first.contains(":")) {
            return className + ".run (" + className + ".java:5) " + finding;
        }
        String method = first.substring(0, first.indexOf(':'));
        String line = first.substring(first.indexOf(':') + 1);
        String owner = method.startsWith("$") ? className : method.indexOf('.') > 0 ? className + "$" : className + ".";
        return owner + method + " (" + className + ".java" + (line.equals("0") ? "" : ":" + line) + ")"
                + finding.substring(space);
    }

    @ParameterizedTest
    @MethodSource("allowed")
    void shouldAllow(int number) {
        String name = "Allowed" + number;

        DeployedProcedure procedure = loader.load("P", name);
        RecordingSink sink = new RecordingSink();
        procedure.invoker().invoke(procedure.create(new FakeBinding()), new Arguments(), sink);

        assertThat(sink.result()).isNull();
    }

    @Test
    void shouldListTheFirstFindingsAndCountTheOthers() {
        String body =
                IntStream.range(0, 25).mapToObj(i -> "System.nanoTime();\n").reduce("", String::concat);
        String source =
                "public class Many extends io.reprise.procedure.Procedure { public void run() {\n" + body + "}}";
        ProcedureLoader many = ProcedureLoader.ofJar(SourceCompiler.jar(Map.of("Many", source)));

        assertThatThrownBy(() -> many.load("P", "Many"))
                .hasMessageContaining("\n  Many.run (Many.java:21) calls")
                .hasMessageNotContaining("Many.java:22")
                .hasMessageEndingWith("\n  and 5 more");
    }
}
