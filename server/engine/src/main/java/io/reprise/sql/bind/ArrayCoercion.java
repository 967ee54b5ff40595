package io.reprise.sql.bind;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;

/** The conversion of strings that stand for arrays. */
interface ArrayCoercion {
    /** Casts an operand that is a string to the array that it stands for. */
    void castToArray(SqlCallBinding binding, int operand, RelDataType array);
}
