/**
 * The command line {@code reprise}: {@link io.reprise.command.RepriseCommand} has all commands, those about data
 * directories from {@link io.reprise.command.RepriseTool}, those about nodes from here, and those of other modules as {@link
 * io.reprise.command.CommandOfModule}s. This package has
 * their options, output and exit codes; their work is elsewhere.
 *
 * <p>Threads: the one that runs the program.
 */
package io.reprise.command;
