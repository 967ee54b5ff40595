/**
 * The changes that a transaction made to rows, with values before and after it, for consumers outside of the database.
 * {@link io.reprise.changes.ChangeCollector} is a partition's write observer, so it sees live and replayed writes alike.
 *
 * <p>Owned by the thread that holds the partition. Start with {@code ChangeCollector}.
 */
package io.reprise.changes;
