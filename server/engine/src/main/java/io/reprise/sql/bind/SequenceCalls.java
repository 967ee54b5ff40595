package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Sequence;
import io.reprise.catalog.Suggestions;
import io.reprise.catalog.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Util;

/**
 * Puts parameters in the place of NEXTVAL, CURRVAL, LASTVAL and GEN_RANDOM_UUID, whose values are drawn before a statement runs. They stand where one value is needed for one execution: in the rows of
 * INSERT ... VALUES, and in a SELECT without FROM.
 */
final class SequenceCalls extends SqlShuttle {
    private static final Set<String> FUNCTIONS = Set.of("NEXTVAL", "CURRVAL", "LASTVAL", "SETVAL", "GEN_RANDOM_UUID");

    private final Catalog catalog;
    private final List<SequenceUse> uses = new ArrayList<>();
    private int nextParameter;

    private SequenceCalls(Catalog catalog, int parameters) {
        this.catalog = catalog;
        nextParameter = parameters;
    }

    /** A statement without such functions, and the values that it takes. */
    record Replaced(SqlNode statement, List<SequenceUse> uses) {}

    /** Replaces the functions of a statement; {@code all} has the statement's other parts, whose parameters count too. */
    static Replaced in(Catalog catalog, SqlNode statement, SqlNodeList all) {
        int[] parameters = new int[1];
        boolean[] found = new boolean[1];
        all.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                found[0] |= name(call) != null;
                return super.visit(call);
            }

