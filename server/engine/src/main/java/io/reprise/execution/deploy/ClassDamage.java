package io.reprise.execution.deploy;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassHierarchyResolver.ClassHierarchyInfo;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whether class files are damaged, and how that is said. Code that makes no sense makes its readers fail in any way, and so does a
 * fault in these; so where one has failed each class is looked through and verified once more, by the JDK alone.
 */
final class ClassDamage {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int MAJOR_VERSION_AT = 6;
    private static final int HEADER_BYTES = 8;

    /** Java 1 has the class files' version 45. */
    private static final int VERSIONS_BEFORE_JAVA = 44;

    private final ProcedureClasses classes;
    private final ClassFile verifier;

    ClassDamage(ProcedureClasses classes) {
        this.classes = classes;
        ClassHierarchyResolver own = this::hierarchy;
        // A class that is missing is no damage of one that names it: of an interface the verifier wants nothing.
        verifier = ClassFile.of(
                ClassFile.ClassHierarchyResolverOption.of(own.orElse(ClassHierarchyResolver.defaultResolver())
                        .orElse(missing -> ClassHierarchyInfo.ofInterface())));
    }

    private ClassHierarchyInfo hierarchy(ClassDesc type) {
        return classes.model(MethodScanner.binaryName(type))
                .map(model -> model.flags().has(AccessFlag.INTERFACE)
                        ? ClassHierarchyInfo.ofInterface()
                        : ClassHierarchyInfo.ofClass(
                                model.superclass().map(ClassEntry::asSymbol).orElse(null)))
                .orElse(null);
    }

    /** The refusal of a procedure, or of a jar. */
    static ProcedureException refusal(String className, Object why) {
        return new ProcedureException(
                ErrorCode.INVALID_REQUEST,
                "the file of class " + className + ", or of one that it uses, is damaged; build the jar anew: "
                        + String.valueOf(why).lines().findFirst().orElse(""));
    }

    /** The same for what the JVM or reflection threw; the class loader may have found out before, and said so. */
    static ProcedureException refusalBy(String className, Throwable thrown) {
        return thrown.getCause() instanceof ProcedureException known ? known : refusal(className, thrown.getMessage());
    }

    /** For which version of Java the class was compiled, if that is a later one than this. */
    static OptionalInt laterJava(byte[] file) {
        if (file.length < HEADER_BYTES || magic(file) != MAGIC) {
            return OptionalInt.empty();
        }
        int version = (file[MAJOR_VERSION_AT] & 0xFF) << Byte.SIZE | file[MAJOR_VERSION_AT + 1] & 0xFF;
        return version > ClassFile.latestMajorVersion()
                ? OptionalInt.of(version - VERSIONS_BEFORE_JAVA)
                : OptionalInt.empty();
    }

    private static int magic(byte[] file) {
        return file[0] << 24 | (file[1] & 0xFF) << 16 | (file[2] & 0xFF) << 8 | file[3] & 0xFF;
    }

    /** The damage of the class file; empty: it is good, and the caller's failure has another cause. */
    Optional<String> of(ClassModel model) {
        try {
            parts(model);
            return verifier.verify(model).stream().findFirst().map(VerifyError::getMessage);
        } catch (RuntimeException e) {
            return Optional.of(e.toString());
        }
    }

    /** Each part is read when it is asked for: here all of them. */
    private static List<Object> parts(ClassModel model) {
        List<Object> parts = new ArrayList<>();
        for (PoolEntry entry : model.constantPool()) {
            if (entry instanceof ClassEntry type) {
                parts.add(type.asSymbol());
            } else if (entry instanceof NameAndTypeEntry member) {
                String type = member.type().stringValue();
                parts.add(type.startsWith("(") ? MethodTypeDesc.ofDescriptor(type) : ClassDesc.ofDescriptor(type));
            }
        }
        parts.addAll(model.attributes());
        model.fields().forEach(field -> parts.add(field.fieldTypeSymbol()));
        for (MethodModel method : model.methods()) {
            parts.add(method.methodTypeSymbol());
            parts.addAll(method.attributes());
            method.code().ifPresent(code -> addParts(code, parts));
        }
        return parts;
    }

    private static void addParts(CodeModel code, List<Object> parts) {
        code.forEach(element -> parts.add(element.toString()));
        code.exceptionHandlers().forEach(handler -> handler.catchType().ifPresent(type -> parts.add(type.asSymbol())));
    }
}
