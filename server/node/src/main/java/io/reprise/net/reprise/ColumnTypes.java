package io.reprise.net.reprise;

import io.reprise.catalog.SqlType;
import io.reprise.wire.message.Column;

/** The protocol's numbers of column types. */
final class ColumnTypes {
    private ColumnTypes() {}

    /** An array is sent as its text. */
    static int of(SqlType type) {
        if (type.isWide()) {
            return Column.Type.DECIMAL_VALUE;
        }
        return switch (type.kind()) {
            case BOOLEAN -> Column.Type.BOOLEAN_VALUE;
            case TINYINT -> Column.Type.TINYINT_VALUE;
            case SMALLINT -> Column.Type.SMALLINT_VALUE;
            case INTEGER -> Column.Type.INTEGER_VALUE;
            case BIGINT -> Column.Type.BIGINT_VALUE;
            case DOUBLE -> Column.Type.DOUBLE_VALUE;
            case DECIMAL -> Column.Type.DECIMAL_VALUE;
            case VARCHAR -> Column.Type.VARCHAR_VALUE;
            case VARBINARY -> type.isArray() ? Column.Type.VARCHAR_VALUE : Column.Type.VARBINARY_VALUE;
            case TIMESTAMP -> Column.Type.TIMESTAMP_VALUE;
            case TIME -> Column.Type.TIME_VALUE;
            case DATE -> Column.Type.DATE_VALUE;
        };
    }
}
