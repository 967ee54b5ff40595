package io.reprise.log;

import java.lang.foreign.MemorySegment;

/** Takes frames as they are in their segment's file. */
@FunctionalInterface
public interface RawFrames {
    /**
     * Takes a frame whose checksum was compared.
     *
     * @param bytes all of it; valid during the call
     * @param records the number of its records; 0 in a seal or end mark
     * @param firstTransaction the transaction id of the first record
     */
    void frame(MemorySegment bytes, int records, long firstTransaction);
}
