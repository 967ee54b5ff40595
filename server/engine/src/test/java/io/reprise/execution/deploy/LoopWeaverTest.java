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

    /** Bodies of {@code long run(long n)} that would take hours or gigabytes in one call of the JDK. */
    private static final Map<String, String> TOO_LARGE = new LinkedHashMap<>();

    static {
        String repetitive = "String a = \"a\".repeat(1 << 23); String b = \"a\".repeat(1 << 22);";
        ENDLESS.put("IndexOf", repetitive + " return a.indexOf(b + \"b\");");
        ENDLESS.put("IndexOfFrom", repetitive + " return a.indexOf(b + \"b\", 5);");
        ENDLESS.put("Contains", repetitive + " return a.contains(b + \"b\") ? 1 : 0;");
        ENDLESS.put("LastIndexOf", repetitive + " return a.lastIndexOf(\"b\" + b);");
        ENDLESS.put("Replace", repetitive + " return a.replace(b + \"b\", \"\").length();");
        ENDLESS.put("BuilderIndexOf", repetitive + " return new StringBuilder(a).indexOf(b + \"b\");");
        ENDLESS.put("BuilderLastIndexOf", repetitive + " return new StringBuilder(a).lastIndexOf(\"b\" + b);");
        endlessCollections();
        ENDLESS.put(
                "AllDates",
                "return java.time.LocalDate.MIN.datesUntil(java.time.LocalDate.MAX)"
                        + ".map(java.time.LocalDate::toString).filter(String::isEmpty).count();");
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

        tooLargeNumbers();
        tooLargeTexts();
        tooLargeArrays();

        FINITE.put(
                "Integers",
                "java.math.BigInteger a = java.math.BigInteger.valueOf(n).add(java.math.BigInteger.TWO); long r = 0;"
                        + " for (java.math.BigInteger b : new java.math.BigInteger[] {a.pow(5), a.shiftLeft(70), a.shiftRight(1),"
                        + " a.shiftLeft(-1), a.setBit(40), a.clearBit(1), a.flipBit(9), a.modPow(a.pow(9), java.math.BigInteger.TEN),"
                        + " a.parallelMultiply(a), new java.math.BigInteger(\"99\"), new java.math.BigInteger(\"-ff\", 16),"
                        + " new java.math.BigInteger(new byte[] {1, 2}), new java.math.BigInteger(-1, new byte[] {3}),"
                        + " new java.math.BigInteger(new byte[] {1, 2, 3}, 1, 2), a.nextProbablePrime(),"
                        + " java.util.stream.Stream.of(\"7\", \"8\").map(java.math.BigInteger::new)"
                        + ".reduce(a, java.math.BigInteger::multiply), java.math.BigInteger.ONE.pow(Integer.MAX_VALUE)}) {"
                        + " r = r * 31 + b.hashCode() + (b.isProbablePrime(20) ? 1 : 0); } return r;");
        FINITE.put(
                "Decimals",
                "java.math.BigDecimal a = new java.math.BigDecimal(\"-12.345\"); java.math.BigDecimal b = java.math.BigDecimal.valueOf(n);"
                        + " java.math.MathContext c = new java.math.MathContext(9); java.math.RoundingMode m ="
                        + " java.math.RoundingMode.HALF_UP; StringBuilder r = new StringBuilder();"
                        + " for (Object o : new Object[] {a.add(b), a.add(b, c), a.subtract(b), a.subtract(b, c), a.multiply(b),"
                        + " a.multiply(b, c), b.divide(new java.math.BigDecimal(8)), a.divide(b, m), a.divide(b, 3, m), a.divide(b, c),"
                        + " a.divideToIntegralValue(b), a.divideToIntegralValue(b, c), a.remainder(b), a.remainder(b, c),"
                        + " a.divideAndRemainder(b)[1], a.divideAndRemainder(b, c)[0], a.pow(3), a.pow(3, c), b.sqrt(c), a.setScale(5),"
                        + " a.setScale(1, m), a.toBigInteger(), b.toBigIntegerExact(), a.toPlainString(), a.movePointLeft(4),"
                        + " a.movePointRight(9), new java.math.BigDecimal(\"1.23456\", c), new java.math.BigDecimal(\"75\".toCharArray()),"
                        + " new java.math.BigDecimal(\"x75\".toCharArray(), 1, 2), java.util.stream.Stream.of(\"7\", \"8.5\")"
                        + ".map(java.math.BigDecimal::new).reduce(a, java.math.BigDecimal::add)}) { r.append(o).append('|'); }"
                        + " return r.toString().hashCode();");
        FINITE.put(
                "Texts",
                "String s = \"abcabc\" + n; StringBuilder b = new StringBuilder(20).append(s).repeat(\"xy\", 2).repeat('z', 3);"
                        + " b.ensureCapacity(50); b.setLength(15); StringBuffer f = new StringBuffer(5).append(s); f.setLength(6);"
                        + " long r = b.indexOf(\"c\") + 10 * b.indexOf(\"c\", 3) + 100 * b.lastIndexOf(\"a\") + 1000 * b.lastIndexOf(\"a\", 2)"
                        + " + f.indexOf(\"b\") + f.lastIndexOf(\"b\"); return r * 31 + (b + \"|\" + f + s.repeat(2) + s.indent(3)"
                        + " + String.format(java.util.Locale.ROOT, \"%5d 123456789 %%99999999999 %-4s|%.2f\", n, s, 1.5) + s.contains(\"ca\")"
                        + " + s.indexOf(\"a\") + s.indexOf(\"a\", 1) + s.indexOf(\"a\", 1, 3) + s.indexOf(\"a\", -5) + s.indexOf(\"a\", 99)"
                        + " + s.lastIndexOf(\"a\") + s.lastIndexOf(\"a\", 2) + s.lastIndexOf(\"\", 99) + s.replace(\"a\", \"-\") + s.replace(\"\", \".\")"
                        + " + java.util.Collections.nCopies(3, s)).hashCode();");
        FINITE.put(
                "LongTexts",
                "String a = \"ab\".repeat(5_000) + \"c\" + \"ab\".repeat(5_000); String b = \"ab\".repeat(2_000); StringBuilder s ="
                        + " new StringBuilder(a); return (a.indexOf(b + \"c\") + \",\" + a.indexOf(b, 7) + \",\" + a.indexOf(b, -1) + \",\""
                        + " + a.indexOf(b, 15_000) + \",\" + a.indexOf(b + \"c\", 6_000, 10_001) + \",\" + a.lastIndexOf(\"c\" + b) + \",\""
                        + " + a.lastIndexOf(b) + \",\" + a.lastIndexOf(b, 9_000) + \",\" + a.lastIndexOf(b, -1) + \",\" + a.contains(b + \"d\")"
                        + " + \",\" + s.indexOf(b, 3) + \",\" + s.lastIndexOf(b) + \",\" + a.replace(b, \"x\")).hashCode();");
        FINITE.put(
                "Arrays",
                "int m = (int) n; int[][][] cube = new int[m][2][3]; cube[m - 1][1][2] = 5; String[][] rows = new String[m][]; rows[0] ="
                        + " new String[] {\"a\", null}; long[][] none = new long[0][1 << 30]; java.util.BitSet b = new java.util.BitSet(m);"
                        + " b.set(m); b.set(9, true); b.set(2, 5); b.set(3, 6, false); b.flip(1); b.flip(7, 12); String failure;"
                        + " try { failure = \"\" + new int[m][-m].length; } catch (NegativeArraySizeException e) { failure = e.getMessage(); }"
                        + " java.util.List<Integer> l = new java.util.ArrayList<>(m); l.add(m); java.util.Map<Integer, Integer> h ="
                        + " new java.util.LinkedHashMap<>(m, 0.5f); h.put(m, 1); java.util.PriorityQueue<Integer> q ="
                        + " new java.util.PriorityQueue<>(m, java.util.Comparator.reverseOrder()); q.add(m); return (java.util.Arrays"
                        + ".deepToString(cube) + java.util.Arrays.deepToString(rows) + none.length + b + failure + l + h + q + java.util.Arrays"
                        + ".toString(java.util.Arrays.copyOf(rows[0], 3)) + java.util.Arrays.toString(java.util.Arrays.copyOfRange(new byte[] {1, 2, 3},"
                        + " 1, m + 2)) + java.util.Arrays.toString(java.util.Arrays.copyOfRange(rows[0], 0, 2, Object[].class)) + new java.util.LinkedHashMap<Integer, Integer>(m, 0.5f, true) + java.nio.ByteBuffer.allocate(m).capacity() + java.util.LinkedHashSet.newLinkedHashSet(m)"
                        + " + java.util.stream.Stream.of(1, 2).toArray(Integer[]::new).length).hashCode();");
        FINITE.put(
                "Dates",
                "java.time.LocalDate d = java.time.LocalDate.ofEpochDay(n); return d.datesUntil(d.plusDays(3)).map(java.time.LocalDate::toString)"
                        + ".collect(java.util.stream.Collectors.joining()).hashCode() + d.datesUntil(d.plusDays(30),"
                        + " java.time.Period.ofDays(7)).count();");
        FINITE.put(
                "Subclass",
                "return new Big(\"4\").pow(3).add(new Big(\"5\").multiply(new Big(\"6\"))).longValue(); }"
                        + " static final class Big extends java.math.BigInteger { Big(String digits) { super(digits); }"
                        + " @Override public java.math.BigInteger pow(int n) { return super.pow(n).add(java.math.BigInteger.ONE); }");
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

    private static void tooLargeNumbers() {
        String wide = "java.math.BigInteger a = java.math.BigInteger.ONE.shiftLeft(200_000);";
        TOO_LARGE.put(
                "IntegerPow", "return java.math.BigInteger.valueOf(n + 2).pow(Integer.MAX_VALUE / 2).bitLength();");
        TOO_LARGE.put("IntegerMultiply", wide + " return a.multiply(a).bitLength();");
        TOO_LARGE.put("IntegerParallel", wide + " return a.parallelMultiply(a).bitLength();");
        TOO_LARGE.put(
                "IntegerReference",
                wide
                        + " return java.util.stream.Stream.of(a, a).reduce(java.math.BigInteger::multiply).get().bitLength();");
        TOO_LARGE.put("IntegerShift", "return java.math.BigInteger.valueOf(n).shiftLeft(2_000_000_000).bitLength();");
        TOO_LARGE.put(
                "IntegerShiftBack", "return java.math.BigInteger.valueOf(n).shiftRight(-2_000_000_000).bitLength();");
        for (String bit : List.of("set", "clear", "flip")) {
            TOO_LARGE.put(
                    "Integer" + bit, "return java.math.BigInteger.ONE." + bit + "Bit(2_000_000_000).bitLength();");
        }
        TOO_LARGE.put(
                "IntegerModPow",
                wide
                        + " java.math.BigInteger b = a.add(java.math.BigInteger.ONE); return b.modPow(a, b.setBit(3)).bitLength();");
        TOO_LARGE.put("IntegerPrime", wide + " return a.setBit(0).isProbablePrime(100) ? 1 : 0;");
        TOO_LARGE.put("IntegerNextPrime", wide + " return a.nextProbablePrime().bitLength();");
        TOO_LARGE.put("IntegerText", "return new java.math.BigInteger(\"7\".repeat(10_000_000)).bitLength();");
        TOO_LARGE.put("IntegerTextRadix", "return new java.math.BigInteger(\"7\".repeat(10_000_000), 11).bitLength();");
        TOO_LARGE.put(
                "IntegerTextReference",
                "return java.util.stream.Stream.of(\"7\".repeat(10_000_000)).map(java.math.BigInteger::new).count()"
                        + " + java.util.stream.Stream.of(\"7\".repeat(10_000_000)).map(java.math.BigInteger::new).toList().size();");
        TOO_LARGE.put("IntegerBytes", "return new java.math.BigInteger(new byte[1 << 20]).bitLength();");
        TOO_LARGE.put(
                "IntegerBytesPart", "return new java.math.BigInteger(1, new byte[1 << 20], 1, 1 << 19).bitLength();");

        String huge = "java.math.BigDecimal a = new java.math.BigDecimal(\"1e1000000000\"); java.math.BigDecimal b ="
                + " java.math.BigDecimal.valueOf(n + 2); java.math.MathContext c = new java.math.MathContext(1_000_000_000);"
                + " java.math.RoundingMode m = java.math.RoundingMode.HALF_UP; ";
        Map<String, String> decimals = Map.ofEntries(
                Map.entry("Add", "a.add(b)"),
                Map.entry("AddContext", "a.add(b, c)"),
                Map.entry("AddUnlimited", "a.add(b, java.math.MathContext.UNLIMITED)"),
                Map.entry("Subtract", "b.subtract(a)"),
                Map.entry("Sum", "java.util.stream.Stream.of(a, b).reduce(java.math.BigDecimal::add).get()"),
                Map.entry("Divide", "b.divide(new java.math.BigDecimal(7), 1_000_000_000, m)"),
                Map.entry("DivideSmall", "java.math.BigDecimal.ONE.divide(a, 2, m)"),
                Map.entry("DivideMode", "b.divide(java.math.BigDecimal.valueOf(1, 1_000_000_000), m)"),
                Map.entry("DivideContext", "b.divide(new java.math.BigDecimal(7), c)"),
                Map.entry("Integral", "a.divideToIntegralValue(b)"),
                Map.entry("Remainder", "a.remainder(b)"),
                Map.entry("Both", "a.divideAndRemainder(b)[1]"),
                Map.entry("Pow", "b.pow(999_999_999)"),
                Map.entry("PowContext", "b.pow(999_999_999, c)"),
                Map.entry("Sqrt", "b.sqrt(c)"),
                Map.entry("Scale", "b.setScale(1_000_000_000)"),
                Map.entry("ScaleMode", "a.setScale(2, m)"),
                Map.entry("Integer", "a.toBigInteger()"),
                Map.entry("IntegerExact", "a.toBigIntegerExact()"),
                Map.entry("Plain", "a.toPlainString()"),
                Map.entry("PlainReference", "java.util.Optional.of(a).map(java.math.BigDecimal::toPlainString).get()"),
                Map.entry("Left", "b.movePointLeft(-1_000_000_000)"),
                Map.entry("Right", "b.movePointRight(1_000_000_000)"),
                Map.entry("Text", "new java.math.BigDecimal(\"7\".repeat(10_000_000))"),
                Map.entry(
                        "TextContext",
                        "new java.math.BigDecimal(\"7\".repeat(10_000_000), new java.math.MathContext(5))"),
                Map.entry("Chars", "new java.math.BigDecimal(\"7\".repeat(10_000_000).toCharArray(), 5, 9_000_000)"),
                Map.entry("Format", "String.format(java.util.Locale.ROOT, \"%f\", a)"));
        decimals.forEach((name, body) -> TOO_LARGE.put("Decimal" + name, huge + "return " + body + ".hashCode();"));
    }

    /** Each of them compares 2^38 pairs of elements and more, which takes many minutes. No other check is on their way. */
    private static void endlessCollections() {
        String lists =
                "java.util.List<Integer> a = new java.util.ArrayList<>(java.util.Collections.nCopies(1 << 20, 1));"
                        + " java.util.List<Integer> b = new java.util.ArrayList<>(java.util.Collections.nCopies(1 << 20, 2));"
                        + " java.util.List<Integer> c = new java.util.LinkedList<>(a);"
                        + " java.util.List<Integer> d = new java.util.ArrayList<>(java.util.Collections.nCopies(1 << 19, 1));"
                        + " d.add(2); java.util.BitSet bits = new java.util.BitSet(); bits.set(3, 1 << 19);"
                        + " java.util.Set<Integer> s = new java.util.LinkedHashSet<>(bits.stream().boxed().toList());"
                        + " java.util.ArrayDeque<Integer> q = new java.util.ArrayDeque<>(a);"
                        + " java.util.Map<Integer, Integer> m = bits.stream().boxed().collect("
                        + "java.util.stream.Collectors.toMap(java.util.function.Function.identity(),"
                        + " java.util.function.Function.identity(), Integer::sum, java.util.LinkedHashMap::new));";
        Map<String, String> bodies = new LinkedHashMap<>();
        bodies.put("RemoveAll", "a.removeAll(b) ? 1 : 0");
        bodies.put("RetainAll", "a.retainAll(b) ? 1 : 0");
        bodies.put("ContainsAll", "d.containsAll(b) ? 1 : 0");
        bodies.put("RemoveFromSet", "s.removeAll(b) ? 1 : 0");
        bodies.put("RemoveFromLinked", "c.removeAll(b) ? 1 : 0");
        bodies.put("RemoveFromQueue", "q.removeAll(b) ? 1 : 0");
        bodies.put("RemoveFromView", "m.keySet().removeAll(b) ? 1 : 0");
        bodies.put("RetainValues", "m.values().retainAll(a) ? 1 : 0");
        bodies.put("RemoveSelf", "new Own(a).removeAll(b) ? 1 : 0");
        bodies.put("RemoveSuper", "new Passing(a).removeAll(b) ? 1 : 0");
        bodies.put("RetainSuper", "new Passing(a).retainAll(b) ? 1 : 0");
        bodies.put(
                "RemoveBy", "((java.util.function.Predicate<java.util.List<Integer>>) a::removeAll).test(b) ? 1 : 0");
        bodies.put("RemoveIf", "a.removeIf(b::contains) ? 1 : 0");
        bodies.put("Filter", "a.stream().filter(b::contains).count()");
        bodies.put("IndexOfReference", "a.stream().mapToInt(b::indexOf).max().getAsInt()");
        bodies.put("RemoveReference", "a.stream().filter(b::remove).count()");
        bodies.put("DequeReference", "b.stream().filter(q::removeFirstOccurrence).count()");
        bodies.put("ValueReference", "a.stream().filter(m::containsValue).count()");
        bodies.put("Disjoint", "java.util.Collections.disjoint(a, b) ? 1 : 0");
        bodies.put("SubList", "java.util.Collections.indexOfSubList(a, d)");
        bodies.put("LastSubList", "java.util.Collections.lastIndexOfSubList(a, d)");
        bodies.forEach((name, result) -> ENDLESS.put(
                "Collection" + name,
                "class Own extends java.util.ArrayList<Integer> { Own(java.util.List<Integer> all) { super(all); } } "
                        + "class Passing extends Own { Passing(java.util.List<Integer> all) { super(all); }"
                        + " public boolean removeAll(java.util.Collection<?> c) { return super.removeAll(c); }"
                        + " public boolean retainAll(java.util.Collection<?> c) { return super.retainAll(c); } } "
                        + lists + " return " + result + ";"));
        String small =
                "java.util.List<Long> a = new java.util.ArrayList<>(); for (long i = 0; i < 600; i++) { a.add(i % (n + 350)); }"
                        + " java.util.List<Long> b = new java.util.LinkedList<>(); for (long i = 0; i < 600; i++) { b.add(i * n); }"
                        + " java.util.TreeSet<Long> s = new java.util.TreeSet<>(a); ";
        for (String each : List.of(
                "a.removeAll(b) ? a.hashCode() : 0",
                "b.removeAll(a) ? b.hashCode() : 0",
                "a.retainAll(b) ? a.hashCode() : 0",
                "s.removeAll(b) ? s.hashCode() : 0",
                "s.retainAll(b) ? s.hashCode() : 0",
                "a.containsAll(s) && s.containsAll(a) && !a.containsAll(b) ? 1 : 0",
                "a.removeIf(b::contains) ? a.hashCode() : 0",
                "b.stream().filter(s::contains).mapToInt(a::indexOf).sum()",
                "java.util.Collections.disjoint(a, b) ? 1 : 0",
                "java.util.Collections.indexOfSubList(a, a.subList(40, 590))",
                "java.util.Collections.lastIndexOfSubList(a, a.subList(10, 240))",
                "java.util.Collections.indexOfSubList(a, b)")) {
            FINITE.put("Collections" + FINITE.size(), small + "return " + each + ";");
        }
        FINITE.put(
                "CollectionsSuper",
                "class Passing extends java.util.ArrayList<Long> {"
                        + " public boolean removeAll(java.util.Collection<?> c) { return super.removeAll(c); }"
                        + " public boolean containsAll(java.util.Collection<?> c) { return super.containsAll(c); } } "
                        + small
                        + "Passing own = new Passing(); own.addAll(a); boolean all = own.containsAll(s);"
                        + " try { own.removeAll(null); return 1; } catch (NullPointerException e) {"
                        + " return all && own.removeAll(b) ? own.hashCode() : 0; }");
        FINITE.put(
                "CollectionsUnbound",
                small + "java.util.function.BiPredicate<java.util.List<Long>, Long> in = java.util.List::contains;"
                        + " return in.test(a, n) && !in.test(b, -n) ? 1 : 0;");
        FINITE.put(
                "CollectionsNone",
                small + "try { a.removeAll(null); return 1; } catch (NullPointerException e) { return 2; }");
    }

    private static void tooLargeTexts() {
        TOO_LARGE.put("Repeat", "return \"abc\".repeat(700_000_000).length();");
        TOO_LARGE.put("Indent", "return \"a\\nb\".indent(700_000_000).length();");
        TOO_LARGE.put("FormatWidth", "return String.format(java.util.Locale.ROOT, \"%2000000000d\", n).length();");
        TOO_LARGE.put(
                "FormatPrecision", "return String.format(java.util.Locale.ROOT, \"%-5.2000000000f\", 1.0).length();");
        TOO_LARGE.put("BuilderRepeat", "return new StringBuilder().repeat(\"ab\", 1_000_000_000).length();");
        TOO_LARGE.put("BuilderRepeatOne", "return new StringBuilder().repeat('a', 2_000_000_000).length();");
        TOO_LARGE.put("BufferRepeat", "return new StringBuffer().repeat(\"ab\", 1_000_000_000).length();");
        TOO_LARGE.put(
                "BuilderLength",
                "StringBuilder b = new StringBuilder(); b.setLength(2_000_000_000); return b.length();");
        TOO_LARGE.put("BuilderCapacity", "return new StringBuilder(2_000_000_000).length();");
        TOO_LARGE.put(
                "BuilderEnsure",
                "StringBuilder b = new StringBuilder(); b.ensureCapacity(2_000_000_000); return b.length();");
        TOO_LARGE.put("BufferCapacity", "return new StringBuffer(2_000_000_000).length();");
        TOO_LARGE.put(
                "Copies", "return String.join(\"\", java.util.Collections.nCopies(2_000_000_000, \"a\")).length();");
        TOO_LARGE.put("ReplaceGrows", "return \"a\".repeat(1 << 20).replace(\"a\", \"b\".repeat(1 << 12)).length();");
        TOO_LARGE.put("ReplaceNothing", "return \"a\".repeat(1 << 20).replace(\"\", \"b\".repeat(1 << 12)).length();");
    }

    private static void tooLargeArrays() {
        String many = "int many = (int) n * 20_000_000; ";
        Map<String, String> arrays = new LinkedHashMap<>();
        arrays.put("Numbers", "new long[many].length");
        arrays.put("Objects", "new String[many].length");
        arrays.put("Reference", "((java.util.function.IntFunction<long[]>) long[]::new).apply(many).length");
        arrays.put("Square", "new int[many / 100][many / 100].length");
        arrays.put("Cube", "new byte[300][300][many / 100].length");
        arrays.put("Rows", "new byte[many][][].length");
        arrays.put("Copy", "java.util.Arrays.copyOf(new int[] {1}, many).length");
        arrays.put("CopyObjects", "java.util.Arrays.copyOf(new String[] {null}, many).length");
        arrays.put("CopyRange", "java.util.Arrays.copyOfRange(new int[] {1}, 0, many).length");
        arrays.put(
                "CopyTypedRange", "java.util.Arrays.copyOfRange(new String[] {null}, 0, many, Object[].class).length");
        arrays.put("OrderedMap", "new java.util.LinkedHashMap<Long, Long>(many, 0.5f, true).size()");
        arrays.put("List", "new java.util.ArrayList<Long>(many).size()");
        arrays.put("Deque", "new java.util.ArrayDeque<Long>(many).size()");
        arrays.put("Heap", "new java.util.PriorityQueue<Long>(many, java.util.Comparator.<Long>naturalOrder()).size()");
        arrays.put("Map", "new java.util.LinkedHashMap<Long, Long>(many).size()");
        arrays.put("LoadedSet", "new java.util.LinkedHashSet<Long>(many, 0.5f).size()");
        arrays.put("MadeMap", "java.util.LinkedHashMap.newLinkedHashMap(many).size()");
        arrays.put("Bits", "new java.util.BitSet(many * 100).size()");
        arrays.put("Buffer", "java.nio.ByteBuffer.allocate(many).capacity()");
        arrays.forEach((name, made) -> TOO_LARGE.put("Array" + name, many + "return " + made + ";"));
        TOO_LARGE.put("ArrayEnsure", "new java.util.ArrayList<Long>().ensureCapacity((int) n * 20_000_000); return n;");
        TOO_LARGE.put("BitSet", "new java.util.BitSet().set((int) n * 2_000_000_000); return n;");
        TOO_LARGE.put("BitFlip", "new java.util.BitSet().flip(5, (int) n * 2_000_000_000); return n;");
        TOO_LARGE.put("BitValue", "new java.util.BitSet().set((int) n * 2_000_000_000, n == 1); return n;");
        TOO_LARGE.put("BitRange", "new java.util.BitSet().set(5, (int) n * 2_000_000_000, n == 1); return n;");
    }

    private static ProcedureLoader woven;
    private static ClassLoader plain;

    @BeforeAll
    static void compile() {
        Map<String, String> sources = new LinkedHashMap<>();
        ENDLESS.forEach((name, body) -> sources.put(name, source(name, body)));
        FINITE.forEach((name, body) -> sources.put(name, source(name, body)));
        TOO_LARGE.forEach((name, body) -> sources.put(name, source(name, body)));
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

    static Iterable<String> tooLarge() {
        return TOO_LARGE.keySet();
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
    @MethodSource("tooLarge")
    void shouldRefuseACallWhoseArgumentsAskForTooMuch(String name) {
        assertThatThrownBy(() -> call(name, 1))
                .isInstanceOfAny(ArithmeticException.class, IllegalArgumentException.class)
                .hasMessageContaining("a procedure");
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
