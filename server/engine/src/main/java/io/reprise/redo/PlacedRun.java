package io.reprise.redo;

/**
 * The open PLACED entry of a {@link RedoBatch}: consecutive rows of one table that a {@link DataDecoder} has written into their places.
 * Each further row at the next address joins it. Owned by the decoding thread.
 */
final class PlacedRun {
    private RedoBatch batch;

    /** The batch's count of fillings when this entry was begun: a batch that was handed over in between ends the run. */
    private int filling;

    private long at;
    private long nextRow;
    private int count;
    private int room;

    /** Whether the row at this address can join the run. */
    boolean goesOn(RedoBatch in, long row) {
        return row == nextRow && in == batch && in.fillings() == filling && count < room;
    }

    /** Begins a run with room for so many rows. */
    void begin(RedoBatch in, long address, int rows) {
        batch = in;
        filling = in.fillings();
        at = address;
        room = rows;
        count = 0;
    }

    /** The address of the entry in the batch, behind its first two words. */
    long at() {
        return at;
    }

    /** The address of the next row's word. */
    long nextWord() {
        return at + RedoBatch.PLACED_HEAD + (long) count * Long.BYTES;
    }

    /** Adds a row, and returns the number of rows in the run. */
    int add(long rowBehind) {
        nextRow = rowBehind;
        count++;
        return count;
    }

    /** Ends the run. Later rows get an entry behind all others of the batch. */
    void end() {
        batch = null;
    }
}
