package io.reprise.sql.compile.operator;

import io.reprise.catalog.Column;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.expression.ValueEmitter;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.Errors;
import io.reprise.sql.compile.runtime.JsonText;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.RowLayout;
import java.lang.classfile.Label;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Columns that are written: values are checked against the column, naming it, and then put into the row. */
public final class Columns {
    private final Operators operators;
    private final Code code;
    private final Table table;
    private final RowLayout layout;

    public Columns(Operators operators, Table table) {
        this.operators = operators;
        this.table = table;
        code = operators.code();
        layout = RowLayout.of(table);
    }

    /**
     * Computes a value for a column. A CAST between numbers to the column's type, which the planner puts around what is
     * stored, is done here, so that an error names the column. A CAST of a string is always one that was written: it cuts
     * off, and what is then too long for its column is an error.
     */
    public Value emit(RexNode expression, Scope scope, int column) {
        SqlType type = table.columns().get(column).type();
        RexNode inner = expression;
        if (expression instanceof RexCall call
                && call.getKind() == SqlKind.CAST
                && isStorable(Types.of(call.getOperands().getFirst().getType()), type)
                && Types.of(call.getType()).equals(type)) {
            inner = call.getOperands().getFirst();
        }
        return checked(operators.expressions().emit(inner, scope, name(column)), column);
    }

    private static boolean isStorable(SqlType from, SqlType to) {
        return Types.isNumeric(from) && Types.isNumeric(to);
    }

    private String name(int column) {
        return table.name() + "." + table.columns().get(column).name();
    }

    /** Brings a value to the column's type, or throws. As many bytes are written as the value's type has. */
    public Value checked(Value value, int column) {
        Column target = table.columns().get(column);
        String name = name(column);
        if (!target.nullable() && (value.isNull || value.hasNullFlag())) {
            Label present = code.newLabel();
            code.jumpUnlessNull(value, present);
            code.push(table.name());
            code.push(target.name());
            code.call(Errors.class, "notNull");
            code.raw().athrow();
            code.bind(present);
        }
        Value known = target.nullable() || value.isNull ? value : value.notNull();
        if (known.isNull) {
            return target.nullable() ? Value.nullOf(target.type()) : Value.constant(target.type(), 0);
        }
        return narrowed(known, target.type(), name);
    }

