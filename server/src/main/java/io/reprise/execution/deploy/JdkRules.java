package io.reprise.execution.deploy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What of the JDK a procedure may use. It is a list of what is allowed, classes whose results depend on their arguments
 * only, less the members that don't keep to that; whatever is not on it is refused, with advice where there is some.
 */
final class JdkRules {
    private static final String CLOCK = "a replay would read another time; use timestampMicros()";
    private static final String RANDOM = "a replay would draw other numbers; use random()";
    private static final String THREADS =
            "a procedure runs alone on its partition's thread and must not start, wait for or lock out others";
    private static final String OUTSIDE =
            "a procedure has no access to files, network, processes and the machine; pass what it needs as a parameter,"
                    + " and return what it has to say";
    private static final String REFLECTION = "reflection and class loading are closed to procedures; call it directly";
    private static final String ORDER = "its order differs from one JVM to the next; use ";
    private static final String LOCALE = "it depends on the machine's language; pass Locale.ROOT";
    private static final String CHARSET = "it depends on the machine's character set; pass StandardCharsets.UTF_8";
    private static final String IDENTITY =
            "it depends on where the object happens to lie in memory; call a method that its class overrides";
    private static final String PRECISION =
            "its last digit may differ from one processor to the next; use the method of StrictMath";
    private static final String ENDLESS = "an endless stream can't be ended by the time limit; use a loop";
    private static final String TRACE = "stack traces differ from run to run";
    private static final String UNLISTED =
            "it is not among the classes of the JDK that a procedure may use, those known to do the same in a replay";

    private static final Set<String> PACKAGES = Set.of("java.util.function", "java.util.regex", "java.time.temporal");

    private static final Set<String> CLASSES = allowed();
    private static final Map<String, Set<String>> ONLY = Map.of(
            "java.lang.System", Set.of("arraycopy"),
            "java.lang.Class",
                    Set.of("desiredAssertionStatus", "getName", "getSimpleName", "isInstance", "cast"),
            "java.nio.charset.Charset", Set.of("name", "encode", "decode"),
            "java.util.concurrent.TimeUnit",
                    Set.of("toNanos", "toMicros", "toMillis", "toSeconds", "toMinutes", "toHours", "toDays", "convert",
                            "NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS", "DAYS"));
    private static final Map<String, Map<String, String>> DENIED = denied();

