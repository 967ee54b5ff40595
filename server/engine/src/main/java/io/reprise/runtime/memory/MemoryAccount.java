package io.reprise.runtime.memory;

/** The share of an {@link AddressSpace} that one owner (a table's rows, a table's indexes, the undo log) has taken. */
public final class MemoryAccount {
    private final String owner;
    private final boolean limited;
    private long bytes;

    /** An account that has taken nothing; the owner's name is for error messages. */
    public MemoryAccount(String owner) {
        this(owner, true);
    }

    private MemoryAccount(String owner, boolean limited) {
        this.owner = owner;
        this.limited = limited;
    }

    /** An account that does not count against the limit: for what only a recovery needs, when all that there was has to fit again. */
    public static MemoryAccount unlimited(String owner) {
        return new MemoryAccount(owner, false);
    }

    /** Whether it counts against the limit. */
    boolean isLimited() {
        return limited;
    }

    /** The owner's name. */
    public String owner() {
        return owner;
    }

    /** The number of bytes taken. */
    public long bytes() {
        return bytes;
    }

    void add(long more) {
        bytes += more;
    }
}
