/**
 * From a client's request to the queues of the partitions: {@link io.reprise.txn.initiator.Initiator} stamps and sends,
 * {@link io.reprise.txn.initiator.ClientPort} is how agents of the same site submit.
 *
 * <p>An initiator belongs to its site's thread; other threads reach it through one bounded queue, and a full queue is
 * answered with OVERLOADED. Start with {@code Initiator}.
 */
package io.reprise.txn.initiator;