    private static final Map<String, String> ADVICE = Map.ofEntries(
            Map.entry("java.util.Date", CLOCK),
            Map.entry("java.util.Calendar", CLOCK),
            Map.entry("java.util.GregorianCalendar", CLOCK),
            Map.entry("java.util.TimeZone", CLOCK),
            Map.entry("java.time.Clock", CLOCK),
            Map.entry("java.time.InstantSource", CLOCK),
            Map.entry("java.time.ZoneId", "the rules of time zones differ between versions of Java; use ZoneOffset"),
            Map.entry("java.time.ZonedDateTime", "the rules of time zones differ between versions of Java; use"
                    + " OffsetDateTime"),
            Map.entry("java.util.Random", RANDOM),
            Map.entry("java.util.SplittableRandom", RANDOM),
            Map.entry("java.util.random.", RANDOM),
            Map.entry("java.util.concurrent.ThreadLocalRandom", RANDOM),
            Map.entry("java.security.SecureRandom", RANDOM),
            Map.entry("java.lang.Thread", THREADS),
            Map.entry("java.lang.VirtualThread", THREADS),
            Map.entry("java.lang.ThreadLocal", THREADS),
            Map.entry("java.lang.InheritableThreadLocal", THREADS),
            Map.entry("java.util.Timer", THREADS),
            Map.entry("java.util.concurrent.atomic.", "a procedure runs on one thread; use a plain field"),
            Map.entry("java.util.concurrent.ConcurrentHashMap", ORDER + "LinkedHashMap"),
            Map.entry("java.util.concurrent.", THREADS),
            Map.entry("java.util.Hashtable", ORDER + "LinkedHashMap"),
            Map.entry("java.util.Properties", ORDER + "LinkedHashMap"),
            Map.entry("java.util.IdentityHashMap", ORDER + "LinkedHashMap"),
            Map.entry("java.util.WeakHashMap", ORDER + "LinkedHashMap"),
            Map.entry("java.io.", OUTSIDE),
            Map.entry("java.nio.file.", OUTSIDE),
            Map.entry("java.nio.channels.", OUTSIDE),
            Map.entry("java.net.", OUTSIDE),
            Map.entry("java.sql.", "a procedure's statements are declared with sql(...)"),
            Map.entry("java.util.Scanner", OUTSIDE),
            Map.entry("java.util.Formatter", "use String.format(Locale.ROOT, ...)"),
            Map.entry("java.text.", "its formats depend on the machine's language; use String.format(Locale.ROOT, ...)"),
            Map.entry("java.util.logging.", OUTSIDE),
            Map.entry("java.lang.System", OUTSIDE),
            Map.entry("java.lang.System.Logger", OUTSIDE),
            Map.entry("java.lang.Runtime", OUTSIDE),
            Map.entry("java.lang.Process", OUTSIDE),
            Map.entry("java.lang.ProcessBuilder", OUTSIDE),
            Map.entry("java.lang.ProcessHandle", OUTSIDE),
            Map.entry("java.lang.StackWalker", TRACE),
            Map.entry("java.lang.ref.", "what the garbage collector does can't be repeated"),
            Map.entry("java.lang.foreign.", "memory outside of Java objects is closed to procedures"),
            Map.entry("java.lang.Class", REFLECTION),
            Map.entry("java.lang.ClassLoader", REFLECTION),
            Map.entry("java.lang.Module", REFLECTION),
            Map.entry("java.lang.reflect.", REFLECTION),
            Map.entry("java.lang.invoke.", REFLECTION),
            Map.entry("java.util.ServiceLoader", REFLECTION),
            Map.entry("sun.misc.", REFLECTION),
            Map.entry("jdk.internal.", REFLECTION));

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
            return ONLY.get(className).contains(member) ? Optional.empty() : Optional.of(advice(className));
        }
        if (className.startsWith("java.time.") && member.startsWith("now")) {
            return Optional.of(CLOCK);
        }
        if (isThrowable(className)) {
            return Optional.ofNullable(DENIED.get("java.lang.Throwable").get(member));
        }
        if (member.equals("parallel") || member.equals("parallelStream")) {
            return Optional.of(THREADS);
        }
        return isAllowed(className) ? Optional.empty() : Optional.of(advice(className));
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

    private static String advice(String className) {
        String exact = ADVICE.get(className.replace('$', '.'));
        if (exact != null) {
            return exact;
        }
        int nested = className.indexOf('$');
        for (String name = nested < 0 ? className : className.substring(0, nested); !name.isEmpty(); ) {
            String advice = ADVICE.containsKey(name) ? ADVICE.get(name) : ADVICE.get(name + ".");
            if (advice != null) {
                return advice;
            }
            name = packageOf(name);
        }
        return UNLISTED;
    }

    private static Set<String> allowed() {
        Set<String> classes = new HashSet<>();
        add(classes, "java.lang", List.of(
                "Object", "String", "StringBuilder", "StringBuffer", "CharSequence", "Character", "Boolean", "Byte",
                "Short", "Integer", "Long", "Float", "Double", "Number", "Math", "StrictMath", "Comparable", "Iterable",
                "Enum", "Record", "Void", "AutoCloseable", "Runnable", "Cloneable", "Appendable"));
        add(classes, "java.math", List.of("BigDecimal", "BigInteger", "MathContext", "RoundingMode"));
        add(classes, "java.util", List.of(
                "AbstractCollection", "AbstractList", "AbstractMap", "AbstractQueue", "AbstractSequentialList",
                "AbstractSet", "ArrayDeque", "ArrayList", "Arrays", "Base64", "BitSet", "Collection", "Collections",
                "Comparator", "Deque", "DoubleSummaryStatistics", "EnumMap", "EnumSet", "HashMap", "HashSet", "HexFormat",
                "IntSummaryStatistics", "Iterator", "LinkedHashMap", "LinkedHashSet", "LinkedList", "List",
                "ListIterator", "Locale", "LongSummaryStatistics", "Map", "NavigableMap", "NavigableSet", "Objects",
                "Optional", "OptionalDouble", "OptionalInt", "OptionalLong", "PrimitiveIterator", "PriorityQueue",
                "Queue", "RandomAccess", "SequencedCollection", "SequencedMap", "SequencedSet", "Set", "SortedMap",
                "SortedSet", "Spliterator", "StringJoiner", "StringTokenizer", "TreeMap", "TreeSet", "UUID"));
        add(classes, "java.util.stream", List.of(
                "BaseStream", "Stream", "IntStream", "LongStream", "DoubleStream", "Collector", "Collectors"));
        add(classes, "java.util.concurrent", List.of("Callable"));
        add(classes, "java.util.zip", List.of("CRC32", "CRC32C", "Adler32", "Checksum"));
        add(classes, "java.time", List.of(
                "DayOfWeek", "Duration", "Instant", "LocalDate", "LocalDateTime", "LocalTime", "Month", "MonthDay",
                "OffsetDateTime", "OffsetTime", "Period", "Year", "YearMonth", "ZoneOffset"));
        add(classes, "java.time.chrono", List.of(
                "ChronoLocalDate", "ChronoLocalDateTime", "ChronoPeriod", "IsoChronology", "Chronology"));
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
        deny(denied, "java.lang.Object", IDENTITY, "hashCode", "toString");
        deny(denied, "java.lang.Object", THREADS, "wait", "notify", "notifyAll");
        deny(denied, "java.lang.Object", "what the garbage collector does can't be repeated", "finalize");
        deny(denied, "java.lang.Enum", IDENTITY, "hashCode");
        deny(denied, "java.lang.Class", REFLECTION, "forName", "newInstance");
        deny(denied, "java.lang.Throwable", TRACE, "getStackTrace", "printStackTrace", "setStackTrace");
        deny(denied, "java.lang.System", CLOCK, "currentTimeMillis", "nanoTime");
        deny(denied, "java.lang.System", IDENTITY, "identityHashCode");
        deny(denied, "java.util.Objects", IDENTITY, "toIdentityString");
        deny(denied, "java.lang.Math", RANDOM, "random");
        deny(denied, "java.lang.StrictMath", RANDOM, "random");
        deny(denied, "java.lang.Math", PRECISION, "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh",
                "tanh", "exp", "expm1", "log", "log10", "log1p", "pow", "cbrt", "hypot");
        deny(denied, "java.lang.Integer", OUTSIDE, "getInteger");
        deny(denied, "java.lang.Long", OUTSIDE, "getLong");
        deny(denied, "java.lang.Boolean", OUTSIDE, "getBoolean");
        deny(denied, "java.lang.String", LOCALE, "toUpperCase()", "toLowerCase()", "formatted",
                "format(Ljava/lang/String;[Ljava/lang/Object;)");
        deny(denied, "java.lang.String", CHARSET, "getBytes()", "<init>([B)", "<init>([BII)");
        deny(denied, "java.util.Locale", LOCALE, "getDefault", "setDefault");
        deny(denied, "java.time.format.DateTimeFormatter", LOCALE, "ofPattern(Ljava/lang/String;)", "ofLocalizedDate",
                "ofLocalizedTime", "ofLocalizedDateTime", "ofLocalizedPattern", "localizedBy");
        deny(denied, "java.util.UUID", RANDOM, "randomUUID");
        deny(denied, "java.util.Collections", RANDOM, "shuffle(Ljava/util/List;)");
        deny(denied, "java.math.BigInteger", RANDOM, "probablePrime");
        deny(denied, "java.nio.ByteBuffer", OUTSIDE, "allocateDirect");
        deny(denied, "java.nio.ByteOrder", "it differs between processors; name the order", "nativeOrder");
        deny(denied, "java.util.HashMap", ORDER + "LinkedHashMap", "<init>", "newHashMap");
        deny(denied, "java.util.HashSet", ORDER + "LinkedHashSet", "<init>", "newHashSet");
        deny(denied, "java.util.Map", ORDER + "LinkedHashMap", "of", "ofEntries", "copyOf");
        deny(denied, "java.util.Set", ORDER + "LinkedHashSet", "of", "copyOf");
        deny(denied, "java.util.stream.Collectors", ORDER + "toCollection(LinkedHashSet::new)", "toSet",
                "toUnmodifiableSet");
        String function = "Ljava/util/function/Function;";
        deny(denied, "java.util.stream.Collectors", ORDER + "the overload that takes a map factory, with"
                + " LinkedHashMap::new", "toMap(" + function + function + ")",
                "toMap(" + function + function + "Ljava/util/function/BinaryOperator;)",
                "groupingBy(" + function + ")", "groupingBy(" + function + "Ljava/util/stream/Collector;)",
                "toUnmodifiableMap");
        deny(denied, "java.util.stream.Collectors", THREADS, "toConcurrentMap", "groupingByConcurrent");
        deny(denied, "java.util.Arrays", THREADS, "parallelSort", "parallelPrefix", "parallelSetAll");
        for (String kind : List.of("", "Int", "Long", "Double")) {
            Map<String, String> stream =
                    denied.computeIfAbsent("java.util.stream." + kind + "Stream", _ -> new HashMap<>());
            stream.put("generate", ENDLESS);
            String operator = "Ljava/util/function/" + kind + "UnaryOperator;";
            String seed = kind.isEmpty() ? "Ljava/lang/Object;" : kind.substring(0, 1).replace('L', 'J');
            stream.put("iterate(" + seed + operator + ")", ENDLESS);
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