            @Override
            public Void visit(SqlDynamicParam parameter) {
                parameters[0] = Math.max(parameters[0], parameter.getIndex() + 1);
                return null;
            }
        });
        if (!found[0]) {
            return new Replaced(statement, List.of());
        }
        SequenceCalls calls = new SequenceCalls(catalog, parameters[0]);
        SqlNode replaced = calls.statement(statement);
        all.stream().filter(part -> part != statement).forEach(SequenceCalls::refuseIn);
        return new Replaced(replaced, List.copyOf(calls.uses));
    }

    /** Whether a call's value is drawn before its statement runs. */
    static boolean isDrawn(SqlCall call) {
        return name(call) != null;
    }

    /** The function that a call is; null if it is another one. */
    private static String name(SqlCall call) {
        if (call.getKind() == SqlKind.NEXT_VALUE) {
            return "NEXTVAL";
        } else if (call.getKind() == SqlKind.CURRENT_VALUE) {
            return "CURRVAL";
        }
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        return FUNCTIONS.contains(name) ? name : null;
    }

    private SqlNode statement(SqlNode statement) {
        return switch (statement) {
            case SqlInsert insert
            when insert.getSource().getKind() == SqlKind.VALUES -> {
                List<SqlNode> rows = new ArrayList<>();
                for (SqlNode row : ((SqlCall) insert.getSource()).getOperandList()) {
                    rows.add(row((SqlCall) row));
                }
                SqlParserPos position = insert.getSource().getParserPosition();
                insert.setOperand(ColumnDefaults.SOURCE, SqlStdOperatorTable.VALUES.createCall(position, rows));
                yield insert;
            }
            case SqlSelect select
            when select.getFrom() == null && select.getWhere() == null -> {
                SqlNodeList items = new SqlNodeList(select.getSelectList().getParserPosition());
                for (SqlNode item : select.getSelectList()) {
                    items.add(item(item));
                }
                select.setSelectList(items);
                yield select;
            }
            case SqlCall values
            when values.getKind() == SqlKind.VALUES -> {
                yield super.visit(values);
            }
            default -> {
                refuseIn(statement);
                yield statement;
            }
        };
    }

    /** A value that is a sequence's alone has the type of its column. */
    private SqlNode row(SqlCall row) {
        List<SqlNode> values = new ArrayList<>();
        for (SqlNode value : row.getOperandList()) {
            String name = value instanceof SqlCall call && !call.isA(SqlKind.QUERY) ? name(call) : null;
            if ("NEXTVAL".equals(name)) {
                values.add(parameter((SqlCall) value, SequenceUse.Kind.NEXT));
            } else if ("GEN_RANDOM_UUID".equals(name)) {
                values.add(parameter((SqlCall) value, SequenceUse.Kind.UUID));
            } else {
                values.add(value.accept(this));
            }
        }
        return SqlStdOperatorTable.ROW.createCall(row.getParserPosition(), values);
    }

    /** An item that is such a function is named after it. */
    private SqlNode item(SqlNode item) {
        SqlNode replaced = item.accept(this);
        return item instanceof SqlCall call && name(call) != null
                ? SqlStdOperatorTable.AS.createCall(
                        item.getParserPosition(), replaced, new SqlIdentifier(name(call), item.getParserPosition()))
                : replaced;
    }

    @Override
    public SqlNode visit(SqlCall call) {
        if (call.isA(SqlKind.QUERY)) {
            refuseIn(call);
            return call;
        }
        String name = name(call);
        if (name == null) {
            return super.visit(call);
        }
        return switch (name) {
            case "NEXTVAL" -> bigint(parameter(call, SequenceUse.Kind.NEXT));
            case "CURRVAL" -> bigint(parameter(call, SequenceUse.Kind.CURRENT));
            case "GEN_RANDOM_UUID" -> uuid(parameter(call, SequenceUse.Kind.UUID));
            case "LASTVAL" -> bigint(parameter(call, SequenceUse.Kind.LAST));
            default -> set(call);
        };
    }

    private SqlNode parameter(SqlCall call, SequenceUse.Kind kind) {
        boolean named = kind != SequenceUse.Kind.LAST && kind != SequenceUse.Kind.UUID;
        Optional<Table> sequence = named ? Optional.of(sequence(call)) : Optional.empty();
        uses.add(new SequenceUse(kind, sequence, 0, -1, true));
        return new SqlDynamicParam(nextParameter++, call.getParserPosition());
    }

    private static SqlNode bigint(SqlNode value) {
        return cast(value, SqlTypeName.BIGINT);
    }

    private static SqlNode uuid(SqlNode value) {
        return cast(value, SqlTypeName.UUID);
    }

    private static SqlNode cast(SqlNode value, SqlTypeName name) {
        SqlParserPos position = value.getParserPosition();
        SqlDataTypeSpec type = new SqlDataTypeSpec(new SqlBasicTypeNameSpec(name, position), position);
        return SqlStdOperatorTable.CAST.createCall(position, value, type);
    }

    /** SETVAL(sequence, value [, called]); its result is the value. */
    private SqlNode set(SqlCall call) {
        boolean called = true;
        if (call.operandCount() == 3) {
            if (!(call.operand(2) instanceof SqlLiteral literal) || literal.getTypeName() != SqlTypeName.BOOLEAN) {
                throw PlanningErrors.at(call.getParserPosition(), "the last argument of SETVAL is TRUE or FALSE");
            }
            called = literal.booleanValue();
        } else if (call.operandCount() != 2) {
            throw PlanningErrors.at(call.getParserPosition(), "SETVAL takes a sequence, a value, and TRUE or FALSE");
        }
        Table sequence = sequence(call);
        SqlNode value = call.operand(1);
        if (value instanceof SqlDynamicParam parameter) {
            uses.add(new SequenceUse(SequenceUse.Kind.SET, Optional.of(sequence), 0, parameter.getIndex(), called));
            return bigint(value);
        }
        boolean negative = value.getKind() == SqlKind.MINUS_PREFIX;
        SqlNode number = negative ? ((SqlCall) value).operand(0) : value;
        if (!(number instanceof SqlNumericLiteral literal) || !literal.isInteger()) {
            throw PlanningErrors.at(
                    call.getParserPosition(),
                    "SETVAL takes a number or a parameter as its value: run the query first, then SETVAL or ALTER SEQUENCE"
                            + " ... RESTART WITH its result");
        }
        BigDecimal exact = literal.getValueAs(BigDecimal.class);
        long set = (negative ? exact.negate() : exact).longValueExact();
        uses.add(new SequenceUse(SequenceUse.Kind.SET, Optional.of(sequence), set, -1, called));
        return bigint(value);
    }

    /** The sequence that the first operand names: as an identifier, or as text, which may be cast to REGCLASS. */
    private Table sequence(SqlCall call) {
        if (call.operandCount() == 0) {
            throw PlanningErrors.at(call.getParserPosition(), name(call) + " takes the name of a sequence in quotes");
        }
        SqlNode operand = call.operand(0);
        while (operand.getKind() == SqlKind.CAST) {
            operand = ((SqlCall) operand).operand(0);
        }
        String name;
        if (operand instanceof SqlIdentifier identifier) {
            name = Util.last(identifier.names);
        } else if (operand instanceof SqlLiteral literal && SqlTypeName.CHAR_TYPES.contains(literal.getTypeName())) {
            name = Sequence.named(literal.getValueAs(String.class).strip());
        } else {
            throw PlanningErrors.at(call.getParserPosition(), name(call) + " takes the name of a sequence in quotes");
        }
        return catalog.table(name)
                .filter(table -> table.sequence().isPresent())
                .orElseThrow(() -> PlanningErrors.at(
                        call.getParserPosition(),
                        "there is no sequence " + name
                                + Suggestions.didYouMean(
                                        name,
                                        catalog.tables().values().stream()
                                                .filter(table ->
                                                        table.sequence().isPresent())
                                                .map(Table::name)
                                                .toList())));
    }

    private static void refuseIn(SqlNode node) {
        node.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                if (name(call) != null) {
                    throw PlanningErrors.at(
                            call.getParserPosition(),
                            name(call)
                                    + " gives one value for an execution: it stands in the rows of INSERT ... VALUES, in"
                                    + " INSERT ... SELECT over such rows, or in a SELECT without FROM");
                }
                return super.visit(call);
            }
        });
    }
}
