/**
 * Ids and positions as primitive {@code long}s and {@code int}s with static codecs: no objects, no state, no thread
 * (but {@link io.reprise.id.DatabaseId}, which only files have to do with).
 * Start with {@link io.reprise.id.TransactionId}.
 */
package io.reprise.id;
