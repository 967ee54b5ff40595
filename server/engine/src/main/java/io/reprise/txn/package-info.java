/**
 * Ordering, routing and multi-partition commit: {@link io.reprise.txn.initiator.Initiator} gives transactions their ids
 * and sends them to partitions, {@link io.reprise.txn.coordinator.Coordinator} runs those that have several participants.
 */
package io.reprise.txn;
