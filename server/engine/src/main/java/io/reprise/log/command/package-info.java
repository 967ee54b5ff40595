/**
 * Command logging: which procedure was called and with which values, so that a replay can call it again. {@link
 * io.reprise.log.command.CommandFormat} draws the bytes ({@code docs/reference/formats/commands.md}); {@link
 * io.reprise.log.command.CommandWriter} and {@link io.reprise.log.command.CommandReader} write and read them value by
 * value. Both are reused and belong to one thread. What a value means to a procedure is no matter of theirs.
 */
package io.reprise.log.command;
