package io.reprise.wire;

/** The kind of a value on the wire. */
public enum ValueKind {
    NULL,
    INTEGER,
    NUMBER,
    BOOLEAN,
    TEXT,
    BINARY,
    DECIMAL,
    INTS,
    LONGS,
    NUMBERS,
    TEXTS,
    /** Of a kind that this side does not know yet. */
    UNKNOWN
}
