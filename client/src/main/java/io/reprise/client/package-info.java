/**
 * Calls procedures of a Reprise server. Start with {@link io.reprise.client.Client}.
 *
 * <p>Threads: any may call. One network thread for each client moves bytes, and hands replies to {@link
 * io.reprise.client.ReplyHandler}s; it must not be kept waiting. Futures are completed by an executor of the
 * application's choice. Calls under way are bounded: one call too many waits, or is refused, as the caller wants.
 */
package io.reprise.client;
