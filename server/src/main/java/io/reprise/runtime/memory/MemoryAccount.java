package io.reprise.runtime.memory;

/** What one owner (a table's rows, a table's indexes, the undo log) has taken of an {@link AddressSpace}. */
public final class MemoryAccount {
    private final String owner;
    private long bytes;

    /** An account that has taken nothing; the owner's name is for error messages. */
    public MemoryAccount(String owner) {
        this.owner = owner;
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
