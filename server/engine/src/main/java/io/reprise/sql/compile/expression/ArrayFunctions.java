package io.reprise.sql.compile.expression;

import io.reprise.catalog.ArrayWriter;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Literals;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.ArrayComparison;
import io.reprise.sql.compile.runtime.ArrayElements;
import io.reprise.sql.compile.runtime.ArrayValues;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.storage.PartitionStore;
import java.lang.classfile.Label;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** The functions of arrays. Arrays of literals are constants. */
final class ArrayFunctions {
    private final Code code;
    private final ValueEmitter values;
    private final Casts casts;
    private final Operands operands;

    ArrayFunctions(Code code, ValueEmitter values, Casts casts, Operands operands) {
        this.code = code;
        this.values = values;
        this.casts = casts;
        this.operands = operands;
    }

    /** The array that a CAST of a literal stands for; null: the expression is no such CAST. */
    static Value constant(RexCall call, Code code) {
        boolean cast = call.getKind() == SqlKind.CAST
                && call.getOperands().getFirst() instanceof RexLiteral literal
                && !literal.isNull()
                && SqlTypeUtil.inCharFamily(literal.getType());
        if (!cast || !Types.of(call.getType()).isArray()) {
            return null;
        }
        String text = ((RexLiteral) call.getOperands().getFirst()).getValueAs(String.class);
        return constant(Types.of(call.getType()), ArrayElements.parse(Types.of(call.getType()), text), code);
    }

    private static Value constant(SqlType type, byte[] bytes, Code code) {
        return Literals.string(type, code.owner().literal(bytes), code);
    }

    /** ARRAY[...]. */
    Value of(RexCall call, Scope scope) {
        SqlType type = Types.of(call.getType());
        byte[] literals = literals(call.getOperands(), type.element());
        if (literals != null) {
            return constant(type, literals, code);
        }
        List<Value> elements = operands.emitAll(call.getOperands(), scope).stream()
                .map(element -> casts.cast(element, type.element()))
                .toList();
        int writer = code.newReference();
        code.push(type.scale());
        code.call(ArrayValues.class, "writer");
        code.storeReference(writer);
        for (Value element : elements) {
            code.store();
            code.loadReference(writer);
            pushElement(element);
            code.call(ArrayValues.class, "add");
        }
        int array = code.newLong();
        code.store();
        code.loadReference(writer);
        code.call(ArrayValues.class, "written");
        code.storeLong(array);
        return Value.local(type, array);
    }

    /** Pushes an element's word and its NULL flag. */
    private void pushElement(Value element) {
        if (element.isNull) {
            code.push(0L);
        } else {
            code.pushWord(element);
        }
        code.pushNullFlag(element);
    }

    /** The same, and the scale of the element's array. */
    private void pushElement(Value element, SqlType array) {
        pushElement(element);
        code.push(array.scale());
    }

    /** The bytes of an array of literals; null: some elements are none. */
    private static byte[] literals(List<RexNode> elements, SqlType type) {
        ArrayWriter writer = new ArrayWriter(type);
        for (RexNode element : elements) {
            if (!(element instanceof RexLiteral literal)) {
                return null;
            } else if (literal.isNull()) {
                writer.addNull();
            } else if (type.kind() == Kind.VARCHAR && SqlTypeUtil.inCharFamily(literal.getType())) {
                writer.add(Literals.bytes(literal));
            } else if (type.isWide() && SqlTypeUtil.isExactNumeric(literal.getType())) {
                writer.add(DecimalBytes.rounded(type, literal.getValueAs(BigDecimal.class)));
            } else if ((type.kind().isInteger() || type.kind() == Kind.DECIMAL)
                    && SqlTypeUtil.isExactNumeric(literal.getType())) {
                writer.add(literal.getValueAs(BigDecimal.class)
                        .setScale(type.scale(), RoundingMode.HALF_UP)
                        .unscaledValue()
                        .longValueExact());
            } else {
                return null;
            }
        }
        return writer.toBytes();
    }

    /** An element by its number: NULL where there is none. */
    Value item(RexCall call, Scope scope) {
        Value array = operands.emit(call.getOperands().get(0), scope);
        Value number = operands.emit(call.getOperands().get(1), scope);
        SqlType type = Types.of(call.getType());
        if (array.isNull || number.isNull) {
            return Value.nullOf(type);
        }
        int reader = code.newReference();
        int result = code.newLocal(type);
        int isNull = code.newInt();
        Label end = code.newLabel();
        code.clear(type, result);
        code.setInt(isNull, 1);
        code.jumpIfNull(array, end);
        code.jumpIfNull(number, end);
        code.conditionally(() -> {
            code.store();
            code.push(array);
            values.pushDecimal(number, 0);
            code.push(array.type.scale());
            code.call(ArrayValues.class, "item");
            code.storeReference(reader);
            code.loadReference(reader);
            code.raw().ifnull(end);
            code.store();
            code.loadReference(reader);
            code.call(ArrayValues.class, "element");
            if (type.kind() == Kind.DOUBLE) {
                code.call(Double.class, "longBitsToDouble");
            }
            code.store(type, result);
            code.setInt(isNull, 0);
        });
        code.bind(end);
        return Value.nullable(type, result, isNull);
    }

