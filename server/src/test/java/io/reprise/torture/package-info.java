/**
 * Kills whole processes: {@link io.reprise.torture.KillTest} starts a {@link io.reprise.torture.Victim} on a directory,
 * ends it with SIGKILL at a random moment, starts it again, and has it check what it finds. Read {@code KillTest} first.
 *
 * <p>A killed process leaves the system's cache behind, so nothing here is about lost power; that is simulated in
 * {@code node.CrashSweepTest}. What this adds is everything real: threads, files, memory, and moments nobody thought of.
 */
package io.reprise.torture;
