/**
 * Transactions with several participants: {@link io.reprise.txn.coordinator.Coordinator} is called by each participant's
 * executor when the transaction's turn has come there, on that executor's thread.
 *
 * <p>Invariant: between a participant's arrival and the end of the rendezvous only the last participant to arrive touches
 * the participant's partition. Commit and rollback happen at all participants or at none.
 */
package io.reprise.txn.coordinator;
