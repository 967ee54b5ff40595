/**
 * The protocol between client and server as bytes: frames, and the messages that are too many to be objects, written
 * and read by hand in the encoding of Protocol Buffers. {@code reprise.proto} declares them, {@code
 * docs/reference/formats/wire.md} describes the frames. The rare messages are generated classes, in {@code
 * io.reprise.wire.message}.
 *
 * <p>Used by both sides; knows neither sockets nor threads. Received bytes are never trusted: a reader throws {@link
 * io.reprise.wire.MalformedMessageException} and nothing else, whatever the bytes are. Start with {@link
 * io.reprise.wire.Wire}.
 */
package io.reprise.wire;
