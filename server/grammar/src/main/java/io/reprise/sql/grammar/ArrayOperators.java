package io.reprise.sql.grammar;

import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;

/** The operators of two arrays, as they are parsed. Functions take their places before validation. */
public final class ArrayOperators {
    /** Below that of {@code +} and above that of comparisons, as PostgreSQL has it. */
    private static final int PRECEDENCE = 36;

    /** Whether the left array has all elements of the right one. */
    public static final SqlBinaryOperator CONTAINS = operator("@>");

    /** Whether the right array has all elements of the left one. */
    public static final SqlBinaryOperator CONTAINED = operator("<@");

    /** Whether both have an element in common. */
    public static final SqlBinaryOperator OVERLAPS = operator("&&");

    private ArrayOperators() {}

    private static SqlBinaryOperator operator(String name) {
        return new SqlBinaryOperator(name, SqlKind.OTHER, PRECEDENCE, true, null, null, null);
    }
}
