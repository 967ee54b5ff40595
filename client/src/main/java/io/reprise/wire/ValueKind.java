package io.reprise.wire;

/** What a value on the wire is. */
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
