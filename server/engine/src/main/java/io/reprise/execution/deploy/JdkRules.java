package io.reprise.execution.deploy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The part of the JDK that a procedure may use. It is a list of allowed classes, whose results depend on their
 * arguments only, less the members that don't keep to that. Everything else is refused, with advice if there is some.
 */
final class JdkRules {
    private static final Set<String> PACKAGES = Set.of("java.util.function", "java.util.regex", "java.time.temporal");

    static final Set<String> CLASSES = allowed();
    static final Map<String, Set<String>> ONLY = Map.of(
            "java.lang.System", Set.of("arraycopy"),
            "java.lang.Class", Set.of("desiredAssertionStatus", "getName", "getSimpleName", "isInstance", "cast"),
            "java.nio.charset.Charset", Set.of("name", "encode", "decode"),
            "java.util.concurrent.TimeUnit",
                    Set.of(
                            "toNanos",
                            "toMicros",
                            "toMillis",
                            "toSeconds",
                            "toMinutes",
                            "toHours",
                            "toDays",
                            "convert",
                            "NANOSECONDS",
                            "MICROSECONDS",
                            "MILLISECONDS",
                            "SECONDS",
                            "MINUTES",
                            "HOURS",
                            "DAYS"));
    static final Map<String, Map<String, String>> DENIED = denied();

    private JdkRules() {}

    /**
     * Why a member of a JDK class may not be used; empty where it may.
     *
     * @param parameters the descriptor of a method's parameters in parentheses, or empty for a field
     */
    static Optional<String> refusal(String className, String member, String parameters) {
        Map<String, String> denied = DENIED.getOrDefault(className, Map.of());
        String exact = denied.get(member + parameters);
        String reason = exact != null ? exact : denied.get(member);
        if (reason != null) {
            return Optional.of(reason);
        }
        if (ONLY.containsKey(className)) {
            return ONLY.get(className).contains(member) ? Optional.empty() : Optional.of(JdkAdvice.of(className));
        }
        if (className.startsWith("java.time.") && (member.startsWith("now") || member.equals("dateNow"))) {
            return Optional.of(JdkAdvice.CLOCK);
        }
        if (isThrowable(className)) {
            return Optional.ofNullable(DENIED.get("java.lang.Throwable").get(member));
        }
        if (member.equals("parallel") || member.equals("parallelStream")) {
            return Optional.of(JdkAdvice.THREADS);
        }
        return isAllowed(className)
                ? refusalOfInherited(className, member, parameters)
                : Optional.of(JdkAdvice.of(className));
    }

    /** An inherited member is judged as its own class's; an object of an allowed class may be asked for it. */
    private static Optional<String> refusalOfInherited(String className, String member, String parameters) {
        Optional<JdkMembers.Declared> found = JdkMembers.declared(className, member, parameters);
        if (found.isEmpty() || found.get().className().equals(className)) {
            return Optional.empty();
        }
        JdkMembers.Declared declared = found.get();
        return declared.isStatic() || DENIED.containsKey(declared.className())
                ? refusal(declared.className(), member, parameters)
                : Optional.empty();
    }

    private static boolean isAllowed(String className) {
        int nested = className.indexOf('$');
        String outer = nested < 0 ? className : className.substring(0, nested);
        return CLASSES.contains(outer) || PACKAGES.contains(packageOf(outer));
    }

    private static boolean isThrowable(String className) {
        return className.startsWith("java.")
                && (className.endsWith("Exception") || className.endsWith("Error") || className.endsWith(".Throwable"));
    }

    private static String packageOf(String className) {
        return className.substring(0, Math.max(0, className.lastIndexOf('.')));
    }

