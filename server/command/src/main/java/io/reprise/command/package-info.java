/**
 * The command line {@code reprise}: {@link io.reprise.command.RepriseCommand} has all commands, those about data
 * directories from {@link io.reprise.command.RepriseTool}, those about nodes from here, and those of other modules as {@link
 * io.reprise.command.CommandOfModule}s. What a command does is elsewhere; here is
 * how it is asked for, what it prints, and its exit code.
 *
 * <p>Threads: the one that runs the program.
 */
package io.reprise.command;
