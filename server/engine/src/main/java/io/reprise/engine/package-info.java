/**
 * The whole engine put together: {@link io.reprise.engine.Reprise} opens it from DDL and procedure classes and is what an
 * application calls, {@link io.reprise.engine.Sites} wires partitions, initiators and executors to sites; with a directory,
 * {@code Recovery} brings back what was there and {@code Persistence} keeps what comes.
 *
 * <p>Threads: a site's thread runs its clients, its initiator, its executor, its gate to the log and its share of a
 * snapshot in turn; the log's writer and the snapshots' writer have threads of their own, and a slow one watches the time
 * limit, that of transactions and that of constructors which a deployment runs on the caller's thread; callers wait on
 * their own threads only. Locks are held by callers and by changes of the catalog, never by a site. Start with {@code
 * Reprise}.
 */
package io.reprise.engine;
