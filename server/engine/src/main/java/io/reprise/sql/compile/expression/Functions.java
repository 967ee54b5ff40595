package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Literals;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.ArrayComparison;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.JsonAccess;
import io.reprise.sql.compile.runtime.LikePattern;
import io.reprise.sql.compile.runtime.NumberPattern;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.compile.runtime.RegularExpression;
import io.reprise.sql.compile.runtime.RegularReplacement;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.sql.compile.runtime.TextPatterns;
import io.reprise.sql.compile.runtime.TimePattern;
import io.reprise.sql.compile.runtime.Utf8;
import io.reprise.sql.compile.runtime.WideDecimals;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlTrimFunction;

/** The named functions. Others are refused by name. */
public final class Functions {
    private final Code code;
    private final ValueEmitter values;
    private final Casts casts;
    private final Conditions conditions;
    private final Operands operands;
    private final TimeFunctions times;
    private final Map<String, Emitter> emitters = new HashMap<>();

    private static final List<String> ON_DOUBLES =
            List.of("SIN", "COS", "TAN", "COT", "ASIN", "ACOS", "ATAN", "ATAN2", "DEGREES", "RADIANS");

    private interface Emitter {
        Value emit(RexCall call, Scope scope);
    }

    public Functions(Code code, ValueEmitter values, Casts casts, Conditions conditions, Operands operands) {
        this.code = code;
        this.values = values;
        this.casts = casts;
        this.conditions = conditions;
        this.operands = operands;
        strings();
        numbers();
        arrays(new ArrayFunctions(code, values, casts, operands));
        times = new TimeFunctions(code, values, casts, operands);
        define(times::extract, "EXTRACT");
        define(times::difference, "TIMESTAMPDIFF");
        define(times::addMicros, "ADD_MICROSECONDS");
        define((call, scope) -> times.now(), "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "NOW");
        define((call, scope) -> casts.cast(times.now(), Types.DATE), "CURRENT_DATE");
    }

    public Value emit(RexCall call, Scope scope) {
        Emitter emitter = emitters.get(call.getOperator().getName().toUpperCase(Locale.ROOT));
        if (emitter == null) {
            throw Types.unsupported("function " + call.getOperator().getName());
        }
        return emitter.emit(call, scope);
    }

    private void define(Emitter emitter, String... names) {
        for (String name : names) {
            emitters.put(name, emitter);
        }
    }

    // Strings

    private void strings() {
        define(this::like, "LIKE");
        define((call, scope) -> not(like(call, scope)), "NOT LIKE");
        define(this::regularExpression, "REGEXP_LIKE");
        define((call, scope) -> jsonAccess(call, scope, "value"), "JSON_VALUE_OF");
        define((call, scope) -> jsonAccess(call, scope, "text"), "JSON_TEXT_OF");
        define(this::length, "CHAR_LENGTH", "CHARACTER_LENGTH", "LENGTH", "LEN");
        define(this::octetLength, "OCTET_LENGTH");
        define(this::concat, "CONCAT");
        define(onStrings("upper"), "UPPER", "UCASE");
        define(onStrings("lower"), "LOWER", "LCASE");
        define(onStrings("substring"), "SUBSTRING", "SUBSTR");
        define(onStrings("replace"), "REPLACE");
        define(onStrings("left"), "LEFT");
        define(onStrings("right"), "RIGHT");
        define(onStrings("repeat"), "REPEAT");
        define(onStrings("position"), "POSITION");
        define(onStrings("ascii"), "ASCII");
        define(onStrings("lpad"), "LPAD");
        define(onStrings("rpad"), "RPAD");
        define(onStrings("overlay"), "OVERLAY");
        define(onStrings("reverse"), "REVERSE");
        define(onStrings("initcap"), "INITCAP");
        define(onStrings("md5"), "MD5");
        define(onStrings("splitPart"), "SPLIT_PART");
        define(onStrings("translate"), "TRANSLATE");
        define(this::replaceMatches, "REGEXP_REPLACE");
        define(this::countMatches, "REGEXP_COUNT");
        define(this::hexadecimal, "TO_HEX");
        define(this::toCharacters, "TO_CHAR");
        define((call, scope) -> readTime(call, scope, "date"), "TO_DATE");
        define((call, scope) -> readTime(call, scope, "timestamp"), "READ_TIMESTAMP");
        define(this::toNumber, "TO_NUMBER");
        define(this::character, "CHR");
        define(this::trim, "TRIM");
        define((call, scope) -> trimBlanks(call, scope, true, false), "LTRIM");
        define((call, scope) -> trimBlanks(call, scope, false, true), "RTRIM");
    }

    private void arrays(ArrayFunctions arrays) {
        define(
                (call, scope) -> Types.of(call.getType()).isArray() ? arrays.join(call, scope) : concat(call, scope),
                "||");
        define(arrays::of, "ARRAY_OF");
        define(arrays::item, "ARRAY_ITEM");
        define(arrays::text, "ARRAY_TEXT");
        define(arrays::cardinality, "CARDINALITY");
        define(arrays::append, "ARRAY_APPEND");
        define(arrays::prepend, "ARRAY_PREPEND");
        define(arrays::remove, "ARRAY_REMOVE");
        define(arrays::position, "ARRAY_POSITION");
        define(arrays::toText, "ARRAY_TO_STRING");
        define(arrays::split, "STRING_TO_ARRAY");
        define(arrays::contains, "@>");
        define(arrays::overlaps, "&&");
        List<String> signs = List.of("=", "<>", "<", "<=", ">", ">=");
        for (ArrayComparison.Operator operator : ArrayComparison.Operator.values()) {
            String sign = signs.get(operator.ordinal());
            define((call, scope) -> arrays.compare(call, scope, operator, "any"), sign + " ANY");
            define((call, scope) -> arrays.compare(call, scope, operator, "all"), sign + " ALL");
        }
    }

    /** A function of {@link Strings} that takes the partition and the operands, numbers as longs. */
    private Emitter onStrings(String name) {
        return (call, scope) -> {
            List<Value> arguments = operands.emitAll(call.getOperands(), scope);
            if (!arguments.getFirst().isString() && !arguments.getFirst().isNull) {
                throw Types.unsupported(call.getOperator().getName() + " of " + arguments.getFirst().type);
            }
            Class<?>[] parameters = new Class<?>[arguments.size() + 1];
            java.util.Arrays.fill(parameters, long.class);
            parameters[0] = PartitionStore.class;
            return values.strict(Types.of(call.getType()), arguments, () -> {
                code.store();
                for (Value argument : arguments) {
                    if (argument.isString() && !argument.type.isWide()) {
                        values.pushStable(argument);
                    } else {
                        values.pushDecimal(argument, 0);
                    }
                }
                code.call(Strings.class, name, parameters);
            });
        };
    }

    private Value character(RexCall call, Scope scope) {
        Value number = operands.emit(call.getOperands().getFirst(), scope);
        return values.strict(Types.of(call.getType()), List.of(number), () -> {
            code.store();
            values.pushDecimal(number, 0);
            code.call(Strings.class, "character");
        });
    }

    private Value hexadecimal(RexCall call, Scope scope) {
        Value number = operands.emit(call.getOperands().getFirst(), scope);
        return values.strict(Types.of(call.getType()), List.of(number), () -> {
            code.store();
            values.pushDecimal(number, 0);
            code.call(Strings.class, "hexadecimal");
        });
    }

    /** A date or a timestamp that a text has by a pattern. */
    private Value readTime(RexCall call, Scope scope, String function) {
        List<Value> arguments = operands.emitAll(call.getOperands(), scope);
        return values.strict(Types.of(call.getType()), arguments, () -> {
            code.store();
            arguments.forEach(values::pushStable);
            code.call(TimePattern.class, function);
        });
    }

    private Value toNumber(RexCall call, Scope scope) {
        List<Value> arguments = operands.emitAll(call.getOperands(), scope);
        SqlType type = Types.of(call.getType());
        return values.strict(type, arguments, () -> {
            code.store();
            arguments.forEach(values::pushStable);
            code.push(type.precision());
            code.push(type.scale());
            code.call(NumberPattern.class, "number");
        });
    }

    private Value toCharacters(RexCall call, Scope scope) {
        Value value = operands.emit(call.getOperands().get(0), scope);
        Value pattern = operands.emit(call.getOperands().get(1), scope);
        return values.strict(Types.of(call.getType()), List.of(value, pattern), () -> {
            code.store();
            if (value.type.isWide()) {
                values.pushNumber(value);
                values.pushStable(pattern);
                code.call(TextPatterns.class, "number", PartitionStore.class, BigDecimal.class, long.class);
                return;
            }
            switch (value.type.kind()) {
                case TIMESTAMP, DATE, TIME -> {
                    values.pushMicros(value);
                    values.pushStable(pattern);
                    code.call(TextPatterns.class, "time");
                }
                case DOUBLE -> {
                    values.pushDouble(value);
                    values.pushStable(pattern);
                    code.call(TextPatterns.class, "number", PartitionStore.class, double.class, long.class);
                }
                default -> {
                    code.push(value);
                    code.push(value.type.kind() == Kind.DECIMAL ? value.type.scale() : 0);
                    values.pushStable(pattern);
                    code.call(TextPatterns.class, "number", PartitionStore.class, long.class, int.class, long.class);
                }
            }
        });
    }

    private Value replaceMatches(RexCall call, Scope scope) {
        List<Value> arguments = operands.emitAll(call.getOperands(), scope);
        return matches(call, arguments, "replace", 4);
    }

    private Value countMatches(RexCall call, Scope scope) {
        return matches(call, operands.emitAll(call.getOperands(), scope), "count", 2);
    }

    /** A call of the search that a statement keeps; operands that are left out are -1. */
    private Value matches(RexCall call, List<Value> arguments, String function, int most) {
        StatementField search =
                code.owner().field("replacement", RegularReplacement.Cache.class, new FieldContent.LastReplacement());
        return values.strict(Types.of(call.getType()), arguments, () -> {
            code.field(search);
            code.store();
            arguments.forEach(values::pushStable);
            for (int i = arguments.size(); i < most; i++) {
                code.push(-1L);
            }
            code.call(RegularReplacement.Cache.class, function);
        });
    }

    private Value not(Value value) {
        return values.strict(Types.BOOLEAN, List.of(value), () -> {
            code.push(1L);
            code.push(value);
            code.raw().lsub();
        });
    }

    private Value like(RexCall call, Scope scope) {
        List<RexNode> given = call.getOperands();
        Value string = operands.emit(given.get(0), scope);
        boolean constant = isLiteral(given.get(1)) && (given.size() < 3 || isLiteral(given.get(2)));
        if (constant) {
            String escape = given.size() < 3 ? null : text(given.get(2));
            StatementField pattern = code.owner()
                    .field("pattern", LikePattern.class, FieldContent.Pattern.of(text(given.get(1)), escape));
            return values.strict(Types.BOOLEAN, List.of(string), () -> {
                code.field(pattern);
                code.memory();
                code.push(string);
                code.call(LikePattern.class, "matches");
            });
        }
        List<Value> arguments = operands.emitAll(given, scope);
        StatementField pattern = code.owner().field("pattern", LikePattern.Cache.class, new FieldContent.LastPattern());
        return values.strict(Types.BOOLEAN, arguments, () -> {
            code.field(pattern);
            code.memory();
            arguments.forEach(code::push);
            if (arguments.size() < 3) {
                code.push(-1L);
            }
            code.call(LikePattern.Cache.class, "matches");
        });
    }

    /** A part that is not there is NULL: the function gives {@link JsonAccess#NONE}. */
    private Value jsonAccess(RexCall call, Scope scope, String function) {
        List<Value> arguments = operands.emitAll(call.getOperands(), scope);
        Value found = values.strict(Types.of(call.getType()), arguments, () -> {
            code.store();
            values.pushStable(arguments.get(0));
            if (arguments.get(1).isString()) {
                code.push(arguments.get(1));
                code.call(JsonAccess.class, function + "OfMember");
            } else {
                values.pushDecimal(arguments.get(1), 0);
                code.call(JsonAccess.class, function + "OfElement");
            }
        });
        if (found.isNull) {
            return found;
        }
        int isNull = code.newInt();
        code.loadLong(found.slot);
        // NONE is negative, and no reference is.
        code.raw().bipush(Long.SIZE - 1).lushr().l2i();
        code.pushNullFlag(found);
        code.raw().ior();
        code.storeInt(isNull);
        code.loadLong(found.slot);
        code.push(0L);
        code.call(Math.class, "max", long.class, long.class);
        code.storeLong(found.slot);
        return Value.nullable(found.type, found.slot, isNull);
    }

    /** A constant expression is prepared once; a computed one when it is another than the last time. */
    private Value regularExpression(RexCall call, Scope scope) {
        List<RexNode> given = call.getOperands();
        boolean constant = isLiteral(given.get(1)) && (given.size() < 3 || isLiteral(given.get(2)));
        if (constant) {
            String expression = text(given.get(1));
            String flags = given.size() < 3 ? null : text(given.get(2));
            // Refuses an invalid one here.
            RegularExpression.compile(expression, flags);
            Value string = operands.emit(given.get(0), scope);
            StatementField prepared = code.owner()
                    .field("expression", RegularExpression.class, new FieldContent.Expression(expression, flags));
            return values.strict(Types.BOOLEAN, List.of(string), () -> {
                code.field(prepared);
                code.memory();
                code.push(string);
                code.call(RegularExpression.class, "matches");
            });
        }
        List<Value> arguments = operands.emitAll(given, scope);
        StatementField last =
                code.owner().field("expression", RegularExpression.Cache.class, new FieldContent.LastExpression());
        return values.strict(Types.BOOLEAN, arguments, () -> {
            code.field(last);
            code.memory();
            arguments.forEach(code::push);
            if (arguments.size() < 3) {
                code.push(-1L);
            }
            code.call(RegularExpression.Cache.class, "matches");
        });
    }

    private static boolean isLiteral(RexNode node) {
        return node instanceof RexLiteral literal && !literal.isNull();
    }

    private static String text(RexNode literal) {
        return ((RexLiteral) literal).getValueAs(String.class);
    }

    private Value length(RexCall call, Scope scope) {
        Value string = operands.emit(call.getOperands().getFirst(), scope);
        if (string.type.kind() == Kind.VARBINARY) {
            return octetLength(call, scope);
        }
        return values.strict(Types.of(call.getType()), List.of(string), () -> {
            code.memory();
            code.push(string);
            code.call(Utf8.class, "characters");
            code.raw().i2l();
        });
    }

    private Value octetLength(RexCall call, Scope scope) {
        Value string = operands.emit(call.getOperands().getFirst(), scope);
        return values.strict(Types.of(call.getType()), List.of(string), () -> {
            code.push(string);
            code.call(Ref.class, "length");
            code.raw().i2l();
        });
    }

    private Value concat(RexCall call, Scope scope) {
        Value result = operands.emit(call.getOperands().getFirst(), scope);
        for (RexNode operand : call.getOperands().subList(1, call.getOperands().size())) {
            Value left = result;
            Value right = operands.emit(operand, scope);
            result = values.strict(Types.of(call.getType()), List.of(left, right), () -> {
                code.store();
                code.push(left);
                code.push(right);
                code.call(Strings.class, "concat");
            });
        }
        return result;
    }

    private Value trim(RexCall call, Scope scope) {
        SqlTrimFunction.Flag flag = ((RexLiteral) call.getOperands().getFirst()).getValueAs(SqlTrimFunction.Flag.class);
        List<Value> arguments = operands.emitAll(
                call.getOperands().subList(1, call.getOperands().size()), scope);
        return trim(call, arguments, flag.getLeft() != 0, flag.getRight() != 0);
    }

    private Value trimBlanks(RexCall call, Scope scope, boolean left, boolean right) {
        Value blank = Literals.string(Types.VARCHAR, code.owner().literal(" "), code);
        Value string = operands.emit(call.getOperands().getFirst(), scope);
        return trim(call, List.of(blank, string), left, right);
    }

    private Value trim(RexCall call, List<Value> arguments, boolean left, boolean right) {
        Value string = arguments.getLast();
        Value result = values.strict(Types.of(call.getType()), arguments, () -> {
            code.memory();
            arguments.forEach(code::push);
            code.push(left ? 1 : 0);
            code.push(right ? 1 : 0);
            code.call(Strings.class, "trim");
        });
        return result.pointingIntoRow(string.inRow);
    }

    // Numbers

    private void numbers() {
        define(this::abs, "ABS");
        define(this::mod, "MOD");
        define(this::sign, "SIGN");
        define((call, scope) -> round(call, scope, "round", "round"), "ROUND");
        define((call, scope) -> round(call, scope, "truncate", "truncateTo"), "TRUNCATE", "TRUNC");
        define((call, scope) -> floor(call, scope, "floor"), "FLOOR");
        define((call, scope) -> floor(call, scope, "ceil"), "CEIL", "CEILING");
        define(onDoubles("sqrt"), "SQRT");
        define(onDoubles("power"), "POWER", "POW");
        define(onDoubles("exp"), "EXP");
        define(onDoubles("cbrt"), "CBRT");
        define(onDoubles("ln"), "LN");
        define(onDoubles("log10"), "LOG10");
        for (String name : ON_DOUBLES) {
            define(onDoubles(name.toLowerCase(Locale.ROOT)), name);
        }
        define((call, scope) -> Value.constant(Types.DOUBLE, Double.doubleToRawLongBits(Math.PI)), "PI");
        define(onLongs("shiftLeft"), "BIT_SHIFT_LEFT");
        define(onLongs("shiftRight"), "BIT_SHIFT_RIGHT");
        define(onLongs("bitNot"), "BITNOT");
        define(onLongs("gcd"), "GCD");
        define(onLongs("lcm"), "LCM");
        define((call, scope) -> bits(call, scope, CodeBuilder::land), "BITAND");
        define((call, scope) -> bits(call, scope, CodeBuilder::lor), "BITOR");
        define((call, scope) -> bits(call, scope, CodeBuilder::lxor), "BITXOR");
        define((call, scope) -> extreme(call, scope, SqlKind.GREATER_THAN), "GREATEST");
        define((call, scope) -> extreme(call, scope, SqlKind.LESS_THAN), "LEAST");
    }

    private Emitter onDoubles(String name) {
        return (call, scope) -> {
            List<Value> arguments = operands.emitAll(call.getOperands(), scope);
            Class<?>[] parameters = new Class<?>[arguments.size()];
            java.util.Arrays.fill(parameters, double.class);
            return values.strict(Types.DOUBLE, arguments, () -> {
                arguments.forEach(values::pushDouble);
                code.call(Numbers.class, name, parameters);
            });
        };
    }

    /** A function of {@link Numbers} on whole numbers. */
    private Emitter onLongs(String name) {
        return (call, scope) -> {
            List<Value> arguments = operands.emitAll(call.getOperands(), scope);
            Class<?>[] parameters = new Class<?>[arguments.size()];
            java.util.Arrays.fill(parameters, long.class);
            if (!arguments.stream().allMatch(a -> a.isNull || Types.isInteger(a.type))) {
                throw Types.unsupported(call.getOperator().getName() + " of what is not an integer");
            }
            return values.strict(Types.of(call.getType()), arguments, () -> {
                arguments.forEach(code::push);
                code.call(Numbers.class, name, parameters);
            });
        };
    }

    private Value abs(RexCall call, Scope scope) {
        Value value = operands.emit(call.getOperands().getFirst(), scope);
        return values.strict(value.type, List.of(value), () -> {
            if (value.type.isWide()) {
                values.pushNumber(value);
                code.call(WideDecimals.class, "abs");
                values.ofNumber(value.type);
                return;
            }
            code.push(value);
            if (value.isDouble()) {
                code.call(Math.class, "abs", double.class);
            } else {
                code.call(Numbers.class, "abs");
                casts.pushFit(value.type);
            }
        });
    }

    private Value bits(RexCall call, Scope scope, Consumer<CodeBuilder> instruction) {
        List<Value> arguments = operands.emitAll(call.getOperands(), scope);
        SqlType type = Types.of(call.getType());
        if (!arguments.stream().allMatch(a -> a.isNull || Types.isInteger(a.type)) || !Types.isInteger(type)) {
            throw Types.unsupported(call.getOperator().getName() + " of what is not an integer");
        }
        return values.strict(type, arguments, () -> {
            arguments.forEach(code::push);
            instruction.accept(code.raw());
        });
    }

    private Value mod(RexCall call, Scope scope) {
        List<Value> arguments = operands.emitAll(call.getOperands(), scope);
        return new Arithmetic(code, values, casts)
                .number(SqlKind.MOD, arguments.get(0), arguments.get(1), Types.of(call.getType()));
    }

    private Value sign(RexCall call, Scope scope) {
        Value value = operands.emit(call.getOperands().getFirst(), scope);
        SqlType type = Types.of(call.getType());
        Value sign = values.strict(value.isDouble() ? Types.DOUBLE : Types.BIGINT, List.of(value), () -> {
            if (value.type.isWide()) {
                values.pushNumber(value);
                code.call(WideDecimals.class, "sign");
                return;
            }
            code.push(value);
            code.call(Numbers.class, "sign", value.isDouble() ? double.class : long.class);
        });
        return casts.cast(sign, type);
    }

    private Value round(RexCall call, Scope scope, String function, String decimalFunction) {
        Value value = operands.emit(call.getOperands().getFirst(), scope);
        Value digits = call.getOperands().size() > 1
                ? operands.emit(call.getOperands().get(1), scope)
                : Value.constant(Types.BIGINT, 0);
        if (value.type.isWide()) {
            SqlType type = Types.of(call.getType());
            return values.strict(type, List.of(value, digits), () -> {
                values.pushNumber(value);
                values.pushDecimal(digits, 0);
                code.call(WideDecimals.class, decimalFunction);
                values.ofNumber(type);
            });
        }
        Value result = values.strict(value.type, List.of(value, digits), () -> {
            code.push(value);
            if (value.type.kind() == Kind.DECIMAL) {
                code.push(value.type.scale());
                values.pushDecimal(digits, 0);
                code.call(Decimals.class, decimalFunction, long.class, int.class, long.class);
                if (value.type.precision() == SqlType.MAX_WORD_PRECISION) {
                    code.push(value.type.precision());
                    code.push(value.type.scale());
                    code.call(Decimals.class, "fit");
                }
                return;
            }
            values.pushDecimal(digits, 0);
            code.call(Numbers.class, function, value.isDouble() ? double.class : long.class, long.class);
            casts.pushFit(value.type);
        });
        return Types.sameRepresentation(value.type, Types.of(call.getType()))
                ? result.as(Types.of(call.getType()))
                : casts.cast(result, Types.of(call.getType()));
    }

    private Value floor(RexCall call, Scope scope, String function) {
        Value value = operands.emit(call.getOperands().getFirst(), scope);
        SqlType type = Types.of(call.getType());
        if (call.getOperands().size() > 1) {
            return times.floorTo(value, call.getOperands().get(1), function, type);
        }
        if (Types.isInteger(value.type)) {
            return value;
        }
        if (value.isDouble()) {
            return values.strict(Types.DOUBLE, List.of(value), () -> {
                code.push(value);
                code.call(Numbers.class, function, double.class);
            });
        }
        if (value.type.isWide()) {
            return values.strict(type, List.of(value), () -> {
                values.pushNumber(value);
                code.call(WideDecimals.class, function);
                values.ofNumber(type);
            });
        }
        SqlType whole = SqlType.decimal(value.type.precision(), 0);
        Value result = values.strict(whole, List.of(value), () -> {
            code.push(value);
            code.push(value.type.scale());
            code.call(Decimals.class, function);
        });
        return casts.represent(result, type);
    }

    private Value extreme(RexCall call, Scope scope, SqlKind better) {
        SqlType type = Types.of(call.getType());
        List<Value> arguments = operands.emitAll(call.getOperands(), scope).stream()
                .map(v -> casts.represent(v, type))
                .toList();
        boolean inRow = arguments.stream().anyMatch(v -> v.inRow);
        return values.strict(type, arguments, () -> {
                    int best = code.newLocal(type);
                    Value current = Value.local(type, best);
                    code.push(arguments.getFirst());
                    code.store(type, best);
                    for (Value argument : arguments.subList(1, arguments.size())) {
                        Label worse = code.newLabel();
                        conditions.jumpUnless(better, argument, current, worse);
                        code.push(argument);
                        code.store(type, best);
                        code.bind(worse);
                    }
                    code.push(current);
                })
                .pointingIntoRow(inRow);
    }
}
