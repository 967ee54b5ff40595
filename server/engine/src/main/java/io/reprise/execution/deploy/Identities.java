package io.reprise.execution.deploy;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Types whose objects' hash code, text or class name depends on their place in memory, or on names given by their
 * process. Says so only if the static type leaves no doubt, or hardly any: others may still do it.
 */
final class Identities {
    private static final String ENUM = "java.lang.Enum";
    private static final Set<String> FUNCTIONS =
            Set.of("java.lang.Runnable", "java.util.concurrent.Callable", "java.util.Comparator");
    private static final Set<String> PASSES = Set.of(
            "java.util.Iterator", "java.util.ListIterator", "java.util.PrimitiveIterator", "java.util.Spliterator");

    private final ProcedureClasses classes;

    Identities(ProcedureClasses classes) {
        this.classes = classes;
    }

    /** Whether objects of the type are lambdas as a rule: an interface of the JDK's with one method. */
    static boolean isFunction(ClassDesc type) {
        String name = MethodScanner.binaryName(type);
        return name.startsWith("java.util.function.") || FUNCTIONS.contains(name);
    }

    /** Whether objects of one of the JDK's types are no strings to speak of. */
    static boolean hasNoText(ClassDesc type) {
        String name = MethodScanner.binaryName(type);
        return isFunction(type)
                || PASSES.contains(name)
                || name.startsWith("java.util.stream.") && name.endsWith("Stream")
                || inheritsFromObject(name, "toString");
    }

    /** Whether an object's hash code differs from one process to the next. */
    boolean hashes(ClassDesc type) {
        return hashes(type, new HashSet<>());
    }

    private boolean hashes(ClassDesc type, Set<String> seen) {
        if (type.isPrimitive()) {
            return false;
        }
        if (type.isArray() || isFunction(type)) {
            return true;
        }
        String name = MethodScanner.binaryName(type);
        if (!seen.add(name)) {
            return false;
        }
        Optional<ClassModel> own = classes.model(name);
        if (own.isEmpty()) {
            return name.equals(ENUM) || inheritsFromObject(name, "hashCode");
        }
        return !own.get().flags().has(AccessFlag.INTERFACE) && ownHashes(own.get(), seen, isAbstract(own.get()));
    }

    private static boolean isAbstract(ClassModel model) {
        return model.flags().has(AccessFlag.ABSTRACT);
    }

    /** With an abstract class for its type, an object is of another, which may have a hashCode that this and its superclasses lack. */
    private boolean ownHashes(ClassModel model, Set<String> seen, boolean ofAnother) {
        Optional<MethodModel> declared = model.methods().stream()
                .filter(m -> m.methodName().equalsString("hashCode")
                        && m.methodType().equalsString("()I"))
                .findFirst();
        if (declared.isPresent()) {
            return isRecords(declared.get())
                    && model.findAttribute(Attributes.record()).stream()
                            .flatMap(record -> record.components().stream())
                            .anyMatch(component -> hashes(component.descriptorSymbol(), seen));
        }
        String superclass = model.superclass()
                .map(named -> MethodScanner.binaryName(named.asSymbol()))
                .orElse("");
        return superclass.equals("java.lang.Object")
                ? !ofAnother
                : classes.model(superclass)
                        .map(own -> ownHashes(own, seen, ofAnother))
                        .orElseGet(() -> hashes(ClassDesc.of(superclass), seen));
    }

    /** Whether it is the method that the compiler gives each record, and not one of the source. */
    private static boolean isRecords(MethodModel hashCode) {
        return hashCode.code().stream()
                .flatMap(code -> code.elementStream())
                .anyMatch(element -> element instanceof InvokeDynamicInstruction dynamic
                        && MethodScanner.binaryName(dynamic.bootstrapMethod().owner())
                                .equals("java.lang.runtime.ObjectMethods"));
    }

    /** Only of a class whose objects can be of no other class that overrides it, as far as one may expect. */
    private static boolean inheritsFromObject(String name, String method) {
        if (!ProcedureClasses.isJdk(name) || name.equals("java.lang.Object")) {
            return false;
        }
        Class<?> type = JdkMembers.load(name);
        if (type == null || type.isInterface()) {
            return false;
        }
        String declaring = JdkMembers.declared(name, method, "()")
                .map(JdkMembers.Declared::className)
                .orElse("");
        return declaring.equals(ENUM) && method.equals("hashCode")
                || declaring.equals("java.lang.Object") && !Modifier.isAbstract(type.getModifiers());
    }
}
