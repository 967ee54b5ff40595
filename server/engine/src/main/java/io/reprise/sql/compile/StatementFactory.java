package io.reprise.sql.compile;

import io.reprise.catalog.SqlType;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.emit.ClassEmitter;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.FieldContentCodec;
import io.reprise.sql.compile.runtime.ImageInput;
import io.reprise.sql.compile.runtime.ImageOutput;
import io.reprise.sql.compile.runtime.RowShape;
import io.reprise.sql.compile.runtime.StatementDefinition;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementTraits;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Locale;

/**
 * A compiled statement's class; makes the instances that partitions run. The class is a hidden one: it goes when the
 * factory and its instances have gone.
 */
public final class StatementFactory {
    private static final MethodType CONSTRUCTOR =
            MethodType.methodType(void.class, StatementDefinition.class, PartitionStore.class, Object[].class);
    /** The length of the repeated beginning of a statement that is refused for its length. */
    private static final int MAX_QUOTED = 100;

    private static final int MAX_NAME = 60;

    /** Bytes of a method that the JVM compiles, unless it is told otherwise. */
    private static final int LONGEST_COMPILED = 8000;

    private final StatementTraits traits;
    private final boolean tellsReads;

    /** Null if no image is to be made. */
    private byte[] classFile;

    private final FieldContent[] contents;
    private final StatementDefinition definition;
    private final MethodHandle constructor;

    private StatementFactory(
            StatementTraits traits, boolean tellsReads, byte[] classFile, FieldContent[] contents, byte[][] literals) {
        this.traits = traits;
        this.tellsReads = tellsReads;
        this.classFile = classFile;
        this.contents = contents;
        constructor = define(classFile);
        RowShape result = RowShape.of(traits.output());
        definition = new StatementDefinition(
                traits.sql(),
                traits.parameters().toArray(new SqlType[0]),
                traits.roundings(),
                result,
                traits.merges() ? RowShape.of(traits.fragment()) : result,
                traits.merges(),
                literals);
    }

    /** A class file and its emitter. */
    private record Generated(ClassEmitter emitter, byte[] bytes) {
        boolean hasHugeMethod() {
            return bytes.length > LONGEST_COMPILED
                    && ClassFile.of().parse(bytes).methods().stream()
                            .flatMap(method -> method.findAttribute(Attributes.code()).stream())
                            .anyMatch(code -> code.codeLength() > LONGEST_COMPILED);
        }
    }

    /** Generates the class. A method that is too long for a class file, or for the JVM to compile it, is generated in pieces. */
    private static Generated generate(StatementPlan plan, boolean tellsReads) {
        Generated whole = null;
        try {
            whole = generate(plan, tellsReads, false);
            if (!whole.hasHugeMethod()) {
                return whole;
            }
        } catch (IllegalArgumentException tooLong) {
            return generate(plan, tellsReads, true);
        }
        try {
            return generate(plan, tellsReads, true);
        } catch (IllegalArgumentException tooManyPieces) {
            return whole;
        }
    }

    private static Generated generate(StatementPlan plan, boolean tellsReads, boolean inPieces) {
        ClassDesc name = ClassDesc.of(StatementFactory.class.getPackageName(), name(plan.sql()));
        ClassEmitter emitter = new ClassEmitter(name, tellsReads, inPieces);
        new StatementCompiler(emitter, plan).emit();
        return new Generated(emitter, emitter.write());
    }

    /** The class file that a plan is compiled to, for a look at it with {@code javap}. */
    public static byte[] classFile(StatementPlan plan) {
        return generate(plan, false).bytes();
    }

    /** Compiles a plan. Throws INVALID_REQUEST naming what is not supported. */
    public static StatementFactory compile(StatementPlan plan) {
        return compile(plan, false);
    }

    /** The same; the statement tells the rows that it reads to the partition's footprint, if asked to. */
    public static StatementFactory compile(StatementPlan plan, boolean tellsReads) {
        try {
            Generated generated = generate(plan, tellsReads);
            FieldContent[] contents = generated.emitter().fields().stream()
                    .map(StatementField::content)
                    .toArray(FieldContent[]::new);
            return new StatementFactory(
                    plan.traits(),
                    tellsReads,
                    generated.bytes(),
                    contents,
                    generated.emitter().literals());
        } catch (IllegalArgumentException e) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "the statement is too large to be compiled: put the values of its lists and CASEs into a table and use"
                            + " that, or split it: " + beginning(plan.sql()));
        }
    }

    /** Gives the class file up, before others know the factory: no image is to be made. */
    public StatementFactory withoutImage() {
        classFile = null;
        return this;
    }

    /** The factory of an image; throws IllegalArgumentException or LinkageError if it makes no sense. */
    public static StatementFactory ofImage(ImageInput in) {
        StatementTraits traits = TraitsCodec.decode(in);
        boolean tellsReads = in.flag();
        byte[] classFile = in.bytes();
        FieldContent[] contents = new FieldContent[in.count()];
        for (int i = 0; i < contents.length; i++) {
            contents[i] = FieldContentCodec.decode(in);
        }
        byte[][] literals = new byte[in.count()][];
        for (int i = 0; i < literals.length; i++) {
            literals[i] = in.bytes();
        }
        return new StatementFactory(traits, tellsReads, classFile, contents, literals);
    }

    /** Writes an image, from which this version of the server makes an equal factory without a plan. */
    public void writeImage(ImageOutput out) {
        TraitsCodec.encode(traits, out);
        out.flag(tellsReads).bytes(classFile).number(contents.length);
        for (FieldContent content : contents) {
            FieldContentCodec.encode(content, out);
        }
        out.number(definition.literals().length);
        for (byte[] literal : definition.literals()) {
            out.bytes(literal);
        }
    }

    private static String beginning(String sql) {
        return sql.length() <= MAX_QUOTED ? sql : sql.substring(0, MAX_QUOTED) + "...";
    }

    /** A class name in which a profile's reader recognises the statement. */
    private static String name(String sql) {
        String words = beginning(sql.strip()).replaceAll("[^A-Za-z0-9]+", "_").toLowerCase(Locale.ROOT);
        return "Sql_" + words.substring(0, Math.min(MAX_NAME, words.length())) + "_"
                + Integer.toHexString(sql.hashCode());
    }

    private static MethodHandle define(byte[] bytes) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            MethodHandles.Lookup defined = lookup.defineHiddenClass(bytes, true);
            return defined.findConstructor(defined.lookupClass(), CONSTRUCTOR)
                    .asType(CONSTRUCTOR.changeReturnType(CompiledStatement.class));
        } catch (IllegalAccessException | NoSuchMethodException e) {
            throw new IllegalStateException("generated class without its constructor", e);
        }
    }

    /** The statement's facts. */
    public StatementTraits traits() {
        return traits;
    }

    /** Whether its instances tell the rows that they read to the partition's footprint. */
    public boolean tellsReads() {
        return tellsReads;
    }

    /** The columns of the result. */
    public RowShape resultShape() {
        return definition.result();
    }

    /** The columns of what a fragment gives to the merge; those of the result where there is none. */
    public RowShape fragmentShape() {
        return definition.fragment();
    }

    /** An instance bound to a partition's tables. */
    public CompiledStatement create(PartitionStore store) {
        Object[] fields = new Object[contents.length];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = contents[i].in(store);
        }
        try {
            return (CompiledStatement) constructor.invokeExact(definition, store, fields);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a generated constructor throws nothing checked", e);
        }
    }
}
