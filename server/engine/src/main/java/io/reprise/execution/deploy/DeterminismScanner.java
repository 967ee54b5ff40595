package io.reprise.execution.deploy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds code that a replay could not repeat in the bytecode of a procedure class and of all own code that it reaches.
 *
 * <p>Reached are the methods that reached code calls, the static initialisers of the classes it names, and, of
 * classes that it makes instances of, all methods that can be called through a supertype. Code that no procedure
 * calls may do as it likes.
 *
 * <p>It can't see these:
 *
 * <ul>
 * <li>a wrong order in a collection of the API's or of the caller's making;
 * <li>state that one transaction leaves in an instance's fields for the next;
 * <li>a write to a static array through a reference that was passed on;
 * <li>a hash code or a string of an object that has none of its own, if a collection, a format, an own {@code
 * hashCode} or a record's {@code toString} asks for it or the static type doesn't tell;
 * <li>the class of a lambda behind an own interface or Object;
 * <li>the bits of a NaN that are put into a ByteBuffer.
 * </ul>
 *
 * <p>The hash of each transaction's writes is there for these.
 */
final class DeterminismScanner {
    private static final int SHOWN = 20;

    private final ProcedureClasses classes;
    private final Identities identities;
    private final Set<String> reachedClasses = new LinkedHashSet<>();
    private final Set<String> instantiatedClasses = new LinkedHashSet<>();
    private final Set<Method> reachedMethods = new LinkedHashSet<>();
    private final Deque<Method> toScan = new ArrayDeque<>();
    private final Set<Finding> findings = new LinkedHashSet<>();
    private final Map<String, Set<String>> changedState = new LinkedHashMap<>();
    private final Set<HeldObject> heldObjects = new LinkedHashSet<>();
    private final Set<TypeKind> changedArrays = EnumSet.noneOf(TypeKind.class);
    private boolean changesTexts;

    /** An object that a static field refers to, and that may be of an own class. */
    private record HeldObject(String className, String field, String file, String type) {}

    /** A method of an own class. */
    private record Method(String className, String name, String descriptor) {}

    DeterminismScanner(ProcedureClasses classes) {
        this.classes = classes;
        identities = new Identities(classes);
    }

    /** Returns the own classes that are reached; throws INVALID_REQUEST with all findings, if there are any. */
    Set<String> check(String procedure, String className) {
        Set<Finding> found = scan(className);
        if (found.isEmpty()) {
            return reachedClasses;
        }
        StringBuilder message = new StringBuilder("procedure " + procedure
                + " can't be deployed, because a replay could not be relied on to do the same again:");
        found.stream().limit(SHOWN).forEach(f -> message.append("\n  ").append(f));
        if (found.size() > SHOWN) {
            message.append("\n  and ").append(found.size() - SHOWN).append(" more");
        }
        throw new ProcedureException(ErrorCode.INVALID_REQUEST, message.toString());
    }

    /** Returns the own classes that are reached, whatever they do. */
    Set<String> reachedFrom(String className) {
        scan(className);
        return reachedClasses;
    }

    /** All findings, in the order in which the code is reached. */
    Set<Finding> scan(String className) {
        reachInstances(className);
        reachCall(className, "<init>", "()V");
        while (!toScan.isEmpty()) {
            Method next = toScan.removeFirst();
            ClassModel model = classes.model(next.className()).orElseThrow();
            model.methods().stream()
                    .filter(m -> isMethod(m, next.name(), next.descriptor()))
                    .forEach(m -> new MethodScanner(this, model, next.className(), m).scan());
        }
        heldObjects.forEach(this::checkHeld);
        return findings;
    }

    /** Takes note that a method changes what a field of its own object refers to. */
    void reachStateChange(String className, String field) {
        changedState.computeIfAbsent(className, _ -> new LinkedHashSet<>()).add(field);
    }

    /** An object that all partitions share must not have methods that change it, nor fields, whatever kind of its type it is. */
    private void checkHeld(HeldObject held) {
        for (String type = held.type(); isOwn(type); type = superclass(type)) {
            checkHeld(held, type, "");
        }
        for (String type : instantiatedClasses) {
            if (!type.equals(held.type()) && isA(type, held.type())) {
                String kind = ", one kind of which, " + simpleName(type);
                checkHeld(held, type, kind);
                changingField(type)
                        .ifPresent(changing -> add(held, kind + ", has the field " + changing + ", which can change"));
            }
        }
    }

