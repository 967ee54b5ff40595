package io.reprise.execution.durable;

import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.Text;
import io.reprise.record.command.CommandReader;
import io.reprise.record.command.CommandWriter;
import io.reprise.record.command.PlainValues;
import io.reprise.runtime.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;

/**
 * Arguments of a call as the values of a logged command, and back. Decoded arguments are a caller's for the same
 * call. Like a caller's they have to be checked against the procedure's signature, which makes the parameter's value
 * of a string.
 */
public final class CommandArguments {
    private CommandArguments() {}

    /** Writes all arguments in order. */
    public static void write(Arguments arguments, CommandWriter to) {
        for (int i = 0; i < arguments.count(); i++) {
            switch (arguments.kind(i)) {
                case NULL -> to.putNull();
                case INTEGER -> to.putInteger(arguments.word(i));
                case DOUBLE -> to.putDouble(arguments.doubleAt(i));
                case BOOLEAN -> to.putBoolean(arguments.word(i) != 0);
                case REFERENCE -> writeReference(arguments.reference(i), to);
            }
        }
    }

    /**
     * The same directly into memory, if all are numbers and arrays of int and there is room.
     *
     * @return the address behind what was written; 0 if that was not possible
     */
    static long writePlain(Arguments arguments, Memory to, long address, long limit) {
        long at = address;
        for (int i = 0; i < arguments.count(); i++) {
            if (limit - at < PlainValues.VALUE_BYTES) {
                return 0;
            }
            switch (arguments.kind(i)) {
                case NULL -> at = PlainValues.putNull(to, at);
                case INTEGER -> at = PlainValues.putInteger(to, at, arguments.word(i));
                case DOUBLE -> at = PlainValues.putDouble(to, at, arguments.doubleAt(i));
                case BOOLEAN -> at = PlainValues.putBoolean(to, at, arguments.word(i) != 0);
                case REFERENCE -> {
                    if (!(arguments.reference(i) instanceof int[] ints)
                            || limit - at < PlainValues.bytesOfInts(ints.length)) {
                        return 0;
                    }
                    at = PlainValues.putInts(to, at, ints);
                }
            }
        }
        return at;
    }

    private static void writeReference(Object value, CommandWriter to) {
        switch (value) {
            case int[] ints -> to.putInts(ints);
            case String string -> to.putString(string);
            case Text text -> to.putUtf8(text.segment(), text.offset(), text.length());
            case BigDecimal decimal -> to.putDecimal(decimal);
            case byte[] binary -> to.putBinary(binary);
            case long[] longs -> to.putLongs(longs);
            case double[] doubles -> to.putDoubles(doubles);
            case String[] strings -> to.putStrings(strings);
            default ->
                throw new IllegalArgumentException(
                        "a procedure can't take a " + value.getClass().getTypeName() + ", so it can't be logged");
        }
    }

    /** Replaces what is in the arguments by all values of the command that are still to be read. */
    public static void read(CommandReader from, Arguments arguments) {
        arguments.clear();
        while (from.next()) {
            switch (from.kind()) {
                case NULL -> arguments.addNull();
                case INTEGER -> arguments.add(from.integer());
                case DOUBLE -> arguments.add(from.doubleValue());
                case BOOLEAN -> arguments.add(from.booleanValue());
                case DECIMAL -> arguments.add(from.decimal());
                case STRING -> readString(from, arguments);
                case BINARY -> arguments.add(from.binary());
                case INTS -> arguments.add(from.ints());
                case LONGS -> arguments.add(from.longs());
                case DOUBLES -> arguments.add(from.doubles());
                case STRINGS -> arguments.add(from.strings());
            }
        }
    }

    /** As a Text where bytes were logged: they need not be UTF-8, and a String would not bring them back then. */
    private static void readString(CommandReader from, Arguments arguments) {
        if (from.isUtf8()) {
            byte[] bytes = from.utf8();
            arguments.add(new Text().wrap(MemorySegment.ofArray(bytes), 0, bytes.length));
        } else {
            arguments.add(from.string());
        }
    }
}
