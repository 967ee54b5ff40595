package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Makes Calcite's types such that only ours come out: a string literal is a VARCHAR (CHAR with its blank padding does not
 * exist), every TIMESTAMP and TIME has microseconds, text is UTF-8.
 */
public final class RepriseTypeFactory extends SqlTypeFactoryImpl {
    public RepriseTypeFactory() {
        super(RepriseTypeSystem.INSTANCE);
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }

    @Override
    public RelDataType createSqlType(SqlTypeName type) {
        PlanningLimit.check();
        return super.createSqlType(ours(type));
    }

    @Override
    public RelDataType createSqlType(SqlTypeName type, int precision) {
        PlanningLimit.check();
        return switch (type) {
            case TIMESTAMP ->
                super.createSqlType(
                        type,
                        precision == RepriseTypeSystem.ZONED_DIGITS ? precision : RepriseTypeSystem.TIMESTAMP_DIGITS);
            case TIME -> super.createSqlType(type, RepriseTypeSystem.TIMESTAMP_DIGITS);
            case FLOAT, DOUBLE -> super.createSqlType(SqlTypeName.DOUBLE);
            case REAL -> super.createSqlType(SqlTypeName.REAL);
            default -> super.createSqlType(ours(type), precision);
        };
    }

    private static SqlTypeName ours(SqlTypeName type) {
        return switch (type) {
            case CHAR -> SqlTypeName.VARCHAR;
            case BINARY -> SqlTypeName.VARBINARY;
            case FLOAT -> SqlTypeName.DOUBLE;
            default -> type;
        };
    }

    /** Leaves parameters without a type yet to the others: they will get the common type. */
    @Override
    public RelDataType leastRestrictive(List<RelDataType> types, SqlTypeMappingRule rule) {
        PlanningLimit.check();
        List<RelDataType> known = types.stream()
                .filter(type -> type.getSqlTypeName() != SqlTypeName.UNKNOWN)
                .toList();
        if (addsTimeToDate(known)) {
            return createTypeWithNullability(
                    createSqlType(SqlTypeName.TIMESTAMP), types.stream().anyMatch(RelDataType::isNullable));
        } else if (known.size() == types.size() || known.isEmpty()) {
            return common(types, rule);
        }
        RelDataType common = common(known, rule);
        return common == null ? null : createTypeWithNullability(ofParameter(common), true);
    }

    /** Of a DATE plus or minus hours, minutes or seconds, whose type Calcite asks for in this way, a DATE would lose these. */
    private static boolean addsTimeToDate(List<RelDataType> types) {
        return types.size() == 2
                && types.stream().anyMatch(type -> type.getSqlTypeName() == SqlTypeName.DATE)
                && types.stream()
                        .anyMatch(type -> SqlTypeName.DAY_INTERVAL_TYPES.contains(type.getSqlTypeName())
                                && !isWholeDays(type.getIntervalQualifier().getUnit()));
    }

    /** A week is an interval of days, too. */
    private static boolean isWholeDays(TimeUnit smallest) {
        return smallest.multiplier.remainder(TimeUnit.DAY.multiplier).signum() == 0;
    }

    /**
     * The type that holds all alternatives of CASE, UNION and their like. Of exact numbers it keeps every digit
     * behind the point, though Calcite gives these up for the 19 digits of a BIGINT: a number too large in front of
     * it is an error then, and nothing is rounded.
     */
    private RelDataType common(List<RelDataType> types, SqlTypeMappingRule rule) {
        List<RelDataType> numbers = types.stream()
                .filter(type -> type.getSqlTypeName() != SqlTypeName.NULL)
                .toList();
        if (!numbers.stream().allMatch(SqlTypeUtil::isExactNumeric)
                || numbers.stream().noneMatch(type -> type.getSqlTypeName() == SqlTypeName.DECIMAL)) {
            return super.leastRestrictive(types, rule);
        }
        int before = 0;
        int scale = 0;
        int most = RepriseTypeSystem.most(numbers.toArray(RelDataType[]::new));
        for (RelDataType number : numbers) {
            before = Math.max(before, RepriseTypeSystem.before(number, most));
            scale = Math.max(scale, RepriseTypeSystem.scale(number));
        }
        int digits = Math.max(1, Math.min(most, before + scale));
        return createTypeWithNullability(
                createSqlType(SqlTypeName.DECIMAL, digits, scale),
                types.stream().anyMatch(RelDataType::isNullable));
    }

