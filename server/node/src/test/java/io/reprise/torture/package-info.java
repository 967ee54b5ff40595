/**
 * Kills whole processes: {@link io.reprise.torture.KillTest} starts a {@link io.reprise.torture.Victim} on a
 * directory, ends it with SIGKILL at a random moment, starts it again, and has it check its data. Read {@code
 * KillTest} first.
 *
 * <p>Most loads have their clients in the victim's process, and check that every answered write is there. One has
 * {@link io.reprise.torture.Callers} outside, who make their calls again after the restart, and checks that each has
 * its effect once.
 *
 * <p>A killed process leaves the system's cache behind, so nothing here is about lost power; {@code CrashSweepTest}
 * simulates it. This adds everything real: threads, files, memory, and moments that no scenario foresees.
 */
package io.reprise.torture;
