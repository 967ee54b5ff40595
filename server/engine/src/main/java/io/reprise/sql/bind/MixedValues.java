package io.reprise.sql.bind;

import io.reprise.catalog.SqlType;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Columns of INSERT ... VALUES whose rows have literals of several kinds: NULL, a string, a number. Calcite wants one type for
 * a column of VALUES; each of these literals gets that of the column that is written.
 */
final class MixedValues {
    private MixedValues() {}

    /** Casts the literals of a column of VALUES to a type, if they are of several kinds. */
    static void cast(List<SqlCall> rows, int column, SqlType type) {
        Set<SqlTypeFamily> kinds = rows.stream()
                .filter(row -> row.operandCount() > column && row.operand(column) instanceof SqlLiteral)
                .map(row -> ((SqlLiteral) row.operand(column)).getTypeName().getFamily())
                .collect(Collectors.toSet());
        boolean others = rows.stream()
                .anyMatch(row -> row.operandCount() > column
                        && !(row.operand(column) instanceof SqlLiteral)
                        && row.operand(column).getKind() != SqlKind.DYNAMIC_PARAM
                        && row.operand(column).getKind() != SqlKind.DEFAULT);
        if (kinds.size() < 2 && !(kinds.size() == 1 && others)) {
            return;
        }
        for (SqlCall row : rows) {
            if (row.operandCount() > column && row.operand(column) instanceof SqlLiteral literal) {
                row.setOperand(column, cast(literal, type));
            }
        }
    }

    private static SqlNode cast(SqlLiteral literal, SqlType type) {
        SqlParserPos position = literal.getParserPosition();
        boolean sized = type.isDecimal();
        if (type.isUuid() || type.isReal() || type.isZoned() || type.isJson() || type.isArray()) {
            // The column converts it.
            return literal;
        }
        // A string keeps its length, so that one that is too long is refused and not cut.
        SqlTypeName name =
                sized ? SqlTypeName.DECIMAL : SqlTypeName.valueOf(type.kind().name());
        int precision = sized ? type.precision() : RelDataType.PRECISION_NOT_SPECIFIED;
        SqlBasicTypeNameSpec spec = sized
                ? new SqlBasicTypeNameSpec(name, precision, type.decimals(), position)
                : new SqlBasicTypeNameSpec(name, precision, position);
        return SqlStdOperatorTable.CAST.createCall(position, literal, new SqlDataTypeSpec(spec, position));
    }
}
