/**
 * Agreement of threads on an order. {@link io.reprise.runtime.order.InitiatorClock} tells executors the id up to
 * which an initiator sends nothing more. {@link io.reprise.runtime.order.Rendezvous} tells the participants of a
 * multi-partition transaction who is the last to arrive and when it is over.
 *
 * <p>Both are lock-free: no thread ever waits inside them. Start with {@code InitiatorClock}.
 */
package io.reprise.runtime.order;