    private Value narrowed(Value value, SqlType type, String name) {
        String described = name + " " + type;
        Expressions expressions = operators.expressions();
        if ((type.isWide() || value.type.isWide()) && Types.isNumeric(value.type) && Types.isNumeric(type)) {
            return number(value, type, described);
        }
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER ->
                isNarrow(value.type, type)
                        ? value.as(type)
                        : expressions.values().strict(type, List.of(value), () -> {
                            pushLong(value);
                            code.push(described);
                            code.call(Numbers.class, storeFunction(type));
                        });
            case BIGINT ->
                Types.isInteger(value.type)
                        ? value.as(type)
                        : expressions
                                .values()
                                .strict(type, List.of(value), () -> code.naming(described, () -> pushLong(value)));
            case DECIMAL ->
                value.type.kind() == type.kind()
                                && value.type.scale() == type.scale()
                                && value.type.precision() <= type.precision()
                        ? value
                        : expressions.values().strict(type, List.of(value), () -> {
                            expressions.values().pushDecimal(value, type.scale());
                            code.push(type.precision());
                            code.push(type.scale());
                            code.push(described);
                            code.call(Decimals.class, "store");
                        });
            case VARCHAR, VARBINARY -> string(value, type, described);
            case DOUBLE ->
                type.isReal()
                        ? expressions.values().strict(type, List.of(value), () -> {
                            expressions.values().pushDouble(value);
                            code.call(Numbers.class, "toReal");
                        })
                        : expressions.casts().represent(value, type);
            default -> expressions.casts().represent(value, type);
        };
    }

    /** A number of which the value's or the column's type is a DECIMAL of more than 18 digits. */
    private Value number(Value value, SqlType type, String described) {
        if (value.type.kind() == type.kind()
                && value.type.scale() == type.scale()
                && value.type.precision() <= type.precision()) {
            return value.as(type);
        }
        ValueEmitter values = operators.expressions().values();
        return values.strict(
                type,
                List.of(value),
                () -> code.naming(described, () -> {
                    values.pushNumber(value);
                    values.ofNumber(type);
                    operators.expressions().casts().pushFit(type);
                    if (type.isReal()) {
                        code.call(Numbers.class, "toReal");
                    }
                }));
    }

    private static boolean isNarrow(SqlType from, SqlType to) {
        return from.kind().isInteger() && from.kind().width() <= to.kind().width();
    }

    private void pushLong(Value value) {
        if (value.isDouble()) {
            code.push(value);
            code.call(Numbers.class, "toLong");
        } else {
            operators.expressions().values().pushDecimal(value, 0);
        }
    }

    private static String storeFunction(SqlType type) {
        return switch (type.kind()) {
            case TINYINT -> "storeTinyint";
            case SMALLINT -> "storeSmallint";
            default -> "storeInteger";
        };
    }

    /** Always checked, because the value of a parameter of type VARCHAR(n) is not. */
    private Value string(Value given, SqlType type, String described) {
        if (type.isWide()) {
            return operators.expressions().casts().cast(given, type);
        }
        boolean read = type.isUuid() && given.isString() && !given.type.isUuid()
                || type.isArray() && !given.isNull && !given.type.equals(type);
        Value value = read ? operators.expressions().casts().cast(given, type) : given;
        if (!value.isString() || value.type.isWide()) {
            throw Types.unsupported("storing " + value.type + " in " + described + " without CAST");
        }
        return operators
                .expressions()
                .values()
                .strict(type, List.of(value), () -> {
                    boolean characters = type.kind() == SqlType.Kind.VARCHAR;
                    if (characters) {
                        code.memory();
                    }
                    code.push(value);
                    code.push(type.precision());
                    code.push(described);
                    code.call(Strings.class, characters ? "store" : "storeBytes");
                    if (type.isJson() && !value.type.isJson()) {
                        int text = code.newLong();
                        code.storeLong(text);
                        code.memory();
                        code.loadLong(text);
                        code.call(JsonText.class, "checked");
                    }
                })
                .pointingIntoRow(value.inRow);
    }

    /** Writes the columns of a new row, which is all zeros so far. */
    public void writeNew(int row, NavigableMap<Integer, Value> values) {
        for (var nulls : nullBytes(values).entrySet()) {
            if (nulls.getValue().stream().allMatch(c -> isNeverNull(values.get(c)))) {
                continue;
            }
            code.memory();
            pushAddress(row, nulls.getKey());
            code.push(0);
            pushNullBits(values, nulls.getValue());
            code.call(Memory.class, "putByte");
        }
        values.forEach((column, value) -> {
            if (!value.isNull && !value.isString()) {
                write(row, column, value);
            }
        });
        values.forEach((column, value) -> {
            if (!value.isNull && value.isString()) {
                Label skip = code.newLabel();
                code.jumpIfNull(value, skip);
                write(row, column, value);
                code.bind(skip);
            }
        });
    }

    private static boolean isNeverNull(Value value) {
        return !value.isNull && !value.hasNullFlag();
    }

    /** Writes columns of a row that is being updated. */
    public void writeChanged(int row, NavigableMap<Integer, Value> values) {
        for (var nulls : nullBytes(values).entrySet()) {
            int mask = nulls.getValue().stream().mapToInt(layout::nullMask).sum();
            code.memory();
            pushAddress(row, nulls.getKey());
            code.memory();
            pushAddress(row, nulls.getKey());
            code.call(Memory.class, "getByte");
            code.push(~mask);
            code.raw().iand();
            pushNullBits(values, nulls.getValue());
            code.call(Memory.class, "putByte");
        }
        values.forEach((column, value) -> write(row, column, value));
    }

    /** The nullable columns by the byte that holds their null bit. */
    private NavigableMap<Integer, List<Integer>> nullBytes(NavigableMap<Integer, Value> values) {
        NavigableMap<Integer, List<Integer>> bytes = new TreeMap<>();
        for (int column : values.keySet()) {
            if (layout.nullByte(column) >= 0) {
                bytes.computeIfAbsent(layout.nullByte(column), k -> new java.util.ArrayList<>())
                        .add(column);
            }
        }
        return bytes;
    }

    /** Adds null bits to the int on the stack and makes a byte of it. */
    private void pushNullBits(NavigableMap<Integer, Value> values, List<Integer> columns) {
        for (int column : columns) {
            Value value = values.get(column);
            if (!isNeverNull(value)) {
                code.pushNullFlag(value);
                code.push(Integer.numberOfTrailingZeros(layout.nullMask(column)));
                code.raw().ishl().ior();
            }
        }
        code.raw().i2b();
    }

    private void write(int row, int column, Value value) {
        if (value.isString()) {
            code.field(code.owner().table(table));
            code.loadLong(row);
            code.push(column);
            code.push(value);
            code.call(TableStore.class, "writeString");
            return;
        }
        code.memory();
        pushAddress(row, layout.offset(column));
        code.push(value);
        switch (value.type.kind()) {
            case BOOLEAN, TINYINT -> {
                code.raw().l2i().i2b();
                code.call(Memory.class, "putByte");
            }
            case SMALLINT -> {
                code.raw().l2i().i2s();
                code.call(Memory.class, "putShort");
            }
            case INTEGER, DATE -> {
                code.raw().l2i();
                code.call(Memory.class, "putInt");
            }
            case DOUBLE -> {
                // Equal numbers are to be alike in rows: -0.0 becomes 0.0.
                code.raw().dconst_0().dadd();
                code.call(Memory.class, "putDouble");
            }
            default -> code.call(Memory.class, "putLong");
        }
    }

    private void pushAddress(int row, int offset) {
        code.loadLong(row);
        code.push((long) offset);
        code.raw().ladd();
    }
}