    /** CAST of an array to a string. */
    Value text(RexCall call, Scope scope) {
        return casts.cast(emit(call, 0, scope), Types.of(call.getType()));
    }

    Value cardinality(RexCall call, Scope scope) {
        Value array = operands.emit(call.getOperands().getFirst(), scope);
        return values.strict(Types.of(call.getType()), List.of(array), () -> {
            code.store();
            code.push(array);
            code.push(array.type.scale());
            code.call(ArrayValues.class, "count");
        });
    }

    /** An array with an element behind or in front of it. NULL in place of the array is an empty one. */
    Value append(RexCall call, Scope scope) {
        return append(call, emit(call, 0, scope), emit(call, 1, scope), "append");
    }

    Value prepend(RexCall call, Scope scope) {
        return append(call, emit(call, 1, scope), emit(call, 0, scope), "prepend");
    }

    private Value emit(RexCall call, int operand, Scope scope) {
        return operands.emit(call.getOperands().get(operand), scope);
    }

    private Value append(RexCall call, Value given, Value element, String function) {
        SqlType type = Types.of(call.getType());
        int array = orEmpty(given);
        Value converted = casts.cast(element, type.element());
        int result = code.newLong();
        code.store();
        code.loadLong(array);
        pushElement(converted, type);
        code.call(ArrayValues.class, function);
        code.storeLong(result);
        return Value.local(type, result);
    }

    private void setEmpty(int local, SqlType type) {
        Value empty = constant(type, new byte[0], code);
        code.push(empty);
        code.storeLong(local);
    }

    /** A local with the array, or an empty one if it is NULL. */
    private int orEmpty(Value array) {
        int local = code.newLong();
        Label isNull = code.newLabel();
        setEmpty(local, array.type);
        code.jumpIfNull(array, isNull);
        if (!array.isNull) {
            code.conditionally(() -> {
                code.push(array);
                code.storeLong(local);
            });
        }
        code.bind(isNull);
        return local;
    }

    /** {@code ||} where an operand is an array: NULL is nothing, unless both are. */
    Value join(RexCall call, Scope scope) {
        Value left = emit(call, 0, scope);
        Value right = emit(call, 1, scope);
        if (!left.type.isArray() && !left.isNull) {
            return append(call, right, left, "prepend");
        } else if (!right.type.isArray() && !right.isNull) {
            return append(call, left, right, "append");
        }
        SqlType type = Types.of(call.getType());
        int first = orEmpty(left);
        int second = orEmpty(right);
        int result = code.newLong();
        code.store();
        code.loadLong(first);
        code.loadLong(second);
        code.call(Strings.class, "concat");
        code.storeLong(result);
        int isNull = code.newInt();
        code.pushNullFlag(left);
        code.pushNullFlag(right);
        code.raw().iand();
        code.storeInt(isNull);
        return Value.nullable(type, result, isNull);
    }

    Value remove(RexCall call, Scope scope) {
        Value array = emit(call, 0, scope);
        Value element = element(call, array, scope);
        return values.strict(Types.of(call.getType()), List.of(array), () -> {
            code.store();
            code.push(array);
            pushElement(element, array.type);
            code.call(ArrayValues.class, "remove");
        });
    }

    private Value element(RexCall call, Value array, Scope scope) {
        Value element = emit(call, 1, scope);
        return array.isNull ? element : casts.cast(element, unlimited(array.type.element()));
    }

    /** The type of strings of any length for one with a limit, so that a longer string is sought as it is. */
    private static SqlType unlimited(SqlType element) {
        if (element.kind() == Kind.VARCHAR && !element.isJson()) {
            return SqlType.TEXT;
        }
        boolean binary = element.kind() == Kind.VARBINARY && !element.isWide() && !element.isUuid();
        return binary ? SqlType.varbinary(SqlType.MAX_STRING_BYTES) : element;
    }

