/**
 * Ids and positions as primitive {@code long}s and {@code int}s with static codecs: no objects, no state, no thread.
 * Start with {@link io.reprise.id.TransactionId}.
 */
package io.reprise.id;
