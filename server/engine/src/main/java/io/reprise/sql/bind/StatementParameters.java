package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;

/** The parameters of a validated statement and their types. */
final class StatementParameters {
    private final SqlValidator validator;
    private final RepriseTypeFactory types;

    private StatementParameters(SqlValidator validator, RepriseTypeFactory types) {
        this.validator = validator;
        this.types = types;
    }

    /**
     * The types of all parameters of a validated statement, by position. A rewrite may have used a parameter twice: then
     * one place tells the type, and it is set for the other too.
     */
    static List<SqlType> types(SqlNode validated, SqlValidator validator, RepriseTypeFactory types) {
        return new StatementParameters(validator, types).types(validated);
    }

    private List<SqlType> types(SqlNode validated) {
        List<List<SqlDynamicParam>> places = new ArrayList<>();
        Set<SqlNode> tested = Collections.newSetFromMap(new IdentityHashMap<>());
        validated.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                if (ParameterTypes.isNullTestOfParameter(call)) {
                    tested.add(call.operand(0));
                } else if (call instanceof SqlSelect select) {
                    countType(select.getFetch());
                    countType(select.getOffset());
                } else if (call instanceof SqlOrderBy order) {
                    countType(order.fetch);
                    countType(order.offset);
                }
                return super.visit(call);
            }

            @Override
            public Void visit(SqlDynamicParam parameter) {
                while (places.size() <= parameter.getIndex()) {
                    places.add(new ArrayList<>());
                }
                places.get(parameter.getIndex()).add(parameter);
                return null;
            }
        });
        return places.stream()
                .map(those -> typeOf(those, tested.containsAll(those)))
                .toList();
    }

    private void countType(SqlNode count) {
        if (count instanceof SqlDynamicParam) {
            validator.setValidatedNodeType(count, types.of(SqlType.of(SqlType.Kind.BIGINT), true));
        }
    }

    private SqlType typeOf(List<SqlDynamicParam> places, boolean onlyTestedForNull) {
        RelDataType type = null;
        for (SqlDynamicParam place : places) {
            RelDataType known = validator.getValidatedNodeTypeIfKnown(place);
            if (type == null && known != null && known.getSqlTypeName() != SqlTypeName.UNKNOWN) {
                // Calcite gives the operand of CAST the length that it is to be cut to.
                type = types.ofParameter(known);
            }
        }
        SqlDynamicParam first = places.getFirst();
        if (type == null && onlyTestedForNull) {
            type = types.of(SqlType.varchar(SqlType.MAX_STRING_BYTES), true);
        } else if (type == null) {
            throw PlanningErrors.untyped(first);
        }
        for (SqlDynamicParam place : places) {
            validator.setValidatedNodeType(place, type);
        }
        try {
            return RepriseTypeFactory.toSqlType(type, "parameter " + (first.getIndex() + 1));
        } catch (SqlPlanningException e) {
            throw PlanningErrors.at(first.getParserPosition(), e.getMessage());
        }
    }
}
