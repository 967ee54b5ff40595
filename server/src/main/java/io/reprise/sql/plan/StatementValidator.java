package io.reprise.sql.plan;

import io.reprise.catalog.SqlType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/**
 * Calcite's validator with our rules for parameters: each is nullable and has the type of what it stands next to, a
 * string of any length (a column's own limit is checked when it is stored), a BIGINT in LIMIT and OFFSET.
 */
final class StatementValidator extends SqlValidatorImpl {
    private final RepriseTypeFactory types;

    StatementValidator(CalciteCatalogReader reader, RepriseTypeFactory types) {
        super(
                SupportedFunctions.table(),
                reader,
                types,
                Config.DEFAULT
                        .withConformance(SqlConformanceEnum.LENIENT)
                        .withDefaultNullCollation(NullCollation.LOW)
                        .withTypeCoercionEnabled(true)
                        .withTypeCoercionFactory(Coercion::new)
                        .withIdentifierExpansion(true));
        this.types = types;
    }

    @Override
    protected void inferUnknownTypes(RelDataType inferred, SqlValidatorScope scope, SqlNode node) {
        if (!(node instanceof SqlDynamicParam)) {
            super.inferUnknownTypes(inferred, scope, node);
            return;
        }
        if (inferred.getSqlTypeName() == SqlTypeName.UNKNOWN || inferred.getSqlTypeName() == SqlTypeName.NULL) {
            // Another place may tell (COALESCE uses its arguments twice); parameterTypes refuses what is left.
            return;
        }
        super.inferUnknownTypes(types.ofParameter(inferred), scope, node);
    }

    /** A whole number may have the 19 digits of a BIGINT, where Calcite has the 18 of a DECIMAL for all numbers. */
    @Override
    public void validateLiteral(SqlLiteral literal) {
        if (literal.getTypeName() != SqlTypeName.DECIMAL) {
            super.validateLiteral(literal);
            return;
        }
        BigDecimal number = literal.getValueAs(BigDecimal.class);
        if (number.unscaledValue().bitLength() >= Long.SIZE
                || number.scale() > 0 && number.precision() > SqlType.MAX_DECIMAL_PRECISION) {
            throw PlanningErrors.at(
                    literal.getParserPosition(),
                    "the number " + number.toPlainString() + " has too many digits: a whole number is from "
                            + Long.MIN_VALUE + " to " + Long.MAX_VALUE + ", any other has at most "
                            + SqlType.MAX_DECIMAL_PRECISION + " digits; write it as a DOUBLE, such as 1.5e20");
        }
    }

    /** Calcite would take the greatest precision there is for a greater one. */
    @Override
    public void validateDataType(SqlDataTypeSpec type) {
        if (type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
                && SqlTypeName.get(basic.getTypeName().getSimple()) == SqlTypeName.DECIMAL
                && basic.getPrecision() > SqlType.MAX_DECIMAL_PRECISION) {
            throw PlanningErrors.at(
                    type.getParserPosition(),
                    "a DECIMAL has 1 to " + SqlType.MAX_DECIMAL_PRECISION
                            + " digits, because its value is kept exactly in one 64-bit word, but this one has "
                            + basic.getPrecision());
        }
        super.validateDataType(type);
    }

    /** Never casts a string to a shorter one on its own: what a column cannot hold is refused, not cut. */
    private static final class Coercion extends TypeCoercionImpl {
        Coercion(RelDataTypeFactory types, SqlValidator validator) {
            super(types, validator);
        }

        @Override
        protected boolean needToCast(
                SqlValidatorScope scope, SqlNode node, RelDataType target, SqlTypeMappingRule rule) {
            RelDataType type = validator.deriveType(scope, node);
            boolean strings = SqlTypeUtil.inCharFamily(type) && SqlTypeUtil.inCharFamily(target)
                    || SqlTypeUtil.isBinary(type) && SqlTypeUtil.isBinary(target);
            return !strings && super.needToCast(scope, node, target, rule);
        }
    }

    /**
     * The types of all parameters of a validated statement, by position. A rewrite may have used a parameter twice: then
     * one place tells the type, and it is set for the other too.
     */
    List<SqlType> parameterTypes(SqlNode validated) {
        List<List<SqlDynamicParam>> places = new ArrayList<>();
        validated.accept(new SqlBasicVisitor<Void>() {
            @Override
            public Void visit(SqlCall call) {
                if (call instanceof SqlSelect select) {
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
        return places.stream().map(this::typeOf).toList();
    }

    private void countType(SqlNode count) {
        if (count instanceof SqlDynamicParam) {
            setValidatedNodeType(count, types.of(SqlType.of(SqlType.Kind.BIGINT), true));
        }
    }

    private SqlType typeOf(List<SqlDynamicParam> places) {
        RelDataType type = null;
        for (SqlDynamicParam place : places) {
            RelDataType known = getValidatedNodeTypeIfKnown(place);
            if (type == null && known != null && known.getSqlTypeName() != SqlTypeName.UNKNOWN) {
                // Calcite gives the operand of CAST the length that it is to be cut to.
                type = types.ofParameter(known);
            }
        }
        SqlDynamicParam first = places.getFirst();
        if (type == null) {
            throw PlanningErrors.at(first.getParserPosition(), PlanningErrors.UNTYPED);
        }
        for (SqlDynamicParam place : places) {
            setValidatedNodeType(place, type);
        }
        try {
            return RepriseTypeFactory.toSqlType(type, "parameter ?" + first.getIndex());
        } catch (SqlPlanningException e) {
            throw PlanningErrors.at(first.getParserPosition(), e.getMessage());
        }
    }
}
