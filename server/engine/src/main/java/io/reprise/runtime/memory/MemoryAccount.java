package io.reprise.runtime.memory;

/** What one owner (a table's rows, a table's indexes, the undo log) has taken of an {@link AddressSpace}. */
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

    /** Who takes the memory. */
    public String owner() {
        return owner;
    }

    /** How much is taken. */
    public long bytes() {
        return bytes;
    }

    void add(long more) {
        bytes += more;
    }
}
