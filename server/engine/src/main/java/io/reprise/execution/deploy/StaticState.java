package io.reprise.execution.deploy;

import io.reprise.procedure.Text;
import java.lang.constant.ClassDesc;
import java.util.Map;
import java.util.Set;

/**
 * Finds static fields that hold state. A class is shared by the instances of all partitions, so its static content
 * must never change. A static field must be final and must not have a type that is made to be changed. Its content
 * (an array, a collection, an object of the procedure's own) must not be changed in the method that read it.
 */
final class StaticState {
    private static final Set<String> MUTABLE_TYPES = Set.of(
            "java.lang.StringBuilder",
            "java.lang.StringBuffer",
            "java.util.BitSet",
            "java.util.StringJoiner",
            "java.util.ArrayDeque",
            "java.util.PriorityQueue",
            "java.util.Deque",
            "java.util.Queue",
            "java.util.Iterator",
            "java.util.ListIterator",
            "java.util.Spliterator",
            "java.util.StringTokenizer",
            "java.util.IntSummaryStatistics",
            "java.util.LongSummaryStatistics",
            "java.util.DoubleSummaryStatistics",
            "java.nio.Buffer",
            "java.nio.ByteBuffer",
            "java.nio.CharBuffer",
            "java.nio.IntBuffer",
            "java.nio.LongBuffer",
            "java.util.zip.Checksum",
            "java.util.zip.CRC32",
            "java.util.zip.CRC32C",
            "java.util.zip.Adler32",
            "java.util.regex.Matcher",
            "io.reprise.procedure.Statement",
            "io.reprise.procedure.Rows",
            "io.reprise.procedure.ResultTable",
            "io.reprise.procedure.TextBuilder",
            "io.reprise.procedure.TransactionRandom",
            "io.reprise.procedure.Procedure");
    private static final Set<String> MUTATORS = Set.of(
            "add",
            "addAll",
            "addFirst",
            "addLast",
            "clear",
            "compute",
            "computeIfAbsent",
            "computeIfPresent",
            "merge",
            "offer",
            "poll",
            "pollFirst",
            "pollLast",
            "pollFirstEntry",
            "pollLastEntry",
            "pop",
            "push",
            "put",
            "putAll",
            "putFirst",
            "putIfAbsent",
            "putLast",
            "remove",
            "removeAll",
            "removeFirst",
            "removeIf",
            "removeLast",
            "replace",
            "replaceAll",
            "retainAll",
            "set",
            "setValue",
            "sort");

    /** Static methods that change their first argument. */
    private static final Map<String, Set<String>> CHANGING_THEIR_FIRST = Map.of(
            "java.util.Arrays", Set.of("fill", "setAll", "sort"),
            "java.util.Collections",
                    Set.of("addAll", "fill", "replaceAll", "reverse", "rotate", "shuffle", "sort", "swap"));

    private StaticState() {}

    /** Whether objects of the type are there to be changed. */
    static boolean isMutableType(ClassDesc type) {
        return !type.isPrimitive() && !type.isArray() && MUTABLE_TYPES.contains(MethodScanner.binaryName(type));
    }

    /** Whether a method of this name, called on a collection or a text, changes it. */
    static boolean isMutator(String className, String method) {
        return className.startsWith("java.util.") && MUTATORS.contains(method)
                || className.equals(Text.class.getName()) && method.equals("wrap");
    }

    /** The argument that a static method changes, from 0; -1 for none. */
    static int changedArgument(String className, String method) {
        if (CHANGING_THEIR_FIRST.getOrDefault(className, Set.of()).contains(method)) {
            return 0;
        }
        return className.equals("java.lang.System") && method.equals("arraycopy") ? 2 : -1;
    }
}
