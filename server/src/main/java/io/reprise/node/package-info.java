/**
 * The whole engine put together: {@link io.reprise.node.Reprise} opens it from DDL and procedure classes and is what an
 * application calls, {@link io.reprise.node.Sites} wires partitions, initiators and executors to sites. {@link
 * io.reprise.node.EngineDatabase} lets workloads load and check an engine.
 *
 * <p>{@link io.reprise.node.RepriseTool} is the command line for data directories; it looks into them beside an engine.
 *
 * <p>Threads: a site's thread runs its clients, its initiator and its executor in turn; a slow one watches the
 * time limit, that of transactions and that of constructors which a deployment runs on the caller's thread; callers wait on their own threads only. Locks are held by callers and by changes of the catalog, never
 * by a site. Start with {@code Reprise}.
 */
package io.reprise.node;
