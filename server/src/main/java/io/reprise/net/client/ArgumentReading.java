package io.reprise.net.client;

import io.reprise.execution.deploy.Arguments;
import io.reprise.wire.ValueReader;
import java.lang.foreign.MemorySegment;

/** From a value on the wire to an argument of a call, without an object for those that are a word or a string. */
final class ArgumentReading {
    private ArgumentReading() {}

    /** Returns false for a value of an unknown kind. */
    static boolean add(ValueReader value, Arguments to, CallSlot slot, MemorySegment frame) {
        switch (value.kind()) {
            case NULL -> to.addNull();
            case INTEGER -> to.add(value.integer());
            case NUMBER -> to.add(value.number());
            case BOOLEAN -> to.add(value.integer() != 0);
            case TEXT -> to.add(slot.text().wrap(frame, value.from(), value.length()));
            case BINARY -> to.add(value.bytes());
            case DECIMAL -> to.add(value.decimal());
            case INTS -> to.add(value.ints());
            case LONGS -> to.add(value.longs());
            case NUMBERS -> to.add(value.numbers());
            case TEXTS -> to.add(value.texts());
            case UNKNOWN -> {
                return false;
            }
        }
        return true;
    }
}
