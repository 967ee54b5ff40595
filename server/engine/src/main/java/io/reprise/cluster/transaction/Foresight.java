package io.reprise.cluster.transaction;

/**
 * The time by which a coordinator stamps transactions ahead of its clock, so that reservations arrive before their turns. A busy
 * participant has otherwise run calls with higher ids by then and raises the id, and all parts run again.
 *
 * <p>It grows with the lateness of each raised reservation, and shrinks a little with each one that was in time. So it is zero
 * between idle partitions, where a raised id is rare and waiting costs a delay. A participant with a clock far ahead can't be
 * met by waiting: such a lateness counts for nothing.
 *
 * <p>Owned by the coordinator.
 */
final class Foresight {
    /** Partitions wait no longer than this for their clocks to reach a reserved id. */
    static final long MOST_MICROS = 4_000;

    /** It grows beyond the lateness by a quarter, so that several of the next reservations are in time. */
    private static final int GROWTH = 4;

    private static final int DECAY = 32;

    private long micros;

    /** The time to add to the clock. */
    long micros() {
        return micros;
    }

    /** All participants have proposed the id that was reserved. */
    void inTime() {
        micros -= (micros + DECAY - 1) / DECAY;
    }

    /** A participant has raised an id, by so much time. */
    void late(long byMicros) {
        if (byMicros <= MOST_MICROS) {
            micros = Math.min(MOST_MICROS, (micros + byMicros) * (GROWTH + 1) / GROWTH + 1);
        }
    }
}
