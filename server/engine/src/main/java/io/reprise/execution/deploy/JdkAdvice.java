package io.reprise.execution.deploy;

import java.util.Map;

/** Why procedures may not use what {@link JdkRules} refuses, and what they use instead. */
final class JdkAdvice {
    static final String CLOCK = "a replay would read another time; use timestampMicros()";
    static final String RANDOM = "a replay would draw other numbers; use random()";
    static final String THREADS =
            "a procedure runs alone on its partition's thread and must not start, wait for or lock out others";
    static final String OUTSIDE =
            "a procedure has no access to files, network, processes and the machine; pass what it needs as a parameter,"
                    + " and return what it has to say";
    static final String REFLECTION = "reflection and class loading are closed to procedures; call it directly";
    static final String ORDER = "its order differs from one JVM to the next; use ";
    static final String LOCALE = "it depends on the machine's language; pass Locale.ROOT";
    static final String CHARSET = "it depends on the machine's character set; pass StandardCharsets.UTF_8";
    static final String IDENTITY =
            "it depends on where the object happens to lie in memory; call a method that its class overrides";
    static final String PRECISION =
            "its last digit may differ from one processor to the next; use the method of StrictMath";
    static final String NAN = "the bits of a NaN differ between interpreted and compiled code; use ";
    static final String ZONE =
            "formats a time by %t, which depends on the machine's time zone and language: use a DateTimeFormatter";
    static final String ENDLESS = "an endless stream can't be ended by the time limit; use a loop";
    static final String BROKEN = "it says that the Java machine is broken, which ends the engine; throw another";
    static final String TRACE = "stack traces differ from run to run";
    private static final String UNLISTED =
            "it is not among the classes of the JDK that a procedure may use, those known to do the same in a replay";

    private static final Map<String, String> ADVICE = Map.ofEntries(
            Map.entry("java.util.Date", CLOCK),
            Map.entry("java.util.Calendar", CLOCK),
            Map.entry("java.util.GregorianCalendar", CLOCK),
            Map.entry("java.util.TimeZone", CLOCK),
            Map.entry("java.time.Clock", CLOCK),
            Map.entry("java.time.InstantSource", CLOCK),
            Map.entry("java.time.ZoneId", "the rules of time zones differ between versions of Java; use ZoneOffset"),
            Map.entry(
                    "java.time.ZonedDateTime",
                    "the rules of time zones differ between versions of Java; use" + " OffsetDateTime"),
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
            Map.entry(
                    "java.text.", "its formats depend on the machine's language; use String.format(Locale.ROOT, ...)"),
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

    private JdkAdvice() {}

    /** The advice for a class that is not allowed. */
    static String of(String className) {
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
            name = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        }
        return UNLISTED;
    }
}
