package io.reprise.log;

/** What the log keeps of the hash of a transaction's writes: half of its bits, enough to notice a difference. */
public final class WriteHash {
    private WriteHash() {}

    /** The hash as it is in records. */
    public static int folded(long writeHash) {
        return (int) (writeHash ^ writeHash >>> 32);
    }
}
