package io.reprise.execution.deploy;

import io.reprise.procedure.BoundedCollections;
import java.lang.classfile.ClassModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Methods of collections that the JDK may run for long, with stand-ins in {@link BoundedCollections}. The receiver's type is any class of
 * the JDK, or an own class that extends one. The stand-in takes an interface instead: the verifier takes any object for an interface.
 */
final class CollectionCalls {
    private static final ClassDesc HOME =
            BoundedCollections.class.describeConstable().orElseThrow();
    private static final ClassDesc COLLECTION =
            Collection.class.describeConstable().orElseThrow();
    private static final Set<String> OF_TWO = Set.of("removeAll", "retainAll", "containsAll");
    private static final MethodTypeDesc OTHER = MethodTypeDesc.of(ConstantDescs.CD_boolean, COLLECTION);

    /** Methods that search one collection, by name and descriptor, with the interface that has them. */
    private static final Map<String, Class<?>> SEARCHES = Map.of(
            "contains(Ljava/lang/Object;)Z", Collection.class,
            "remove(Ljava/lang/Object;)Z", Collection.class,
            "indexOf(Ljava/lang/Object;)I", List.class,
            "lastIndexOf(Ljava/lang/Object;)I", List.class,
            "removeFirstOccurrence(Ljava/lang/Object;)Z", Deque.class,
            "removeLastOccurrence(Ljava/lang/Object;)Z", Deque.class,
            "containsValue(Ljava/lang/Object;)Z", Map.class);

    private CollectionCalls() {}

    /** The stand-in of a method that is called; empty where the call may stay as it is. */
    static Optional<DirectMethodHandleDesc> ofCall(
            ClassDesc owner, String name, MethodTypeDesc type, ProcedureClasses classes) {
        boolean isBulk = OF_TWO.contains(name) && type.equals(OTHER);
        return isBulk && isA(owner, Collection.class, classes)
                ? Optional.of(standIn(name, type, COLLECTION))
                : Optional.empty();
    }

    /** The stand-in of a method to which there is a reference. */
    static Optional<DirectMethodHandleDesc> ofReference(
            ClassDesc owner, String name, MethodTypeDesc type, ProcedureClasses classes) {
        Class<?> home = SEARCHES.get(name + type.descriptorString());
        return home != null && isA(owner, home, classes)
                ? Optional.of(standIn(name, type, home.describeConstable().orElseThrow()))
                : ofCall(owner, name, type, classes);
    }

    /** The guard of the argument of a method of the JDK that is called by {@code super}; empty where it may stay as it is. */
    static Optional<DirectMethodHandleDesc> ofSuper(
            ClassDesc owner, String name, MethodTypeDesc type, ProcedureClasses classes) {
        return ofCall(owner, name, type, classes).isPresent() && isOfJdk(MethodScanner.binaryName(owner), name, classes)
                ? Optional.of(MethodHandleDesc.ofMethod(
                        DirectMethodHandleDesc.Kind.STATIC, HOME, "guarded", MethodTypeDesc.of(COLLECTION, COLLECTION)))
                : Optional.empty();
    }

    /** Whether a class has the method from the JDK, and not from an own class. */
    private static boolean isOfJdk(String className, String name, ProcedureClasses classes) {
        if (ProcedureClasses.isJdk(className)) {
            return true;
        }
        Optional<ClassModel> model = classes.model(className);
        return model.isPresent()
                && model.get().methods().stream()
                        .noneMatch(method -> method.methodName().stringValue().equals(name)
                                && method.methodTypeSymbol().equals(OTHER))
                && model.get()
                        .superclass()
                        .map(parent -> isOfJdk(MethodScanner.binaryName(parent.asSymbol()), name, classes))
                        .orElse(false);
    }

    private static DirectMethodHandleDesc standIn(String name, MethodTypeDesc type, ClassDesc receiver) {
        return MethodHandleDesc.ofMethod(
                DirectMethodHandleDesc.Kind.STATIC, HOME, name, type.insertParameterTypes(0, receiver));
    }

    private static boolean isA(ClassDesc owner, Class<?> type, ProcedureClasses classes) {
        return !owner.isArray() && JdkSupertypes.isA(MethodScanner.binaryName(owner), type, classes);
    }
}
