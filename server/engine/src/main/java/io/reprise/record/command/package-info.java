/**
 * The content of COMMAND records: a procedure version or an ad hoc statement, and its arguments. {@link
 * io.reprise.record.command.CommandFormat} draws the bytes ({@code docs/formats/commands.md}); {@link
 * io.reprise.record.command.CommandWriter} and {@link io.reprise.record.command.CommandReader} encode and decode them value by value.
 *
 * <p>Threads: an instance is confined to one thread, which reuses it.
 */
package io.reprise.record.command;
