/**
 * Benchmarks of durability: the cost of a log while transactions run, the speed of its replay, the cost of snapshots
 * and the speed of their loading, and the time of a restart; {@link io.reprise.benchmark.durable.PaperFigures}
 * measures figures 3 to 9 of the paper on command logging.
 *
 * <p>The engine, its clients and their threads are those of {@code io.reprise.benchmark.engine}. A synchronous log
 * answers a call only after a force, so that a client needs many calls under way to keep a partition busy; the
 * variants that are compared, the one without a log among them, have equally many.
 */
package io.reprise.benchmark.durable;
