package io.reprise.redo;

/** The PLACED of a {@link RedoBatch} which further rows of one table join that a {@link DataDecoder} has written into their places. */
final class PlacedRun {
    private RedoBatch batch;

    /** How often the batch had been emptied when it was begun. */
    private int filling;

    private long at;
    private long nextRow;
    private int count;
    private int room;

    /** Whether a row in this place joins it. */
    boolean goesOn(RedoBatch in, long row) {
        return row == nextRow && in == batch && in.fillings() == filling && count < room;
    }

    /** One has been begun. */
    void begin(RedoBatch in, long address, int rows) {
        batch = in;
        filling = in.fillings();
        at = address;
        room = rows;
        count = 0;
    }

    /** Where it is in the batch, behind what every operation begins with. */
    long at() {
        return at;
    }

    /** Where the word of the next row goes. */
    long nextWord() {
        return at + RedoBatch.PLACED_HEAD + (long) count * Long.BYTES;
    }

    /** A row has joined it; returns how many there are. */
    int add(long rowBehind) {
        nextRow = rowBehind;
        count++;
        return count;
    }

    /** Rows that come now are inserted after all that is in the batch. */
    void end() {
        batch = null;
    }
}
