package io.reprise.sql.bind;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;

/** The conversion of operands to arrays. */
interface ArrayCoercion {
    /** Casts an operand to an array: a string that stands for one, or an array of other elements. */
    void castToArray(SqlCallBinding binding, int operand, RelDataType array);
}
