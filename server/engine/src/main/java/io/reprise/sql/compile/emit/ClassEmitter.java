package io.reprise.sql.compile.emit;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.Errors;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.StatementDefinition;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.OrderedIndex;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The class that a statement becomes, while it is written: its fields, its methods, its constructor. Emitters ask for
 * fields and for further methods as they go.
 */
public final class ClassEmitter {
    private static final ClassDesc SUPER = Code.descriptor(CompiledStatement.class);
    private static final MethodTypeDesc SUPER_CONSTRUCTOR = MethodTypeDesc.of(
            ConstantDescs.CD_void, Code.descriptor(StatementDefinition.class), Code.descriptor(PartitionStore.class));
    private static final MethodTypeDesc CONSTRUCTOR =
            SUPER_CONSTRUCTOR.insertParameterTypes(2, ConstantDescs.CD_Object.arrayType());

    private final ClassDesc self;
    private final boolean tellsReads;
    private final boolean inPieces;
    private final List<StatementField> fields = new ArrayList<>();
    private final Map<String, StatementField> shared = new HashMap<>();
    private final Map<String, Class<?>> variables = new HashMap<>();
    private final List<byte[]> literals = new ArrayList<>();
    private final Map<String, Integer> literalNumbers = new HashMap<>();
    private final Deque<Consumer<ClassBuilder>> methods = new ArrayDeque<>();
    private final Map<List<Object>, Callee> callees = new HashMap<>();
    private int names;

    public ClassEmitter(ClassDesc self, boolean tellsReads, boolean inPieces) {
        this.self = self;
        this.tellsReads = tellsReads;
        this.inPieces = inPieces;
    }

    /** Whether the statement is to tell which rows it reads. */
    public boolean tellsReads() {
        return tellsReads;
    }

    /** Whether long lists of columns and conditions are to be methods of their own. */
    public boolean inPieces() {
        return inPieces;
    }

    public ClassDesc self() {
        return self;
    }

    public List<StatementField> fields() {
        return fields;
    }

    /** A method that generated code calls. */
    public record Callee(MethodTypeDesc descriptor, boolean isStatic) {}

    /** The method of that name; parameter types are needed only where there is more than one. */
    public Callee callee(Class<?> type, String name, Class<?>... parameters) {
        return callees.computeIfAbsent(List.of(type, name, List.of(parameters)), key -> {
            Method method = Code.method(type, name, parameters);
            return new Callee(Code.descriptor(method), Modifier.isStatic(method.getModifiers()));
        });
    }

    /** The bytes of string literals, by number. */
    public byte[][] literals() {
        return literals.toArray(new byte[0][]);
    }

    /** The number of a string literal; one that no string can be as long as is refused. */
    public int literal(byte[] bytes) {
        if (bytes.length > SqlType.MAX_STRING_BYTES) {
            throw Errors.tooLong("a literal of " + bytes.length + " bytes is longer than the longest possible string, "
                    + SqlType.MAX_STRING_BYTES + " bytes: store it in pieces");
        }
        return literalNumbers.computeIfAbsent(new String(bytes, StandardCharsets.ISO_8859_1), text -> {
            literals.add(bytes);
            return literals.size() - 1;
        });
    }

    public int literal(String text) {
        return literal(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A new final field. */
    public StatementField field(String prefix, Class<?> type, FieldContent content) {
        return fieldOfWhole(prefix, type, () -> content);
    }

    /** A new final field whose content follows from the complete class. */
    public StatementField fieldOfWhole(String prefix, Class<?> type, Supplier<FieldContent> contents) {
        StatementField field = new StatementField(unique(prefix), type, contents);
        fields.add(field);
        return field;
    }

    /** A new variable field, 0 at first. */
    public String variable(String prefix, Class<?> type) {
        String name = unique(prefix);
        variables.put(name, type);
        return name;
    }

    /** Declares a variable field of that name. */
    public void declare(String name, Class<?> type) {
        variables.put(name, type);
    }

    public String unique(String prefix) {
        return prefix + "$" + names++;
    }

    /** The field with a table's store. */
    public StatementField table(Table table) {
        int id = table.id();
        return shared.computeIfAbsent(
                "table" + id,
                k -> field("table_" + javaName(table.name()), TableStore.class, new FieldContent.OfTable(id)));
    }

    /** The field with an index. */
    public StatementField index(Table table, Index index) {
        int id = table.id();
        int position = index.position();
        String name = "index_" + javaName(index.name());
        boolean hash = index.kind() == Index.Kind.HASH;
        return shared.computeIfAbsent(
                "index" + id + "/" + position,
                k -> hash
                        ? field(name, HashIndex.class, new FieldContent.OfHashIndex(id, position))
                        : field(name, OrderedIndex.class, new FieldContent.OfOrderedIndex(id, position)));
    }

    private static String javaName(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }

    /** Adds a method; its code is emitted when the method at hand is complete. */
    public void method(String name, MethodTypeDesc descriptor, int flags, Consumer<Code> emit) {
        methods.add(builder -> builder.withMethodBody(name, descriptor, flags, body -> {
            Code code = new Code(this, body);
            code.begin();
            emit.accept(code);
        }));
    }

    /** Writes the class file. */
    public byte[] write() {
        ClassFile classFile = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofClassLoading(ClassEmitter.class.getClassLoader())));
        return classFile.build(self, builder -> {
            builder.withSuperclass(SUPER).withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
            while (!methods.isEmpty()) {
                methods.remove().accept(builder);
            }
            variables.forEach((name, type) -> builder.withField(name, Code.descriptor(type), ClassFile.ACC_PRIVATE));
            for (StatementField field : fields) {
                builder.withField(field.name(), field.descriptor(), ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
            }
            constructor(builder);
        });
    }

    private void constructor(ClassBuilder builder) {
        builder.withMethodBody(ConstantDescs.INIT_NAME, CONSTRUCTOR, ClassFile.ACC_PUBLIC, code -> {
            code.aload(0).aload(1).aload(2).invokespecial(SUPER, ConstantDescs.INIT_NAME, SUPER_CONSTRUCTOR);
            for (int i = 0; i < fields.size(); i++) {
                StatementField field = fields.get(i);
                code.aload(0).aload(3).loadConstant(i).aaload().checkcast(field.descriptor());
                code.putfield(self, field.name(), field.descriptor());
            }
            code.return_();
        });
    }
}
