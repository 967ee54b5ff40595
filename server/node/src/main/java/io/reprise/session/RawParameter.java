package io.reprise.session;

/**
 * A parameter's value as a client sent it.
 *
 * @param bytes its bytes; null: NULL
 * @param binary whether they are in the binary format
 */
public record RawParameter(byte[] bytes, boolean binary) {}
