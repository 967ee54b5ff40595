package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Outcomes;
import io.reprise.execution.Result;
import io.reprise.log.LogRecords;
import java.util.Arrays;

/** The numbered calls of a frame, kept as numbers until {@link Outcomes} remembers them. */
final class Callers {
    /** The words of a call: bucket, client, sequence number, kind of result, result, transaction id, partition. */
    private static final int WORDS = 7;

    private long[] words = new long[64 * WORDS];
    private int end;

    /** Adds the calls of the current record. */
    void add(LogRecords records) {
        do {
            addCaller(records);
        } while (records.nextCaller());
    }

    private void addCaller(LogRecords records) {
        if (end == words.length) {
            words = Arrays.copyOf(words, 2 * words.length);
        }
        words[end] = records.bucket();
        words[end + 1] = records.client();
        words[end + 2] = records.sequence();
        words[end + 3] = records.resultKind();
        words[end + 4] = records.resultWord();
        words[end + 5] = records.transactionId();
        words[end + 6] = records.partition();
        end += WORDS;
    }

    /**
     * Remembers all calls. A transaction that was not confined to a bucket is remembered in each partition, because the
     * partition of its repetition depends on their number.
     *
     * @param keepsPartitions whether a call of one partition is remembered there alone
     */
    void remember(ReplayLane[] lanes, BucketMap buckets, boolean keepsPartitions) {
        for (int at = 0; at < end; at += WORDS) {
            if (keepsPartitions && words[at + 6] >= 0) {
                remember(at, lanes[(int) words[at + 6]].outcomes());
                continue;
            }
            if (words[at] >= 0) {
                remember(at, lanes[buckets.partition((int) words[at])].outcomes());
                continue;
            }
            for (ReplayLane lane : lanes) {
                remember(at, lane.outcomes());
            }
        }
    }

    private void remember(int at, Outcomes outcomes) {
        outcomes.remember(
                words[at + 1], words[at + 2], Result.Kind.of((int) words[at + 3]), words[at + 4], words[at + 5]);
    }

    void clear() {
        end = 0;
    }
}
