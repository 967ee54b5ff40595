package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Literals;
import io.reprise.sql.compile.emit.Parameters;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.ParameterSet;
import io.reprise.sql.compile.runtime.WordSet;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;

/**
 * IN lists as data. The planner writes {@code x IN (1, 2, ...)} as {@code x = 1 OR x = 2 OR ...}; a long run of such
 * comparisons with literals, or with parameters, becomes one search in a set.
 */
public final class InLists {
    /** Comparisons that stay code, which is faster for few. */
    private static final int FEW = 16;

    private static final SqlFunction IN_SET = function("IN_SET");
    private static final RexBuilder REX = new RexBuilder(new SqlTypeFactoryImpl(RelDataTypeSystem.DEFAULT));

    private final Code code;
    private final ValueEmitter values;
    private final Operands operands;
    private final List<SqlType> parameters;

    public InLists(Code code, ValueEmitter values, Operands operands, List<SqlType> parameters) {
        this.code = code;
        this.values = values;
        this.operands = operands;
        this.parameters = parameters;
    }

    private static SqlFunction function(String name) {
        return new SqlFunction(
                name, SqlKind.OTHER_FUNCTION, ReturnTypes.BOOLEAN_NULLABLE, null, null, SqlFunctionCategory.SYSTEM);
    }

    /** Whether a call is a search in a set. */
    public static boolean isSearch(RexCall call) {
        return call.getOperator() == IN_SET;
    }

    /** The operands of an OR, with each long run of equalities of one expression as one search. */
    public List<RexNode> condensedOr(List<RexNode> operands) {
        return condensed(operands, false);
    }

    /** The operands of an AND, with each long run of negated equalities of one expression as the negation of one search. */
    public List<RexNode> condensedAnd(List<RexNode> operands) {
        return condensed(operands, true);
    }

    private List<RexNode> condensed(List<RexNode> conditions, boolean negated) {
        if (conditions.size() <= FEW) {
            return conditions;
        }
        List<RexNode> result = new ArrayList<>();
        for (int from = 0; from < conditions.size(); ) {
            RexCall first = equality(conditions.get(from), negated);
            int to = from + 1;
            while (first != null && to < conditions.size() && continues(first, equality(conditions.get(to), negated))) {
                to++;
            }
            if (to - from > FEW) {
                result.add(search(conditions.subList(from, to), negated));
            } else {
                result.addAll(conditions.subList(from, to));
            }
            from = to;
        }
        return result;
    }

    private RexNode search(List<RexNode> run, boolean negated) {
        List<RexNode> searched = new ArrayList<>();
        searched.add(equality(run.getFirst(), negated).getOperands().getFirst());
        run.forEach(comparison ->
                searched.add(equality(comparison, negated).getOperands().get(1)));
        RexNode search = REX.makeCall(run.getFirst().getType(), IN_SET, searched);
        return negated ? REX.makeCall(search.getType(), SqlStdOperatorTable.NOT, List.of(search)) : search;
    }

    private static boolean continues(RexCall first, RexCall next) {
        return next != null
                && first.getOperands().get(1).getClass()
                        == next.getOperands().get(1).getClass()
                && first.getOperands().getFirst().equals(next.getOperands().getFirst());
    }

    /** The comparison that a condition is, or negates, if it is one with what can be in a set; otherwise null. */
    private RexCall equality(RexNode condition, boolean negated) {
        SqlKind kind = condition.getKind();
        if (negated && kind == SqlKind.NOT) {
            return equality(((RexCall) condition).getOperands().getFirst(), false);
        }
        boolean compares = kind == (negated ? SqlKind.NOT_EQUALS : SqlKind.EQUALS);
        return compares && isListed((RexCall) condition) ? (RexCall) condition : null;
    }

    /** Whether an expression is compared with a literal, or with a parameter of a statement with many, that is held alike. */
    private boolean isListed(RexCall comparison) {
        RexNode listed = comparison.getOperands().get(1);
        boolean literal = listed instanceof RexLiteral value && !value.isNull();
        boolean parameter = listed instanceof RexDynamicParam && Parameters.areMany(parameters);
        if (!literal && !parameter) {
            return false;
        }
        SqlType type = Types.of(comparison.getOperands().getFirst().getType());
        SqlType other = parameter ? parameters.get(((RexDynamicParam) listed).getIndex()) : Types.of(listed.getType());
        boolean instants = type.kind() == SqlType.Kind.TIMESTAMP || other.kind() == SqlType.Kind.TIMESTAMP;
        return type.kind() != SqlType.Kind.DOUBLE
                && Types.sameRepresentation(type, other)
                && (!instants || type.kind() == other.kind());
    }

    /** Emits a search. */
    public Value emit(RexCall search, Scope scope) {
        Value sought = operands.emit(search.getOperands().getFirst(), scope);
        List<RexNode> listed =
                search.getOperands().subList(1, search.getOperands().size());
        return listed.getFirst() instanceof RexLiteral ? inLiterals(sought, listed) : inParameters(sought, listed);
    }

    private Value inLiterals(Value sought, List<RexNode> literals) {
        WordSet constants = sought.isString() ? strings(literals) : words(literals);
        StatementField set = code.owner().field("list", WordSet.class, new FieldContent.Constants(constants));
        return values.strict(Types.BOOLEAN, List.of(sought), () -> {
            code.field(set);
            if (sought.isString()) {
                code.memory();
                code.push(sought);
                code.call(WordSet.class, "contains", io.reprise.runtime.memory.Memory.class, long.class);
            } else {
                code.push(sought);
                code.call(WordSet.class, "contains", long.class);
            }
        });
    }

    private static WordSet words(List<RexNode> literals) {
        long[] words = new long[literals.size()];
        for (int i = 0; i < words.length; i++) {
            words[i] = Literals.word((RexLiteral) literals.get(i));
        }
        return WordSet.of(words);
    }

    private static WordSet strings(List<RexNode> literals) {
        byte[][] strings = new byte[literals.size()][];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = Literals.bytes((RexLiteral) literals.get(i));
        }
        return WordSet.of(strings);
    }

    private Value inParameters(Value sought, List<RexNode> listed) {
        int[] numbers = listed.stream()
                .mapToInt(parameter -> ((RexDynamicParam) parameter).getIndex())
                .toArray();
        boolean strings = sought.isString();
        StatementField set =
                code.owner().field("list", ParameterSet.class, new FieldContent.Parameters(numbers, strings));
        Value found = values.strict(Types.BIGINT, List.of(sought), () -> {
            code.field(set);
            code.raw().aload(0);
            code.memory();
            code.push(sought);
            code.call(ParameterSet.class, "find");
        });
        if (found.isNull) {
            return Value.nullOf(Types.BOOLEAN);
        }
        int isNull = code.newInt();
        code.push(found);
        code.push(Long.SIZE - 1);
        code.raw().lushr().l2i();
        code.pushNullFlag(found);
        code.raw().ior();
        code.storeInt(isNull);
        return Value.nullable(Types.BOOLEAN, found.slot, isNull);
    }
}