    private void checkHeld(HeldObject held, String type, String kind) {
        for (String changed : changedState.getOrDefault(type, Set.of())) {
            add(held, (kind.isEmpty() ? ", which" : kind + ",") + " changes what its " + changed + " refers to");
        }
    }

    private void add(HeldObject held, String what) {
        add(new Finding(
                held.className(),
                held.field(),
                held.file(),
                0,
                "is static and of type " + simpleName(held.type()) + what
                        + ": all partitions' threads would share it; make this a field of the instance"));
    }

    private boolean isA(String className, String supertype) {
        return className.equals(supertype)
                || classes.model(className).stream()
                        .flatMap(model -> ProcedureClasses.supertypes(model).stream())
                        .anyMatch(each -> isA(each, supertype));
    }

    private String superclass(String className) {
        return classes.model(className)
                .flatMap(ClassModel::superclass)
                .map(s -> MethodScanner.binaryName(s.asSymbol()))
                .orElse("");
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    /** Whether an own method does nothing but give out a field. */
    boolean isGetter(String owner, String name, String descriptor) {
        return classes.model(owner).stream()
                .flatMap(model -> model.methods().stream())
                .filter(method -> isMethod(method, name, descriptor))
                .flatMap(method -> method.code().stream())
                .anyMatch(DeterminismScanner::readsOneField);
    }

    private static boolean readsOneField(CodeModel code) {
        List<Opcode> instructions = new ArrayList<>();
        code.forEach(element -> {
            if (element instanceof Instruction instruction) {
                instructions.add(instruction.opcode());
            }
        });
        return instructions.equals(List.of(Opcode.ALOAD_0, Opcode.GETFIELD, Opcode.ARETURN));
    }

    /**
     * The changes of the code to values of the types that arguments can have. They need not be its arguments: the
     * difference would be hard to tell, and most code makes no arrays of the types that it takes.
     */
    ChangedArguments changedArguments() {
        return new ChangedArguments(changedArrays, changesTexts);
    }

    /** Takes note that a text may be pointed at other bytes. */
    void reachTextChange() {
        changesTexts = true;
    }

    /** Takes note that an array may be changed. */
    void reachArrayChange(TypeKind elements) {
        changedArrays.add(elements);
    }

    void add(Finding finding) {
        findings.add(finding);
    }

    /** Whether the class is one of the procedures' own. */
    boolean isOwn(String className) {
        return classes.model(className).isPresent();
    }

    /** Takes a class in: its initialiser may run, and its supertypes'. */
    void reachClass(String className) {
        Optional<ClassModel> found = classes.model(className);
        if (found.isEmpty() || !reachedClasses.add(className)) {
            return;
        }
        ClassModel model = found.get();
        ProcedureClasses.supertypes(model).forEach(this::reachClass);
        model.fields().forEach(f -> checkField(model, className, f));
        model.methods().stream()
                .filter(m -> m.methodName().equalsString("<clinit>"))
                .forEach(m -> reachMethod(className, m));
    }

    /** Takes in a class of which there are instances: whatever can be called through a supertype may be called. */
    void reachInstances(String className) {
        reachClass(className);
        Optional<ClassModel> found = classes.model(className);
        if (found.isEmpty() || !instantiatedClasses.add(className)) {
            return;
        }
        ProcedureClasses.supertypes(found.get()).forEach(this::reachInstances);
        for (MethodModel method : found.get().methods()) {
            boolean virtual = !method.flags().has(AccessFlag.STATIC)
                    && !method.flags().has(AccessFlag.PRIVATE)
                    && !method.methodName().equalsString("<init>");
            if (virtual) {
                reachMethod(className, method);
            }
        }
    }

    /** Finds the own method that a call leads to; empty where it leads to the JDK or the API. */
    boolean reachCall(String owner, String name, String descriptor) {
        reachClass(owner);
        Optional<ClassModel> found = classes.model(owner);
        if (found.isEmpty()) {
            return false;
        }
        Optional<MethodModel> own = found.get().methods().stream()
                .filter(m -> isMethod(m, name, descriptor))
                .findFirst();
        if (own.isPresent()) {
            reachMethod(owner, own.get());
            return true;
        }
        return ProcedureClasses.supertypes(found.get()).stream().anyMatch(s -> reachCall(s, name, descriptor));
    }

    /** The nearest superclass that is not own: a call ends there if no own class answers. */
    String foreignSuperclass(String className) {
        return classes.model(className)
                .flatMap(ClassModel::superclass)
                .map(s -> foreignSuperclass(MethodScanner.binaryName(s.asSymbol())))
                .orElse(className);
    }

    /** Whether a class, or a superclass of it, says how it is written as a string. */
    boolean overridesToString(String className) {
        String descriptor = "()Ljava/lang/String;";
        return classes.model(className)
                .map(model -> model.methods().stream().anyMatch(m -> isMethod(m, "toString", descriptor))
                        || model.flags().has(AccessFlag.INTERFACE)
                        || model.superclass()
                                .map(s -> overridesToString(MethodScanner.binaryName(s.asSymbol())))
                                .orElse(false))
                .orElse(
                        ProcedureClasses.isApi(className)
                                ? MethodScanner.apiOverridesToString(className)
                                : !className.equals("java.lang.Object"));
    }

    /** Whether the hash code of an object of the type tells where it lies in memory. */
    boolean hashesByIdentity(ClassDesc type) {
        return identities.hashes(type);
    }

    /** Whether it is an own class whose superclass is Record. */
    boolean isRecord(String className) {
        return superclass(className).equals("java.lang.Record");
    }

    private void reachMethod(String className, MethodModel method) {
        Method reached = new Method(
                className,
                method.methodName().stringValue(),
                method.methodType().stringValue());
        if (reachedMethods.add(reached)) {
            toScan.add(reached);
        }
    }

    private static boolean isMethod(MethodModel method, String name, String descriptor) {
        return method.methodName().equalsString(name) && method.methodType().equalsString(descriptor);
    }

    private void checkField(ClassModel model, String className, FieldModel field) {
        String problem = null;
        if (field.flags().has(AccessFlag.VOLATILE)) {
            problem = "is volatile: a procedure's instance is used by one thread only; leave volatile out";
        } else if (!field.flags().has(AccessFlag.STATIC)) {
            return;
        } else if (!field.flags().has(AccessFlag.FINAL)) {
            problem = "is static and not final: all partitions' threads would share it, and a replay would find another"
                    + " value; make it final, or a field of the instance";
        } else {
            ClassDesc type = field.fieldTypeSymbol();
            problem = mutability(type);
            if (problem == null && type.isClassOrInterface() && mayBeOwn(type)) {
                heldObjects.add(new HeldObject(
                        className,
                        field.fieldName().stringValue(),
                        MethodScanner.sourceFile(model),
                        MethodScanner.binaryName(type)));
            }
        }
        if (problem != null) {
            String name = field.fieldName().stringValue();
            add(new Finding(className, name, MethodScanner.sourceFile(model), 0, problem));
        }
    }

    /** Whether an object of an own class can be behind the type; not behind Object, of which everything is one. */
    private boolean mayBeOwn(ClassDesc type) {
        String name = MethodScanner.binaryName(type);
        return isOwn(name) || !name.equals("java.lang.Object");
    }

    /** The objection to a static field of this type; null if there is none. */
    private String mutability(ClassDesc type) {
        if (StaticState.isMutableType(type)) {
            return "is static and of the mutable type " + type.displayName()
                    + ": all partitions' threads would share it; make it a field of the instance";
        }
        Optional<String> changing =
                type.isClassOrInterface() ? changingField(MethodScanner.binaryName(type)) : Optional.empty();
        return changing.map(name -> "is static and of type " + type.displayName() + ", whose field " + name
                        + " can change: all partitions' threads would share it; make " + name
                        + " final, or this a field of the instance")
                .orElse(null);
    }

    private Optional<String> changingField(String className) {
        Optional<ClassModel> model = classes.model(className);
        if (model.isEmpty()) {
            return Optional.empty();
        }
        for (FieldModel field : model.get().fields()) {
            if (!field.flags().has(AccessFlag.STATIC) && !field.flags().has(AccessFlag.FINAL)) {
                return Optional.of(field.fieldName().stringValue());
            }
        }
        return model.get().superclass().flatMap(s -> changingField(MethodScanner.binaryName(s.asSymbol())));
    }
}
