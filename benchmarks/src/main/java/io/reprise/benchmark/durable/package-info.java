/**
 * Benchmarks of durability: what a log costs while transactions run, how fast it is replayed, what snapshots cost and how
 * fast they are loaded, and how long a restart takes; {@link io.reprise.benchmark.durable.PaperFigures} measures what the
 * paper on command logging shows in its figures 3 to 9.
 *
 * <p>The engine, its clients and their threads are those of {@code io.reprise.benchmark.engine}. A synchronous log answers
 * a call only after a force, so that a client needs many calls under way to keep a partition busy; the variants that are
 * compared, the one without a log among them, have equally many.
 */
package io.reprise.benchmark.durable;
