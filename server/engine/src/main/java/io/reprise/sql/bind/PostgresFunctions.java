package io.reprise.sql.bind;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** Functions of PostgreSQL that are written by others of ours. */
final class PostgresFunctions {
    private PostgresFunctions() {}

    /** Replaces a call of one of them; empty for any other call. */
    static Optional<SqlNode> rewrite(SqlCall call) {
        SqlParserPos position = call.getParserPosition();
        List<SqlNode> operands = call.getOperandList();
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        return switch (name + "/" + operands.size()) {
            case "TRUNC/1", "TRUNC/2" -> Optional.of(SqlStdOperatorTable.TRUNCATE.createCall(position, operands));
            case "STRPOS/2" ->
                Optional.of(SqlStdOperatorTable.POSITION.createCall(position, operands.get(1), operands.get(0)));
            case "BTRIM/1", "BTRIM/2" -> Optional.of(trimmed(SqlTrimFunction.Flag.BOTH, operands, position));
            case "LTRIM/2" -> Optional.of(trimmed(SqlTrimFunction.Flag.LEADING, operands, position));
            case "RTRIM/2" -> Optional.of(trimmed(SqlTrimFunction.Flag.TRAILING, operands, position));
            case "STARTS_WITH/2" -> Optional.of(startsWith(operands, position));
            case "DATE_PART/2" -> part(operands, position);
            case "BOOL_AND/1", "EVERY/1" -> Optional.of(truth(SqlStdOperatorTable.MIN, operands.get(0), position));
            case "BOOL_OR/1" -> Optional.of(truth(SqlStdOperatorTable.MAX, operands.get(0), position));
            case "CONCAT_WS/0", "CONCAT_WS/1" ->
                throw PlanningErrors.at(position, "CONCAT_WS takes a separator and values");
            case "DIV/2" ->
                Optional.of(SqlStdOperatorTable.TRUNCATE.createCall(
                        position, SqlStdOperatorTable.DIVIDE.createCall(position, operands)));
            case "TRANSLATE/3", "TRANSLATE3/3" ->
                call.getOperator() == OwnFunctions.TRANSLATE
                        ? Optional.empty()
                        : Optional.of(OwnFunctions.TRANSLATE.createCall(position, operands));
            case "STDDEV/1", "STDDEV_SAMP/1" -> variance(OwnFunctions.STDDEV_SAMP, call);
            case "STDDEV_POP/1" -> variance(OwnFunctions.STDDEV_POP, call);
            case "VARIANCE/1", "VAR_SAMP/1" -> variance(OwnFunctions.VAR_SAMP, call);
            case "VAR_POP/1" -> variance(OwnFunctions.VAR_POP, call);
            case "^/2" -> Optional.of(SqlStdOperatorTable.POWER.createCall(position, operands));
            default -> name.equals("CONCAT_WS") ? Optional.of(joined(operands, position)) : Optional.empty();
        };
    }

    /** CONCAT_WS: values that are not NULL with the separator in front of each, without the first separator. */
    private static SqlNode joined(List<SqlNode> operands, SqlParserPos position) {
        SqlNode separator = operands.getFirst();
        SqlNode all = null;
        for (SqlNode value : operands.subList(1, operands.size())) {
            SqlNode part = SqlStdOperatorTable.COALESCE.createCall(
                    position,
                    SqlStdOperatorTable.CONCAT.createCall(position, separator, value),
                    SqlLiteral.createCharString("", position));
            all = all == null ? part : SqlStdOperatorTable.CONCAT.createCall(position, all, part);
        }
        SqlNode length = SqlStdOperatorTable.CHAR_LENGTH.createCall(position, separator);
        SqlNode first =
                SqlStdOperatorTable.PLUS.createCall(position, length, SqlLiteral.createExactNumeric("1", position));
        return SqlStdOperatorTable.SUBSTRING.createCall(position, all, first);
    }

