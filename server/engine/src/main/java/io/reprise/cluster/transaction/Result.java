package io.reprise.cluster.transaction;

/**
 * The result of a piece of work at one partition.
 *
 * @param aborted whether the user's code aborted; the caller rolls back
 * @param rows the returned rows
 */
public record Result(boolean aborted, byte[] rows) {
    private static final byte[] NOTHING = {};

    /** The result of a partition that had no work in a member. */
    public static final Result NONE = new Result(false, NOTHING);
}
