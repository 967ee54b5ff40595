package io.reprise.sql.bind;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimestampString;

/**
 * Functions of time whose first argument is a unit. Their names are those of VoltDB, the standard and others; each is
 * rewritten to one of the few that we have.
 */
final class TimeFunctions {
    private TimeFunctions() {}

    /** Replaces a call of one of them; empty for any other call. */
    static Optional<SqlNode> rewrite(SqlCall call) {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        SqlParserPos position = call.getParserPosition();
        List<SqlNode> operands = call.getOperandList();
        return switch (name) {
            case "TIMESTAMPADD", "DATEADD" -> {
                TimeUnit unit = unit(name, call, 3, "a unit, a number, and a TIMESTAMP or DATE");
                yield Optional.of(added(unit, operands.get(1), operands.get(2), position));
            }
            case "TIMESTAMPDIFF", "DATEDIFF" -> {
                if (call.getOperator() == OwnFunctions.TIMESTAMPDIFF) {
                    yield Optional.empty();
                }
                TimeUnit unit = unit(name, call, 3, "a unit and two TIMESTAMPs or DATEs");
                yield Optional.of(difference(unit, operands.get(1), operands.get(2), position));
            }
            case "SINCE_EPOCH" -> {
                TimeUnit unit = unit(name, call, 2, "a unit, and a TIMESTAMP or DATE");
                yield Optional.of(difference(unit, epoch(position), operands.get(1), position));
            }
            case "TO_TIMESTAMP" -> {
                if (operands.size() == 2
                        && TimeUnitWords.unit(operands.getFirst()).isEmpty()) {
                    yield Optional.of(OwnFunctions.READ_TIMESTAMP.createCall(position, operands));
                }
                TimeUnit unit = unit(name, call, 2, "a unit and a number");
                yield Optional.of(added(unit, operands.get(1), epoch(position), position));
            }
            case "FROM_UNIXTIME" ->
                operands.size() == 1
                        ? Optional.of(added(TimeUnit.SECOND, operands.getFirst(), epoch(position), position))
                        : Optional.empty();
            case "TRUNCATE" ->
                operands.size() == 2
                        ? TimeUnitWords.unit(operands.getFirst())
                                .map(unit -> SqlStdOperatorTable.FLOOR.createCall(
                                        position, operands.get(1), new SqlIntervalQualifier(unit, null, position)))
                        : Optional.empty();
            case "WEEKDAY" ->
                operands.size() == 1 ? Optional.of(weekday(operands.getFirst(), position)) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static TimeUnit unit(String name, SqlCall call, int operands, String expected) {
        Optional<TimeUnit> unit = call.operandCount() == operands
                ? TimeUnitWords.unit(call.getOperandList().getFirst())
                : Optional.empty();
        return unit.orElseThrow(() -> PlanningErrors.at(
                call.getParserPosition(),
                name + " takes " + expected + "; units are YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND,"
                        + " MILLISECOND, MICROSECOND"));
    }

    private static SqlNode added(TimeUnit unit, SqlNode number, SqlNode time, SqlParserPos position) {
        SqlNode count = typed(number, SqlTypeName.BIGINT, RelDataType.PRECISION_NOT_SPECIFIED);
        return unit == TimeUnit.MICROSECOND
                ? OwnFunctions.ADD_MICROSECONDS.createCall(position, count, timestamp(time))
                : SqlStdOperatorTable.TIMESTAMP_ADD.createCall(
                        position, new SqlIntervalQualifier(unit, null, position), count, timestamp(time));
    }

    private static SqlNode timestamp(SqlNode operand) {
        return typed(operand, SqlTypeName.TIMESTAMP, RepriseTypeSystem.TIMESTAMP_DIGITS);
    }

    /** Gives a parameter its type: in such a call within another call Calcite does not find it out. */
    private static SqlNode typed(SqlNode operand, SqlTypeName type, int precision) {
        SqlParserPos position = operand.getParserPosition();
        return operand instanceof SqlDynamicParam
                ? SqlStdOperatorTable.CAST.createCall(
                        position,
                        operand,
                        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(type, precision, position), position))
                : operand;
    }

    private static SqlNode difference(TimeUnit unit, SqlNode from, SqlNode to, SqlParserPos position) {
        SqlNode flag = SqlLiteral.createSymbol(TimeUnitRange.of(unit, null), position);
        return OwnFunctions.TIMESTAMPDIFF.createCall(position, flag, timestamp(from), timestamp(to));
    }

    /** The transaction's time of day. */
    static SqlCall timeOfDay(SqlParserPos position) {
        return SqlStdOperatorTable.CAST.createCall(
                position,
                SqlStdOperatorTable.CURRENT_TIMESTAMP.createCall(position),
                new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.TIME, position), position));
    }

    private static SqlNode epoch(SqlParserPos position) {
        return SqlLiteral.createTimestamp(
                SqlTypeName.TIMESTAMP,
                new TimestampString("1970-01-01 00:00:00"),
                RepriseTypeSystem.TIMESTAMP_DIGITS,
                position);
    }

    /** From Monday, 0, to Sunday, 6. */
    private static SqlNode weekday(SqlNode time, SqlParserPos position) {
        SqlNode day = SqlStdOperatorTable.EXTRACT.createCall(
                position, new SqlIntervalQualifier(TimeUnit.ISODOW, null, position), time);
        return SqlStdOperatorTable.MINUS.createCall(position, day, SqlLiteral.createExactNumeric("1", position));
    }
}
