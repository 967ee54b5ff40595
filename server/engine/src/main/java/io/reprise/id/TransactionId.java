package io.reprise.id;

/**
 * A transaction id is a hybrid-logical timestamp with its initiator in the low bits: unique in the cluster, monotonic
 * per initiator, and the order in which partitions run transactions.
 *
 * <pre>
 *  63   62                                        12 11         0
 * +---+---------------------------------------------+-----------+
 * | 0 | ticks of 1/2 us since 2025-01-01 UTC        | initiator |
 * +---+---------------------------------------------+-----------+
 * </pre>
 *
 * <p>An initiator has the number of its partition ({@link PartitionId}). The tick below a microsecond is a sequence: an
 * initiator that stamps more than 2 ids per microsecond runs ahead of its clock until the clock catches up. The 51 bits
 * of ticks last until 2060.
 *
 * <p>In a cluster, initiators of several nodes and the coordinator of a partition may have one number. Initiators take even ticks there,
 * and coordinators odd ones, so that no transaction over nodes has the id of a call that waits at a participant.
 */
public final class TransactionId {
    /** The number of initiators that ids can name. */
    public static final int MAX_INITIATORS = PartitionId.MOST;

    /** 2025-01-01T00:00:00Z in microseconds since 1970. */
    public static final long EPOCH_MICROS = 1_735_689_600_000_000L;

    private static final int INITIATOR_BITS = 12;
    private static final int SEQUENCE_BITS = 1;
    private static final int PAIR_BITS = INITIATOR_BITS + SEQUENCE_BITS;

    private TransactionId() {}

    /** The lowest id of the given initiator at the given time. */
    public static long of(long epochMicros, int initiator) {
        return ((epochMicros - EPOCH_MICROS) << (SEQUENCE_BITS + INITIATOR_BITS)) | initiator;
    }

    /** The initiator's next id: at the given time, or one tick after its last id if that is later. */
    public static long next(long last, long epochMicros, int initiator) {
        return Math.max(of(epochMicros, initiator), ((last >>> INITIATOR_BITS) + 1 << INITIATOR_BITS) | initiator);
    }

    /** The same for an initiator of a cluster's node: the next id with an even tick. */
    public static long nextInCluster(long last, long epochMicros, int initiator) {
        return Math.max(of(epochMicros, initiator), ((last >>> PAIR_BITS) + 1 << PAIR_BITS) | initiator);
    }

    /** The next id of a partition's coordinator: the next one with an odd tick. */
    public static long nextOfCoordinator(long last, long epochMicros, int partition) {
        long tick = Math.max(of(epochMicros, 0) >>> INITIATOR_BITS, (last >>> INITIATOR_BITS) + 1);
        return ((tick | 1) << INITIATOR_BITS) | partition;
    }

    /** The id of the same coordinator so many ids later, or earlier if the number is negative. */
    public static long plus(long id, int ids) {
        return id + ((long) ids << PAIR_BITS);
    }

    /** The time in an id, in microseconds since 1970. */
    public static long epochMicros(long id) {
        return (id >>> (SEQUENCE_BITS + INITIATOR_BITS)) + EPOCH_MICROS;
    }

    /** The initiator in an id. */
    public static int initiator(long id) {
        return (int) (id & (MAX_INITIATORS - 1));
    }
}
