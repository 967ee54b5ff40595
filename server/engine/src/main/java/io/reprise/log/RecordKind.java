package io.reprise.log;

/** The content of a record. Codes are in files and never change. */
public enum RecordKind {
    /** A transaction as a call: procedure or statement, and arguments. */
    COMMAND(1),
    /** A transaction as the after-images of its rows. */
    DATA(2),
    /** A change of the catalog: DDL, and the classes that it brings. */
    CATALOG(3),
    /** The moment of a snapshot, which contains all records before this one and none behind it. */
    SNAPSHOT_BEGIN(4),
    /** Hashes of all tables, which a replay that ends here compares. */
    STATE_HASH(5),
    /** The rows that transactions of a partition read and wrote. */
    FOOTPRINT(6),
    /** A transaction over several partitions: its call with the answers from elsewhere, and the rows that it changed there. */
    BOUNDARY(7),
    /** A change of the schema that a partition's stream has committed; the node's CATALOG record follows. */
    SCHEMA(8),
    /** The calls of a transaction over nodes at their home, with the answers from other partitions. */
    CALLS(9),
    /** Buckets leave a partition of a cluster, or come to it with their rows. */
    MOVE(10),
    /** An epoch of a replicated partition begins: its number, and the record's index in the partition's stream. */
    EPOCH(11),
    /** An operator's choice of how a recovery goes on past a transaction that differs. */
    RECOVERY_CHOICE(12),
    /** A node of a cluster has started: the number of this run. */
    START(13),
    /** A part of an image that replaces all that a replica holds. */
    IMAGE(14),
    /** A part of a transaction over nodes that is not decided, its withdrawal, an abort or a mark. */
    TRANSACTION(15);

    private static final RecordKind[] BY_CODE = new RecordKind[16];

    static {
        for (RecordKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final byte code;

    RecordKind(int code) {
        this.code = (byte) code;
    }

    /** Its number in files, 1 to 15. */
    public int code() {
        return code;
    }

    /** The kind with a code from 0 to 15, or null. */
    static RecordKind ofCode(int code) {
        return BY_CODE[code];
    }

    /** Whether a record is a whole transaction of a client. */
    public boolean isTransaction() {
        return this == COMMAND || this == DATA || this == BOUNDARY || this == CALLS;
    }

    /** Whether its records carry the transaction's write hash. */
    boolean hasWriteHash() {
        return isTransaction();
    }
}