    private static Set<String> allowed() {
        Set<String> classes = new HashSet<>();
        add(
                classes,
                "java.lang",
                List.of(
                        "Object",
                        "String",
                        "StringBuilder",
                        "StringBuffer",
                        "CharSequence",
                        "Character",
                        "Boolean",
                        "Byte",
                        "Short",
                        "Integer",
                        "Long",
                        "Float",
                        "Double",
                        "Number",
                        "Math",
                        "StrictMath",
                        "Comparable",
                        "Iterable",
                        "Enum",
                        "Record",
                        "Void",
                        "AutoCloseable",
                        "Runnable",
                        "Cloneable",
                        "Appendable"));
        add(classes, "java.math", List.of("BigDecimal", "BigInteger", "MathContext", "RoundingMode"));
        add(
                classes,
                "java.util",
                List.of(
                        "AbstractCollection",
                        "AbstractList",
                        "AbstractMap",
                        "AbstractQueue",
                        "AbstractSequentialList",
                        "AbstractSet",
                        "ArrayDeque",
                        "ArrayList",
                        "Arrays",
                        "Base64",
                        "BitSet",
                        "Collection",
                        "Collections",
                        "Comparator",
                        "Deque",
                        "DoubleSummaryStatistics",
                        "EnumMap",
                        "EnumSet",
                        "HashMap",
                        "HashSet",
                        "HexFormat",
                        "IntSummaryStatistics",
                        "Iterator",
                        "LinkedHashMap",
                        "LinkedHashSet",
                        "LinkedList",
                        "List",
                        "ListIterator",
                        "Locale",
                        "LongSummaryStatistics",
                        "Map",
                        "NavigableMap",
                        "NavigableSet",
                        "Objects",
                        "Optional",
                        "OptionalDouble",
                        "OptionalInt",
                        "OptionalLong",
                        "PrimitiveIterator",
                        "PriorityQueue",
                        "Queue",
                        "RandomAccess",
                        "SequencedCollection",
                        "SequencedMap",
                        "SequencedSet",
                        "Set",
                        "SortedMap",
                        "SortedSet",
                        "Spliterator",
                        "StringJoiner",
                        "StringTokenizer",
                        "TreeMap",
                        "TreeSet",
                        "UUID"));
        add(
                classes,
                "java.util.stream",
                List.of("BaseStream", "Stream", "IntStream", "LongStream", "DoubleStream", "Collector", "Collectors"));
        add(classes, "java.util.concurrent", List.of("Callable"));
        add(classes, "java.util.zip", List.of("CRC32", "CRC32C", "Adler32", "Checksum"));
        add(
                classes,
                "java.time",
                List.of(
                        "DayOfWeek",
                        "Duration",
                        "Instant",
                        "LocalDate",
                        "LocalDateTime",
                        "LocalTime",
                        "Month",
                        "MonthDay",
                        "OffsetDateTime",
                        "OffsetTime",
                        "Period",
                        "Year",
                        "YearMonth",
                        "ZoneOffset"));
        add(
                classes,
                "java.time.chrono",
                List.of("ChronoLocalDate", "ChronoLocalDateTime", "ChronoPeriod", "IsoChronology", "Chronology"));
        add(classes, "java.time.format", List.of("DateTimeFormatter", "ResolverStyle"));
        add(classes, "java.nio", List.of("ByteBuffer", "ByteOrder", "Buffer", "CharBuffer", "LongBuffer", "IntBuffer"));
        add(classes, "java.nio.charset", List.of("StandardCharsets"));
        add(classes, "java.io", List.of("Serializable"));
        return Set.copyOf(classes);
    }

    private static void add(Set<String> classes, String packageName, List<String> names) {
        names.forEach(name -> classes.add(packageName + "." + name));
    }