    /** The number of the first element that equals one; NULL: there is none. */
    Value position(RexCall call, Scope scope) {
        Value array = emit(call, 0, scope);
        Value element = element(call, array, scope);
        Value found = values.strict(Types.of(call.getType()), List.of(array), () -> {
            code.store();
            code.push(array);
            pushElement(element, array.type);
            code.call(ArrayValues.class, "position");
        });
        return nullWhere(found, 0);
    }

    /** A value that is NULL also where it is a certain number. */
    private Value nullWhere(Value value, long number) {
        if (value.isNull) {
            return value;
        }
        int isNull = code.newInt();
        Label set = code.newLabel();
        code.setInt(isNull, 1);
        code.jumpIfNull(value, set);
        code.push(value);
        code.push(number);
        code.raw().lcmp().ifeq(set);
        code.setInt(isNull, 0);
        code.bind(set);
        return Value.nullable(value.type, value.slot, isNull);
    }

    Value contains(RexCall call, Scope scope) {
        return ofTwo(call, scope, "contains");
    }

    Value overlaps(RexCall call, Scope scope) {
        return ofTwo(call, scope, "overlaps");
    }

    private Value ofTwo(RexCall call, Scope scope, String function) {
        Value left = emit(call, 0, scope);
        Value right = emit(call, 1, scope);
        return values.strict(Types.BOOLEAN, List.of(left, right), () -> {
            code.store();
            code.push(left);
            code.push(right);
            code.push(left.type.scale());
            code.call(ArrayValues.class, function);
        });
    }

    Value toText(RexCall call, Scope scope) {
        Value array = emit(call, 0, scope);
        Value separator = emit(call, 1, scope);
        SqlType type = Types.of(call.getType());
        if (call.getOperands().size() == 2) {
            return values.strict(type, List.of(array, separator), () -> {
                code.store();
                code.push(array);
                values.pushStable(separator);
                code.push(array.type.scale());
                code.call(ArrayValues.class, "join", PartitionStore.class, long.class, long.class, int.class);
            });
        }
        Value instead = emit(call, 2, scope);
        int text = code.newLong();
        Label isNull = code.newLabel();
        code.setLong(text, -1);
        code.jumpIfNull(instead, isNull);
        if (!instead.isNull) {
            code.conditionally(() -> {
                values.pushStable(instead);
                code.storeLong(text);
            });
        }
        code.bind(isNull);
        return values.strict(type, List.of(array, separator), () -> {
            code.store();
            code.push(array);
            values.pushStable(separator);
            code.loadLong(text);
            code.push(array.type.scale());
            code.call(ArrayValues.class, "join", PartitionStore.class, long.class, long.class, long.class, int.class);
        });
    }

    Value split(RexCall call, Scope scope) {
        List<Value> arguments = operands.emitAll(call.getOperands(), scope);
        return values.strict(Types.of(call.getType()), arguments, () -> {
            code.store();
            arguments.forEach(values::pushStable);
            code.call(ArrayValues.class, "split");
        });
    }

    /** A comparison with ANY or ALL of an array's elements. */
    Value compare(RexCall call, Scope scope, ArrayComparison.Operator operator, String function) {
        Value given = emit(call, 0, scope);
        Value array = emit(call, 1, scope);
        if (array.isNull) {
            return Value.nullOf(Types.BOOLEAN);
        }
        Value value = comparable(given, array.type.element());
        Value found = values.strict(Types.BOOLEAN, List.of(array), () -> {
            code.store();
            pushElement(value);
            code.push(value.type.decimals());
            code.push(array);
            code.push(array.type.scale());
            code.push(operator.ordinal());
            code.call(ArrayComparison.class, value.type.isWide() ? function + "Wide" : function);
        });
        return nullWhere(found, ArrayComparison.UNKNOWN);
    }

    /** A value in a form that is compared with the elements of an array; a number keeps all of its digits. */
    private Value comparable(Value value, SqlType element) {
        boolean exact = Types.isNumeric(value.type)
                && !value.isDouble()
                && Types.isNumeric(element)
                && element.kind() != Kind.DOUBLE;
        if (value.isNull || exact && (value.type.isWide() || !element.isWide())) {
            return value;
        } else if (exact) {
            return casts.represent(value, SqlType.decimal(SqlType.MAX_DECIMAL_PRECISION, value.type.decimals()));
        } else if (element.kind() == Kind.DOUBLE && Types.isNumeric(value.type)) {
            return casts.represent(value, Types.DOUBLE);
        } else if (value.type.kind() == element.kind()
                && value.type.isUuid() == element.isUuid()
                && !value.type.isWide()
                && !element.isWide()) {
            return value;
        } else if (value.type.kind() == Kind.VARCHAR) {
            return casts.cast(value, element);
        }
        throw Types.unsupported("comparison of " + value.type + " with elements of type " + element);
    }
}
