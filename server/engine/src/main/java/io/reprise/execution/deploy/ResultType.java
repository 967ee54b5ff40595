package io.reprise.execution.deploy;

import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import java.util.Arrays;
import java.util.Optional;

/** The types that a procedure's {@code run} method can return. */
public enum ResultType {
    VOID(void.class),
    LONG(long.class),
    INT(int.class),
    BOOLEAN(boolean.class),
    DOUBLE(double.class),
    STRING(String.class),
    ROWS(Rows.class),
    TABLE(ResultTable.class);

    private final Class<?> javaType;

    ResultType(Class<?> javaType) {
        this.javaType = javaType;
    }

    /** The type in the signature of {@code run}. */
    public Class<?> javaType() {
        return javaType;
    }

    /** The result type of a Java type; empty where a procedure can't return it. */
    public static Optional<ResultType> of(Class<?> javaType) {
        return Arrays.stream(values()).filter(t -> t.javaType == javaType).findFirst();
    }
}
