package io.reprise.redo;

/** The PLACED of a {@link RedoBatch} which further rows of one table join that a {@link DataDecoder} has written into their places. */
final class PlacedRun {
    private RedoBatch batch;

    /** The batch's number of fillings when it was begun. */
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

    /** Its address in the batch, behind the first two words. */
    long at() {
        return at;
    }

    /** The address of the next row's word. */
    long nextWord() {
        return at + RedoBatch.PLACED_HEAD + (long) count * Long.BYTES;
    }

    /** A row has joined it. Returns the number of its rows. */
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
