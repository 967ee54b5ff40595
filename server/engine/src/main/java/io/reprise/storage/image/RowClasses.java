package io.reprise.storage.image;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Generated classes without state, by the shape of the rows that they are for: each is made once for all tables whose columns have
 * the same forms at the same places, in all partitions and engines of the process, so that it is compiled once too. Any thread.
 */
final class RowClasses<T> {
    /** A method of more than 8000 bytes is never compiled; a column takes up to 50. */
    static final int MOST_COLUMNS = 150;

    /** More kinds of tables are forgotten together, lest changes of schemas fill the memory. */
    private static final int MOST_KEPT = 1000;

    private final Class<T> type;
    private final ConcurrentMap<List<Integer>, T> made = new ConcurrentHashMap<>();

    /** Subclasses of this one, which has a constructor without parameters. */
    RowClasses(Class<T> type) {
        this.type = type;
    }

    /** The one for this shape, or the one that is made of the given methods. */
    T of(List<Integer> shape, Supplier<Consumer<ClassBuilder>> methods) {
        T known = made.get(shape);
        if (known != null) {
            return known;
        }
        if (made.size() >= MOST_KEPT) {
            made.clear();
        }
        T fresh = make(methods.get());
        T other = made.putIfAbsent(shape, fresh);
        return other == null ? fresh : other;
    }

    /** The facts that generated code depends on: forms and places of all columns, and the columns of the key. */
    static List<Integer> shape(ColumnImages columns, int... keyColumns) {
        List<Integer> shape = new ArrayList<>();
        for (int column = 0; column < columns.count(); column++) {
            shape.add(columns.form(column));
            shape.add(columns.offset(column));
            shape.add(columns.width(column));
            shape.add(columns.mostStringBytes(column));
            shape.add(columns.nullByte(column));
            shape.add(columns.nullMask(column));
        }
        for (int column : keyColumns) {
            shape.add(column);
        }
        return List.copyOf(shape);
    }

    private T make(Consumer<ClassBuilder> methods) {
        ClassDesc above = descriptor(type);
        ClassDesc self = ClassDesc.of(type.getPackageName(), "Generated" + type.getSimpleName());
        byte[] bytes = ClassFile.of().build(self, builder -> {
            builder.withSuperclass(above)
                    .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER)
                    .withMethodBody(
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void,
                            0,
                            code -> code.aload(0)
                                    .invokespecial(above, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                                    .return_());
            methods.accept(builder);
        });
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            MethodHandles.Lookup defined = lookup.defineHiddenClass(bytes, true);
            return type.cast(defined.findConstructor(defined.lookupClass(), MethodType.methodType(void.class))
                    .invoke());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a generated class can't be used", e);
        }
    }

    static ClassDesc descriptor(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }
}
