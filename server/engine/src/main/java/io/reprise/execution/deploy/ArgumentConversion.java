package io.reprise.execution.deploy;

import io.reprise.execution.deploy.Arguments.Kind;
import io.reprise.procedure.Text;
import java.math.BigDecimal;

/**
 * Converts arguments to the types of parameters, without loss: an integer of any width to any other that can hold it, to double (up
 * to 2^53) and to decimal, a String to a Text, an array of integers to an array of other integers or of doubles.
 */
final class ArgumentConversion {
    private static final long EXACT_IN_DOUBLE = 1L << 53;
    private static final int LONGEST_SHOWN = 40;

    private ArgumentConversion() {}

    /** Returns whether the value at this position is now one that the parameter takes. */
    static boolean convert(Arguments arguments, int index, ParameterType type) {
        if (arguments.isNull(index)) {
            return type.nullable();
        }
        return switch (type) {
            case BOOLEAN, NULLABLE_BOOLEAN -> arguments.kind(index) == Kind.BOOLEAN;
            case BYTE, NULLABLE_BYTE -> integer(arguments, index, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SHORT, NULLABLE_SHORT -> integer(arguments, index, Short.MIN_VALUE, Short.MAX_VALUE);
            case INT, NULLABLE_INT -> integer(arguments, index, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG, NULLABLE_LONG -> arguments.kind(index) == Kind.INTEGER;
            case DOUBLE, NULLABLE_DOUBLE -> toDouble(arguments, index);
            case TEXT -> toText(arguments, index);
            case DECIMAL -> toDecimal(arguments, index);
            case STRING -> toStringValue(arguments, index);
            case BYTES -> arguments.reference(index) instanceof byte[];
            case INT_ARRAY, LONG_ARRAY, DOUBLE_ARRAY, STRING_ARRAY -> toArray(arguments, index, type);
        };
    }

    private static boolean integer(Arguments arguments, int index, long min, long max) {
        long value = arguments.word(index);
        return arguments.kind(index) == Kind.INTEGER && value >= min && value <= max;
    }

    private static boolean toDouble(Arguments arguments, int index) {
        long value = arguments.word(index);
        if (arguments.kind(index) == Kind.INTEGER && value >= -EXACT_IN_DOUBLE && value <= EXACT_IN_DOUBLE) {
            arguments.replace(index, Kind.DOUBLE, Double.doubleToRawLongBits((double) value), null);
        }
        return arguments.kind(index) == Kind.DOUBLE;
    }

    private static boolean toDecimal(Arguments arguments, int index) {
        if (arguments.kind(index) == Kind.INTEGER) {
            arguments.replace(index, Kind.REFERENCE, 0, BigDecimal.valueOf(arguments.word(index)));
        }
        return arguments.reference(index) instanceof BigDecimal;
    }

    private static boolean toText(Arguments arguments, int index) {
        if (arguments.reference(index) instanceof String string) {
            arguments.replace(index, Kind.REFERENCE, 0, Text.of(string));
        }
        return arguments.reference(index) instanceof Text;
    }

    private static boolean toStringValue(Arguments arguments, int index) {
        if (arguments.reference(index) instanceof Text text) {
            arguments.replace(index, Kind.REFERENCE, 0, text.toString());
        }
        return arguments.reference(index) instanceof String;
    }

    private static boolean toArray(Arguments arguments, int index, ParameterType type) {
        Object array = arguments.reference(index);
        if (type.javaType().isInstance(array)) {
            return noNullElement(array);
        }
        Object converted = ArrayConversion.convert(array, type);
        if (converted != null) {
            arguments.replace(index, Kind.REFERENCE, 0, converted);
        }
        return converted != null;
    }

    private static boolean noNullElement(Object array) {
        if (array instanceof String[] strings) {
            for (String string : strings) {
                if (string == null) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Describes the argument, for messages. */
    static String describe(Arguments arguments, int index) {
        return switch (arguments.kind(index)) {
            case NULL -> "null";
            case INTEGER -> "the integer " + arguments.word(index);
            case DOUBLE -> "the double " + arguments.doubleAt(index);
            case BOOLEAN -> "the boolean " + (arguments.word(index) != 0);
            case REFERENCE -> describe(arguments.reference(index));
        };
    }

    private static String describe(Object value) {
        return switch (value) {
            case String s -> "the string '" + shorten(s) + "'";
            case Text t -> "the string '" + shorten(t.toString()) + "'";
            case BigDecimal d -> "the decimal " + shorten(d.toString());
            case String[] a when !noNullElement(a) -> "an array of String with a null element";
            case byte[] a -> "a byte array of length " + a.length;
            default -> "an array of " + value.getClass().getComponentType().getSimpleName();
        };
    }

    private static String shorten(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }
}
