package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import io.reprise.sql.grammar.JsonOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlCollectionTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlPosixRegexOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Litmus;

/** Replaces other names of functions by the ones we have, before validation. */
final class SyntaxRewriter extends SqlShuttle {
    private static final List<TimeUnit> TRUNCATED_TO = List.of(
            TimeUnit.YEAR,
            TimeUnit.QUARTER,
            TimeUnit.MONTH,
            TimeUnit.WEEK,
            TimeUnit.DAY,
            TimeUnit.HOUR,
            TimeUnit.MINUTE,
            TimeUnit.SECOND);
    static final Map<String, SqlOperator> ALIASES = Map.of(
            "SUBSTR", SqlStdOperatorTable.SUBSTRING,
            "LENGTH", SqlStdOperatorTable.CHAR_LENGTH,
            "LEN", SqlStdOperatorTable.CHAR_LENGTH,
            "POW", SqlStdOperatorTable.POWER,
            "IFNULL", SqlStdOperatorTable.COALESCE,
            "NVL", SqlStdOperatorTable.COALESCE,
            "CEILING", SqlStdOperatorTable.CEIL,
            "LOG", SqlStdOperatorTable.LN,
            "NOW", SqlStdOperatorTable.CURRENT_TIMESTAMP);
    private static final Map<String, SqlOperator> PARTS_OF_DATES =
            Map.of(TimeUnitWords.DAY_FUNCTION, SqlStdOperatorTable.DAYOFMONTH, "WEEKOFYEAR", SqlStdOperatorTable.WEEK);

    @Override
    public SqlNode visit(SqlCall call) {
        SqlNode visited = super.visit(call);
        if (!(visited instanceof SqlCall rewritten)) {
            return visited;
        }
        if (rewritten instanceof SqlSelect select) {
            SeriesCalls.resolve(select);
            if (select.getFrom() instanceof SqlJoin joins) {
                select.setFrom(CommaJoins.regrouped(joins));
                JoinConditions.move(select);
            }
            return select;
        } else if (rewritten instanceof SqlJoin join) {
            JoinConditions.wrap(join);
            return join;
        } else if (rewritten instanceof SqlOrderBy order) {
            return OrderedSetQueries.named(order);
        } else if (rewritten.getKind() == SqlKind.EXPLICIT_TABLE) {
            return allOf(rewritten);
        }
        if (rewritten.getKind() == SqlKind.FILTER || rewritten.getKind() == SqlKind.OVER) {
            SqlNode inside = PostgresFunctions.inside(rewritten);
            if (inside != rewritten) {
                return inside;
            }
        }
        if (rewritten.getKind() == SqlKind.OVER && rewritten.operand(0).getKind() == SqlKind.FILTER) {
            return WindowSyntax.filtered(rewritten);
        } else if (rewritten.getKind() == SqlKind.PRECEDING || rewritten.getKind() == SqlKind.FOLLOWING) {
            return WindowSyntax.counted(rewritten);
        }
        if (rewritten.getOperator() == SqlStdOperatorTable.LOCALTIME
                || rewritten.getOperator() == SqlStdOperatorTable.CURRENT_TIME) {
            return TimeFunctions.timeOfDay(call.getParserPosition());
        }
        if (rewritten.getOperator() == SqlStdOperatorTable.LOCALTIMESTAMP) {
            return SqlStdOperatorTable.CURRENT_TIMESTAMP.createCall(call.getParserPosition());
        }
        if (rewritten.getOperator() == JsonOperators.VALUE) {
            return OwnFunctions.JSON_VALUE_OF.createCall(call.getParserPosition(), rewritten.getOperandList());
        } else if (rewritten.getOperator() == JsonOperators.TEXT) {
            return OwnFunctions.JSON_TEXT_OF.createCall(call.getParserPosition(), rewritten.getOperandList());
        }
        if (rewritten.getOperator() instanceof SqlPosixRegexOperator) {
            return regularExpression(rewritten);
        }
        if (rewritten.getOperator() == SqlLibraryOperators.INFIX_CAST) {
            return SqlStdOperatorTable.CAST.createCall(call.getParserPosition(), rewritten.getOperandList());
        }
        if (rewritten.getOperator() == SqlLibraryOperators.ILIKE
                || rewritten.getOperator() == SqlLibraryOperators.NOT_ILIKE) {
            return likeInLowerCase(rewritten);
        }
        if (rewritten.getOperator() == SqlStdOperatorTable.PERCENT_REMAINDER) {
            return OwnFunctions.MOD.createCall(call.getParserPosition(), rewritten.getOperandList());
        }
        if (rewritten.getOperator().getName().equals("DATE_TRUNC")) {
            return truncation(rewritten);
        }
        if (rewritten.getKind() == SqlKind.CAST && rewritten.operand(0) instanceof SqlIntervalLiteral interval) {
            return ExactInterval.cast(rewritten, interval);
        }
        Optional<SqlNode> array = ArrayCalls.rewrite(rewritten);
        if (array.isPresent()) {
            return array.get();
        }
        Optional<SqlNode> other = PostgresFunctions.rewrite(rewritten);
        if (other.isPresent()) {
            return other.get();
        }
        Optional<SqlNode> time = TimeFunctions.rewrite(rewritten);
        if (time.isPresent()) {
            return time.get();
        }
        if (rewritten.getOperator() instanceof SqlUnresolvedFunction function) {
            String name = function.getName().toUpperCase(Locale.ROOT);
            if (name.equals("CONCAT")) {
                return concatenation(rewritten);
            }
            if (name.equals("DECODE")) {
                return decoded(rewritten);
            } else if (name.equals("SPACE")) {
                List<SqlNode> operands = new ArrayList<>(rewritten.getOperandList());
                operands.addFirst(SqlLiteral.createCharString(" ", call.getParserPosition()));
                return SqlLibraryOperators.REPEAT.createCall(call.getParserPosition(), operands);
            } else if (name.equals("APPROX_COUNT_DISTINCT")) {
                return SqlStdOperatorTable.COUNT.createCall(
                        SqlSelectKeyword.DISTINCT.symbol(call.getParserPosition()),
                        call.getParserPosition(),
                        rewritten.getOperandList());
            }
            SqlOperator replacement = ALIASES.getOrDefault(name, PARTS_OF_DATES.get(name));
            if (replacement != null) {
                return replacement.createCall(call.getParserPosition(), rewritten.getOperandList());
            }
        }
        return rewritten;
    }

