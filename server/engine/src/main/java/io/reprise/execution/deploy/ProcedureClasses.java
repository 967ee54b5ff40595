package io.reprise.execution.deploy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

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
        OptionalInt later = ClassDamage.laterJava(bytes);
        if (later.isPresent()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "class " + className + " was compiled for Java " + later.getAsInt()
                            + ", and the server runs on Java "
                            + Runtime.version().feature() + "; compile it with --release "
                            + Runtime.version().feature());
        }
        try {
            return ClassFile.of().parse(bytes);
        } catch (IllegalArgumentException e) {
            throw ClassDamage.refusal(className, e);
        }
    }

    /**
     * The exception for a failure with classes that were looked at: the refusal of the class, if one of them is
     * damaged; otherwise the failure as it is, which is a fault of the server's.
     */
    RuntimeException failure(String className, RuntimeException failure) {
        if (failure instanceof ProcedureException) {
            return failure;
        }
        ClassDamage damage = new ClassDamage(this);
        // Looking at them can make others known.
        for (Optional<ClassModel> model : List.copyOf(models.values())) {
            Optional<String> why = model.flatMap(damage::of);
            if (why.isPresent()) {
                return ClassDamage.refusal(className, why.get());
            }
        }
        failure.addSuppressed(new IllegalStateException("class " + className + " was looked at, which is not damaged"));
        return failure;
    }

    /**
     * The class files of the given classes, of the own classes that these name (the JVM looks at them when it checks and
     * links the code, though none of their code runs), and of the supertypes of all.
     */
    SortedMap<String, byte[]> files(Set<String> classNames) {
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (String className : classNames) {
            addWithSupertypes(className, files);
            model(className).ifPresent(model -> named(model).forEach(name -> addWithSupertypes(name, files)));
        }
        return files;
    }

    private void addWithSupertypes(String className, SortedMap<String, byte[]> files) {
        Optional<ClassModel> found = files.containsKey(className) ? Optional.empty() : model(className);
        if (found.isPresent()) {
            files.put(className, bytes(className).orElseThrow());
            supertypes(found.get()).forEach(supertype -> addWithSupertypes(supertype, files));
        }
    }

    /** The superclass and the interfaces. */
    static List<String> supertypes(ClassModel model) {
        List<String> supertypes = new ArrayList<>();
        model.superclass().ifPresent(s -> supertypes.add(MethodScanner.binaryName(s.asSymbol())));
        model.interfaces().forEach(i -> supertypes.add(MethodScanner.binaryName(i.asSymbol())));
        return supertypes;
    }

    private static List<String> named(ClassModel model) {
        List<String> names = new ArrayList<>();
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry type) {
                ClassDesc named = type.asSymbol();
                while (named.isArray()) {
                    named = named.componentType();
                }
                if (named.isClassOrInterface()) {
                    names.add(MethodScanner.binaryName(named));
                }
            }
        }
        return names;
    }
}
