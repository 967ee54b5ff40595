package io.reprise.sql.grammar;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;

/** The operators that take values out of JSON, as they are parsed. Functions take their places before validation. */
public final class JsonOperators {
    /** Below that of {@code +} and above that of comparisons, as PostgreSQL has it. */
    private static final int PRECEDENCE = 36;

    /** A member or an element as JSON. */
    public static final SqlBinaryOperator VALUE = operator("->");

    /** A member or an element as text. */
    public static final SqlBinaryOperator TEXT = operator("->>");

    private JsonOperators() {}

    private static SqlBinaryOperator operator(String name) {
        return new SqlBinaryOperator(name, SqlKind.OTHER, PRECEDENCE, true, null, null, null);
    }
}