    private static Map<String, Map<String, String>> denied() {
        Map<String, Map<String, String>> denied = new HashMap<>();
        deny(denied, "java.lang.Object", JdkAdvice.IDENTITY, "hashCode", "toString");
        deny(denied, "java.lang.Object", JdkAdvice.THREADS, "wait", "notify", "notifyAll");
        deny(denied, "java.lang.Object", "what the garbage collector does can't be repeated", "finalize");
        deny(denied, "java.lang.Enum", JdkAdvice.IDENTITY, "hashCode");
        deny(denied, "java.lang.Class", JdkAdvice.REFLECTION, "forName", "newInstance");
        for (String error : List.of(
                "java.lang.VirtualMachineError",
                "java.lang.InternalError",
                "java.lang.UnknownError",
                "java.util.zip.ZipError")) {
            deny(denied, error, JdkAdvice.BROKEN, "<init>");
        }
        deny(denied, "java.lang.Throwable", JdkAdvice.TRACE, "getStackTrace", "printStackTrace", "setStackTrace");
        deny(denied, "java.lang.System", JdkAdvice.CLOCK, "currentTimeMillis", "nanoTime");
        deny(denied, "java.lang.System", JdkAdvice.IDENTITY, "identityHashCode");
        deny(denied, "java.util.Objects", JdkAdvice.IDENTITY, "toIdentityString");
        deny(denied, "java.lang.Math", JdkAdvice.RANDOM, "random");
        deny(denied, "java.lang.StrictMath", JdkAdvice.RANDOM, "random");
        deny(
                denied,
                "java.lang.Math",
                JdkAdvice.PRECISION,
                "sin",
                "cos",
                "tan",
                "asin",
                "acos",
                "atan",
                "atan2",
                "sinh",
                "cosh",
                "tanh",
                "exp",
                "expm1",
                "log",
                "log10",
                "log1p",
                "pow",
                "cbrt",
                "hypot");
        deny(denied, "java.lang.Integer", JdkAdvice.OUTSIDE, "getInteger");
        deny(denied, "java.lang.Long", JdkAdvice.OUTSIDE, "getLong");
        deny(denied, "java.lang.Boolean", JdkAdvice.OUTSIDE, "getBoolean");
        deny(denied, "java.lang.Double", JdkAdvice.NAN + "doubleToLongBits", "doubleToRawLongBits");
        deny(denied, "java.lang.Float", JdkAdvice.NAN + "floatToIntBits", "floatToRawIntBits");
        deny(
                denied,
                "java.lang.String",
                JdkAdvice.LOCALE,
                "toUpperCase()",
                "toLowerCase()",
                "formatted",
                "format(Ljava/lang/String;[Ljava/lang/Object;)");
        deny(denied, "java.lang.String", JdkAdvice.CHARSET, "getBytes()", "<init>([B)", "<init>([BII)");
        deny(
                denied,
                "java.util.Locale",
                JdkAdvice.LOCALE,
                "getDefault",
                "setDefault",
                "getDisplayName()",
                "getDisplayLanguage()",
                "getDisplayCountry()",
                "getDisplayScript()",
                "getDisplayVariant()");
        deny(
                denied,
                "java.time.format.DateTimeFormatter",
                JdkAdvice.LOCALE,
                "ofPattern(Ljava/lang/String;)",
                "ofLocalizedDate",
                "ofLocalizedTime",
                "ofLocalizedDateTime",
                "ofLocalizedPattern",
                "localizedBy");
        deny(denied, "java.util.UUID", JdkAdvice.RANDOM, "randomUUID");
        deny(denied, "java.util.Collections", JdkAdvice.RANDOM, "shuffle(Ljava/util/List;)");
        deny(denied, "java.math.BigInteger", JdkAdvice.RANDOM, "probablePrime");
        deny(denied, "java.nio.ByteBuffer", JdkAdvice.OUTSIDE, "allocateDirect");
        deny(denied, "java.nio.ByteOrder", "it differs between processors; name the order", "nativeOrder");
        deny(denied, "java.util.HashMap", JdkAdvice.ORDER + "LinkedHashMap", "<init>", "newHashMap");
        deny(denied, "java.util.HashSet", JdkAdvice.ORDER + "LinkedHashSet", "<init>", "newHashSet");
        deny(denied, "java.util.Map", JdkAdvice.ORDER + "LinkedHashMap", "of", "ofEntries", "copyOf");
        deny(denied, "java.util.Set", JdkAdvice.ORDER + "LinkedHashSet", "of", "copyOf");
        deny(
                denied,
                "java.util.stream.Collectors",
                JdkAdvice.ORDER + "toCollection(LinkedHashSet::new)",
                "toSet",
                "toUnmodifiableSet");
        String function = "Ljava/util/function/Function;";
        deny(
                denied,
                "java.util.stream.Collectors",
                JdkAdvice.ORDER + "the overload that takes a map factory, with" + " LinkedHashMap::new",
                "toMap(" + function + function + ")",
                "toMap(" + function + function + "Ljava/util/function/BinaryOperator;)",
                "groupingBy(" + function + ")",
                "groupingBy(" + function + "Ljava/util/stream/Collector;)",
                "toUnmodifiableMap");
        deny(denied, "java.util.stream.Collectors", JdkAdvice.THREADS, "toConcurrentMap", "groupingByConcurrent");
        deny(denied, "java.util.Arrays", JdkAdvice.THREADS, "parallelSort", "parallelPrefix", "parallelSetAll");
        for (String kind : List.of("", "Int", "Long", "Double")) {
            Map<String, String> stream =
                    denied.computeIfAbsent("java.util.stream." + kind + "Stream", _ -> new HashMap<>());
            stream.put("generate", JdkAdvice.ENDLESS);
            String operator = "Ljava/util/function/" + kind + "UnaryOperator;";
            String seed =
                    kind.isEmpty() ? "Ljava/lang/Object;" : kind.substring(0, 1).replace('L', 'J');
            stream.put("iterate(" + seed + operator + ")", JdkAdvice.ENDLESS);
        }
        return denied;
    }

    private static void deny(
            Map<String, Map<String, String>> denied, String className, String reason, String... members) {
        for (String member : members) {
            denied.computeIfAbsent(className, _ -> new HashMap<>()).put(member, reason);
        }
    }
}