    /** A variance or its root, of DOUBLEs. */
    private static Optional<SqlNode> variance(SqlOperator aggregate, SqlCall call) {
        if (call.getOperator() == aggregate) {
            return Optional.empty();
        }
        SqlParserPos position = call.getParserPosition();
        SqlDataTypeSpec type = new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.DOUBLE, position), position);
        SqlNode value = SqlStdOperatorTable.CAST.createCall(position, call.operand(0), type);
        return Optional.of(aggregate.createCall(call.getFunctionQuantifier(), position, value));
    }

    private static SqlNode trimmed(SqlTrimFunction.Flag side, List<SqlNode> operands, SqlParserPos position) {
        SqlNode characters = operands.size() == 2 ? operands.get(1) : SqlLiteral.createCharString(" ", position);
        return SqlStdOperatorTable.TRIM.createCall(position, side.symbol(position), characters, operands.get(0));
    }

    private static SqlNode startsWith(List<SqlNode> operands, SqlParserPos position) {
        SqlNode length = SqlStdOperatorTable.CHAR_LENGTH.createCall(position, operands.get(1));
        SqlNode beginning = SqlLibraryOperators.LEFT.createCall(position, operands.get(0), length);
        return SqlStdOperatorTable.EQUALS.createCall(position, beginning, operands.get(1));
    }

    /** DATE_PART('hour', t) is EXTRACT(HOUR FROM t). */
    private static Optional<SqlNode> part(List<SqlNode> operands, SqlParserPos position) {
        if (!(operands.get(0) instanceof SqlCharStringLiteral literal)) {
            return Optional.empty();
        }
        String name = literal.getValueAs(String.class).strip().toUpperCase(Locale.ROOT);
        for (TimeUnit unit : TimeUnit.values()) {
            if (unit.name().equals(name)) {
                SqlCall part = SqlStdOperatorTable.EXTRACT.createCall(
                        position, new SqlIntervalQualifier(unit, null, position), operands.get(1));
                return Optional.of(dayOfWeek(part).orElse(part));
            }
        }
        return Optional.empty();
    }

    /** DATE_PART('dow', t) counts from Sunday, 0; EXTRACT and DAYOFWEEK count from 1. */
    private static Optional<SqlNode> dayOfWeek(SqlCall extract) {
        if (!(extract.operand(0) instanceof SqlIntervalQualifier unit) || unit.getStartUnit() != TimeUnit.DOW) {
            return Optional.empty();
        }
        SqlParserPos position = extract.getParserPosition();
        return Optional.of(
                SqlStdOperatorTable.MINUS.createCall(position, extract, SqlLiteral.createExactNumeric("1", position)));
    }

    /** The least or greatest truth value, as a number that is compared with 1. */
    private static SqlNode truth(SqlOperator aggregate, SqlNode condition, SqlParserPos position) {
        SqlNodeList conditions = new SqlNodeList(position);
        conditions.add(condition);
        conditions.add(SqlStdOperatorTable.NOT.createCall(position, condition));
        SqlNodeList values = new SqlNodeList(position);
        values.add(SqlLiteral.createExactNumeric("1", position));
        values.add(SqlLiteral.createExactNumeric("0", position));
        SqlNode number = new SqlCase(position, null, conditions, values, SqlLiteral.createNull(position));
        SqlDataTypeSpec type = new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.INTEGER, position), position);
        SqlNode cast = SqlStdOperatorTable.CAST.createCall(position, number, type);
        return SqlStdOperatorTable.EQUALS.createCall(
                position, aggregate.createCall(position, cast), SqlLiteral.createExactNumeric("1", position));
    }

    /** FILTER and OVER belong to the aggregate within a truth value; other calls stay. */
    static SqlNode inside(SqlCall call) {
        if (!(call.operand(0) instanceof SqlCall truth)
                || truth.getOperator() != SqlStdOperatorTable.EQUALS
                || !(truth.operand(0) instanceof SqlCall aggregate)
                || aggregate.getOperator() != SqlStdOperatorTable.MIN
                        && aggregate.getOperator() != SqlStdOperatorTable.MAX) {
            return call;
        }
        List<SqlNode> operands = new ArrayList<>(call.getOperandList());
        operands.set(0, aggregate);
        SqlNode inner = call.getOperator().createCall(call.getParserPosition(), operands);
        return truth.getOperator().createCall(truth.getParserPosition(), inner, truth.operand(1));
    }
}
