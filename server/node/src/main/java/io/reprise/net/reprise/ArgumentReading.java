package io.reprise.net.reprise;

import io.reprise.execution.deploy.Arguments;
import io.reprise.wire.CallReader;
import io.reprise.wire.ValueReader;
import java.lang.foreign.MemorySegment;

/** The conversion of wire values to arguments, without an object for words and strings. */
final class ArgumentReading {
    /** The overhead of an array, and of a string with its array. */
    private static final int OBJECT_BYTES = 16;

    private static final int STRING_BYTES = Integer.BYTES + 3 * OBJECT_BYTES;

    private ArgumentReading() {}

    /** Reads all arguments of a call and counts the bytes of arrays. Returns 0, or the number, from 1, of an argument of unknown kind. */
    static int read(CallReader call, Arguments to, CallSlot slot, MemorySegment frame) {
        for (int i = 1; i <= call.arguments(); i++) {
            if (!add(call.nextArgument(), to, slot, frame)) {
                return i;
            }
        }
        return 0;
    }

    private static boolean add(ValueReader value, Arguments to, CallSlot slot, MemorySegment frame) {
        switch (value.kind()) {
            case NULL -> to.addNull();
            case INTEGER -> to.add(value.integer());
            case NUMBER -> to.add(value.number());
            case BOOLEAN -> to.add(value.integer() != 0);
            case TEXT -> to.add(slot.text().wrap(frame, value.from(), value.length()));
            case BINARY -> {
                to.add(value.bytes());
                slot.bytes += OBJECT_BYTES + value.length();
            }
            case DECIMAL -> to.add(value.decimal());
            case INTS -> {
                int[] ints = value.ints();
                to.add(ints);
                slot.bytes += OBJECT_BYTES + (long) ints.length * Integer.BYTES;
            }
            case LONGS -> {
                long[] longs = value.longs();
                to.add(longs);
                slot.bytes += OBJECT_BYTES + (long) longs.length * Long.BYTES;
            }
            case NUMBERS -> {
                double[] numbers = value.numbers();
                to.add(numbers);
                slot.bytes += OBJECT_BYTES + (long) numbers.length * Double.BYTES;
            }
            case TEXTS -> {
                String[] texts = value.texts();
                to.add(texts);
                slot.bytes += OBJECT_BYTES + (long) texts.length * STRING_BYTES + value.length();
            }
            case UNKNOWN -> {
                return false;
            }
        }
        return true;
    }
}