    @Override
    public SqlNode visit(SqlLiteral literal) {
        return literal instanceof SqlIntervalLiteral interval ? ExactInterval.of(interval) : super.visit(literal);
    }

    /** ILIKE compares both sides, and the escape character, in lower case. */
    private static SqlNode likeInLowerCase(SqlCall like) {
        SqlOperator operator = like.getOperator() == SqlLibraryOperators.ILIKE
                ? SqlStdOperatorTable.LIKE
                : SqlStdOperatorTable.NOT_LIKE;
        List<SqlNode> operands = like.getOperandList().stream()
                .map(operand -> (SqlNode) SqlStdOperatorTable.LOWER.createCall(operand.getParserPosition(), operand))
                .toList();
        return operator.createCall(like.getParserPosition(), operands);
    }

    /** s ~ e, and its like without case or negated. */
    private static SqlNode regularExpression(SqlCall call) {
        SqlParserPos position = call.getParserPosition();
        SqlOperator operator = call.getOperator();
        List<SqlNode> operands = new ArrayList<>(call.getOperandList().subList(0, 2));
        if (operator == SqlStdOperatorTable.POSIX_REGEX_CASE_INSENSITIVE
                || operator == SqlStdOperatorTable.NEGATED_POSIX_REGEX_CASE_INSENSITIVE) {
            operands.add(SqlLiteral.createCharString("i", position));
        }
        SqlNode found = OwnFunctions.REGEXP_LIKE.createCall(position, operands);
        boolean negated = operator == SqlStdOperatorTable.NEGATED_POSIX_REGEX_CASE_SENSITIVE
                || operator == SqlStdOperatorTable.NEGATED_POSIX_REGEX_CASE_INSENSITIVE;
        return negated ? SqlStdOperatorTable.NOT.createCall(position, found) : found;
    }

