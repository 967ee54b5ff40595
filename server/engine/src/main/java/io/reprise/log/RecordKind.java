package io.reprise.log;

/** What a record holds. The codes are in files: they stay as they are. */
public enum RecordKind {
    /** A transaction as a call: procedure or statement, and arguments. */
    COMMAND(1),
    /** A transaction as the rows that it left behind. */
    DATA(2),
    /** A change of the catalog: DDL, and the classes that it brings. */
    CATALOG(3),
    /** The moment of a snapshot: what stands before it is in the snapshot, what stands behind it isn't. */
    SNAPSHOT_BEGIN(4),
    /** The content of the tables as hashes, for checking that a replay came to the same. */
    STATE_HASH(5),
    /** Reserved: the rows that a transaction read and wrote. */
    FOOTPRINT(6),
    /** Reserved: in which order transactions of several initiators ran. */
    ORDERING(7),
    /** Reserved: what became of a transaction over several nodes. */
    DECISION(8),
    /** Reserved: up to here the archive has the images of all commands. */
    IMAGE_COMPLETE(9);

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

    /** The number that stands for it in files: 1 to 15. */
    public int code() {
        return code;
    }

    /** The kind of a code from 0 to 15, or null where no such kind is known. */
    static RecordKind ofCode(int code) {
        return BY_CODE[code];
    }

    /** Whether its records carry the hash of what the transaction wrote. */
    boolean hasWriteHash() {
        return this == COMMAND || this == DATA;
    }
}
