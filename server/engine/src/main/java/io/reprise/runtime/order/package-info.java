/**
 * What threads need to agree on an order: {@link io.reprise.runtime.order.InitiatorClock} tells executors up to which
 * transaction id nothing more will come from an initiator, {@link io.reprise.runtime.order.Rendezvous} tells the
 * participants of a multi-partition transaction who is the last to arrive and when it is over.
 *
 * <p>Both are lock-free: no thread ever waits inside them. Start with {@code InitiatorClock}.
 */
package io.reprise.runtime.order;
