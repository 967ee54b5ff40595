/**
 * Alternatives of a comparison in processes of their own: {@link io.reprise.benchmark.fork.Fork} is the parent's side, {@link
 * io.reprise.benchmark.fork.ForkedTask} what a child does. Read Fork first.
 *
 * <p>Threads: a fork belongs to the benchmark's thread; in the child the main thread runs the task.
 */
package io.reprise.benchmark.fork;
