package io.reprise.execution.durable;

/**
 * The stable position of a partition's log: a reply may leave when everything up to the position that it waits for is
 * stable. On a single node that is the durable position. The positions are those of {@link io.reprise.log.PartitionLog}.
 */
@FunctionalInterface
public interface Stability {
    /** Everything up to this position is stable. It never falls. Any thread. */
    long position();
}
