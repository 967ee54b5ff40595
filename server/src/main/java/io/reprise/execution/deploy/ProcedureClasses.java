package io.reprise.execution.deploy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The classes that belong to procedures, parsed, as opposed to those of the JDK and of the procedure API. Only the former
 * are scanned, woven, and loaded anew for each version.
 */
final class ProcedureClasses {
    private static final String API_PACKAGE = Procedure.class.getPackageName();
    private static final Set<String> JDK_PREFIXES = Set.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private final ClassSource source;
    private final Map<String, Optional<ClassModel>> models = new HashMap<>();

    ProcedureClasses(ClassSource source) {
        this.source = source;
    }

    /** Whether the class is the JDK's. */
    static boolean isJdk(String className) {
        return JDK_PREFIXES.stream().anyMatch(className::startsWith);
    }

    /** Whether the class is part of the API that procedures are written against. */
    static boolean isApi(String className) {
        return className.startsWith(API_PACKAGE + ".") && className.indexOf('.', API_PACKAGE.length() + 1) < 0;
    }

    /** The class file of a procedure's own class; empty for the JDK's, the API's and unknown ones. */
    Optional<byte[]> bytes(String className) {
        return isJdk(className) || isApi(className) ? Optional.empty() : source.bytes(className);
    }

    /** The same, parsed. */
    Optional<ClassModel> model(String className) {
        return models.computeIfAbsent(className, name -> bytes(name).map(bytes -> parse(name, bytes)));
    }

    private static ClassModel parse(String className, byte[] bytes) {
        try {
            return ClassFile.of().parse(bytes);
        } catch (IllegalArgumentException e) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST, "class " + className + " can't be read: " + e.getMessage());
        }
    }
}
