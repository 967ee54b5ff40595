package io.reprise.log;

import io.reprise.id.Buckets;

/** The log's part of the hash of a transaction's writes: half of its bits, enough to notice a difference. */
public final class WriteHash {
    private WriteHash() {}

    /** The hash as it is in records. Mixed once more, so that each of its bits counts: half of the bits of a sum's last term would not. */
    public static int folded(long writeHash) {
        return (int) Buckets.mix(0, writeHash);
    }
}