    /** The type of a parameter that stands next to a value of a type: strings may be of any length. */
    RelDataType ofParameter(RelDataType type) {
        if (SqlTypeUtil.inCharFamily(type)) {
            return of(SqlType.varchar(SqlType.MAX_STRING_BYTES), true);
        } else if (SqlTypeUtil.isBinary(type)) {
            return of(SqlType.varbinary(SqlType.MAX_STRING_BYTES), true);
        }
        return createTypeWithNullability(type, true);
    }

    /** The type of a column or parameter of our type. */
    public RelDataType of(SqlType type, boolean nullable) {
        RelDataType made = switch (type.kind()) {
            case DECIMAL -> createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
            case VARCHAR -> createSqlType(SqlTypeName.VARCHAR, type.precision());
            case VARBINARY ->
                type.isWide()
                        ? createSqlType(SqlTypeName.DECIMAL, type.precision(), type.decimals())
                        : type.isArray()
                                ? createArrayType(of(type.element(), true), -1)
                                : type.isUuid()
                                        ? createSqlType(SqlTypeName.UUID)
                                        : createSqlType(SqlTypeName.VARBINARY, type.precision());
            case TIMESTAMP ->
                createSqlType(
                        SqlTypeName.TIMESTAMP,
                        type.isZoned() ? RepriseTypeSystem.ZONED_DIGITS : RepriseTypeSystem.TIMESTAMP_DIGITS);
            case DOUBLE -> createSqlType(type.isReal() ? SqlTypeName.REAL : SqlTypeName.DOUBLE);
            default -> createSqlType(SqlTypeName.valueOf(type.kind().name()));
        };
        return createTypeWithNullability(made, nullable);
    }

    /** Our type for a TIMESTAMP, by its digits. */
    public static SqlType timestamp(RelDataType type) {
        return type.getPrecision() == RepriseTypeSystem.ZONED_DIGITS
                ? SqlType.TIMESTAMPTZ
                : SqlType.of(SqlType.Kind.TIMESTAMP);
    }

    /** Our type for one of Calcite's; refuses what no column can hold. */
    public static SqlType toSqlType(RelDataType type, String what) {
        return switch (type.getSqlTypeName()) {
            case TIMESTAMP -> timestamp(type);
            case REAL -> SqlType.REAL;
            case UUID -> SqlType.UUID;
            case ARRAY -> SqlType.array(element(type, what));
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DOUBLE, DATE, TIME ->
                SqlType.of(SqlType.Kind.valueOf(type.getSqlTypeName().name()));
            case DECIMAL -> SqlType.decimal(type.getPrecision(), type.getScale());
            case VARCHAR, CHAR -> SqlType.varchar(Math.max(1, type.getPrecision()));
            case VARBINARY, BINARY -> SqlType.varbinary(Math.max(1, type.getPrecision()));
            case NULL -> SqlType.varchar(1);
            default ->
                throw new SqlPlanningException(what + " has type " + type
                        + ", which is not supported: cast it to one of BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT,"
                        + " REAL, DOUBLE, DECIMAL, VARCHAR, VARBINARY, UUID, TIMESTAMP, DATE, TIME, or to an array");
        };
    }

    private static SqlType element(RelDataType array, String what) {
        SqlType element = toSqlType(array.getComponentType(), what);
        if (element.isArray()) {
            throw new SqlPlanningException(what + " is an array of arrays: arrays have one dimension");
        }
        return element;
    }

    /** Arrays of a type's values, which may be NULL. Strings are of any length, so that longer ones can be added. */
    RelDataType arrayOf(RelDataType element, boolean nullable) {
        RelDataType known = createTypeWithNullability(element, true);
        if (element.getSqlTypeName() == SqlTypeName.NULL) {
            known = of(SqlType.TEXT, true);
        } else if (!SqlTypeUtil.inCharFamily(element)
                || !toSqlType(element, "an element").isJson()) {
            known = ofParameter(element);
        }
        return createTypeWithNullability(createArrayType(known, -1), nullable);
    }
}
