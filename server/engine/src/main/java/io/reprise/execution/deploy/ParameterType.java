package io.reprise.execution.deploy;

import io.reprise.procedure.Text;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;

/** The types that a parameter of a procedure's {@code run} method can have. */
public enum ParameterType {
    BOOLEAN(boolean.class, "a boolean", false),
    BYTE(byte.class, "an integer from -128 to 127", false),
    SHORT(short.class, "an integer from -32768 to 32767", false),
    INT(int.class, "an integer from -2147483648 to 2147483647", false),
    LONG(long.class, "an integer", false),
    DOUBLE(double.class, "a number", false),
    NULLABLE_BOOLEAN(Boolean.class, "a boolean or null", true),
    NULLABLE_BYTE(Byte.class, "an integer from -128 to 127 or null", true),
    NULLABLE_SHORT(Short.class, "an integer from -32768 to 32767 or null", true),
    NULLABLE_INT(Integer.class, "an integer from -2147483648 to 2147483647 or null", true),
    NULLABLE_LONG(Long.class, "an integer or null", true),
    NULLABLE_DOUBLE(Double.class, "a number or null", true),
    STRING(String.class, "a string or null", true),
    TEXT(Text.class, "a string or null", true),
    DECIMAL(BigDecimal.class, "a decimal number or null", true),
    BYTES(byte[].class, "a byte array or null", true),
    INT_ARRAY(int[].class, "an array of int or null", true),
    LONG_ARRAY(long[].class, "an array of long or null", true),
    DOUBLE_ARRAY(double[].class, "an array of double or null", true),
    STRING_ARRAY(String[].class, "an array of String or null", true);

    private final Class<?> javaType;
    private final String description;
    private final boolean nullable;
    private final int kind;
    private final long least;
    private final long greatest;

    ParameterType(Class<?> javaType, String description, boolean nullable) {
        this.javaType = javaType;
        this.description = description;
        this.nullable = nullable;
        Class<?> type = MethodType.methodType(javaType).unwrap().returnType();
        this.kind = kind(type).ordinal();
        this.least = type == int.class
                ? Integer.MIN_VALUE
                : type == short.class ? Short.MIN_VALUE : type == byte.class ? Byte.MIN_VALUE : Long.MIN_VALUE;
        this.greatest = -1 - least;
    }

    private static Arguments.Kind kind(Class<?> type) {
        if (type == boolean.class) {
            return Arguments.Kind.BOOLEAN;
        }
        if (type == double.class) {
            return Arguments.Kind.DOUBLE;
        }
        return type.isPrimitive() ? Arguments.Kind.INTEGER : Arguments.Kind.REFERENCE;
    }

    /** Whether the value is just what the parameter takes; if not, it may still be convertible. */
    boolean accepts(Arguments arguments, int index) {
        if (arguments.kindOrdinal(index) != kind) {
            return false;
        }
        if (isReference()) {
            return this != STRING_ARRAY && arguments.reference(index).getClass() == javaType;
        }
        long word = arguments.word(index);
        return word >= least && word <= greatest;
    }

    /** The type in the signature of {@code run}. */
    public Class<?> javaType() {
        return javaType;
    }

    /** The values that a caller may pass, for messages. */
    public String description() {
        return description;
    }

    /** Whether null may be passed. */
    public boolean nullable() {
        return nullable;
    }

    /** Whether the value is in {@link Arguments#reference} (or null there) rather than in {@link Arguments#word}. */
    public boolean isReference() {
        return ordinal() >= STRING.ordinal();
    }

    /** Whether it has several values. */
    public boolean isArray() {
        return ordinal() >= INT_ARRAY.ordinal();
    }

    /** The parameter type of a Java type; empty where a procedure can't take it. */
    public static Optional<ParameterType> of(Class<?> javaType) {
        return Arrays.stream(values()).filter(t -> t.javaType == javaType).findFirst();
    }
}