    /** TABLE t is SELECT * FROM t. */
    private static SqlNode allOf(SqlCall table) {
        SqlParserPos position = table.getParserPosition();
        SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(position));
        return new SqlSelect(
                position, null, all, table.operand(0), null, null, null, null, null, null, null, null, null);
    }

    private static final Map<String, SqlTypeName> TYPE_ALIASES = Map.ofEntries(
            Map.entry("TEXT", SqlTypeName.VARCHAR),
            Map.entry("JSON", SqlTypeName.VARCHAR),
            Map.entry("JSONB", SqlTypeName.VARCHAR),
            Map.entry("BYTEA", SqlTypeName.VARBINARY),
            Map.entry("BOOL", SqlTypeName.BOOLEAN),
            Map.entry("INT2", SqlTypeName.SMALLINT),
            Map.entry("INT4", SqlTypeName.INTEGER),
            Map.entry("INT8", SqlTypeName.BIGINT),
            Map.entry("FLOAT4", SqlTypeName.REAL),
            Map.entry("FLOAT8", SqlTypeName.DOUBLE),
            Map.entry("UUID", SqlTypeName.UUID),
            Map.entry("TIMESTAMPTZ", SqlTypeName.TIMESTAMP));

    /** The digits or characters of a type that has another name. */
    private static int length(String name, SqlTypeName known) {
        return switch (name) {
            case "JSON" -> SqlType.JSON.precision();
            case "JSONB" -> SqlType.JSONB.precision();
            case "TIMESTAMPTZ" -> RepriseTypeSystem.ZONED_DIGITS;
            default ->
                known == SqlTypeName.VARCHAR || known == SqlTypeName.VARBINARY
                        ? SqlType.MAX_STRING_BYTES
                        : RelDataType.PRECISION_NOT_SPECIFIED;
        };
    }

    /** DECIMAL without digits is DECIMAL(18,6), as in a table; CHAR without a length is CHAR(1), VARCHAR without one is TEXT. */
    @Override
    public SqlNode visit(SqlDataTypeSpec type) {
        if (type.getTypeNameSpec() instanceof SqlCollectionTypeNameSpec collection) {
            return collection(type, collection);
        }
        if (type.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec named
                && named.getTypeName().isSimple()
                && TYPE_ALIASES.containsKey(named.getTypeName().getSimple())) {
            SqlTypeName known = TYPE_ALIASES.get(named.getTypeName().getSimple());
            SqlParserPos at = type.getParserPosition();
            int length = length(named.getTypeName().getSimple(), known);
            return new SqlDataTypeSpec(new SqlBasicTypeNameSpec(known, length, at), at);
        }
        if (type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec zoned
                && SqlTypeName.get(zoned.getTypeName().getSimple()) == SqlTypeName.TIMESTAMP_TZ) {
            return new SqlDataTypeSpec(
                    new SqlBasicTypeNameSpec(
                            SqlTypeName.TIMESTAMP, RepriseTypeSystem.ZONED_DIGITS, type.getParserPosition()),
                    type.getParserPosition());
        }
        if (!(type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic)
                || basic.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED) {
            return super.visit(type);
        }
        SqlParserPos position = type.getParserPosition();
        SqlTypeName name = SqlTypeName.get(basic.getTypeName().getSimple());
        if (name == SqlTypeName.DECIMAL) {
            return new SqlDataTypeSpec(
                    new SqlBasicTypeNameSpec(name, SqlType.MAX_WORD_PRECISION, SqlType.DEFAULT_DECIMAL_SCALE, position),
                    position);
        } else if (name == SqlTypeName.CHAR) {
            return new SqlDataTypeSpec(new SqlBasicTypeNameSpec(name, 1, position), position);
        }
        return super.visit(type);
    }

    private SqlNode collection(SqlDataTypeSpec type, SqlCollectionTypeNameSpec collection) {
        SqlParserPos position = type.getParserPosition();
        SqlTypeNameSpec written = collection.getElementTypeName();
        if (!collection.equalsDeep(
                new SqlCollectionTypeNameSpec(written, SqlTypeName.ARRAY, position), Litmus.IGNORE)) {
            throw PlanningErrors.at(position, "MULTISET is not supported: use an array");
        }
        if (visit(new SqlDataTypeSpec(written, position)) instanceof SqlDataTypeSpec element) {
            NumberLimits.check(element);
            written = element.getTypeNameSpec();
        }
        return new SqlDataTypeSpec(new SqlCollectionTypeNameSpec(written, SqlTypeName.ARRAY, position), position);
    }

    /** DATE_TRUNC('day', t) is FLOOR(t TO DAY). */
    private static SqlNode truncation(SqlCall call) {
        SqlParserPos position = call.getParserPosition();
        if (call.operandCount() == 2 && call.operand(0) instanceof SqlCharStringLiteral literal) {
            String name = literal.getValueAs(String.class).toUpperCase(Locale.ROOT);
            for (TimeUnit unit : TRUNCATED_TO) {
                if (unit.name().equals(name)) {
                    SqlIntervalQualifier qualifier = new SqlIntervalQualifier(unit, null, position);
                    return SqlStdOperatorTable.FLOOR.createCall(position, call.operand(1), qualifier);
                }
            }
        }
        throw PlanningErrors.at(
                position,
                "DATE_TRUNC needs one of 'YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR',"
                        + " 'MINUTE', 'SECOND', and a TIMESTAMP or DATE");
    }

    /** DECODE(x, a, b, c, d, e) is CASE WHEN x = a THEN b WHEN x = c THEN d ELSE e END, where NULL equals NULL. */
    private static SqlNode decoded(SqlCall call) {
        SqlParserPos position = call.getParserPosition();
        List<SqlNode> operands = call.getOperandList();
        if (operands.size() < 3) {
            throw PlanningErrors.at(
                    position, "DECODE takes a value, pairs of a value and a result, and perhaps another result");
        }
        SqlNodeList conditions = new SqlNodeList(position);
        SqlNodeList results = new SqlNodeList(position);
        for (int i = 1; i + 1 < operands.size(); i += 2) {
            conditions.add(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(
                    position, operands.getFirst(), operands.get(i)));
            results.add(operands.get(i + 1));
        }
        SqlNode otherwise = operands.size() % 2 == 0 ? operands.getLast() : SqlLiteral.createNull(position);
        return new SqlCase(position, null, conditions, results, otherwise);
    }

    private static SqlNode concatenation(SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        if (operands.size() < 2) {
            throw PlanningErrors.at(call.getParserPosition(), "CONCAT needs at least two arguments");
        }
        SqlNode result = operands.getFirst();
        for (SqlNode operand : operands.subList(1, operands.size())) {
            result = SqlStdOperatorTable.CONCAT.createCall(call.getParserPosition(), result, operand);
        }
        return result;
    }
}
