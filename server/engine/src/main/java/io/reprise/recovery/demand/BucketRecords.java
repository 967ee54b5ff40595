package io.reprise.recovery.demand;

import java.util.Arrays;

/** The records of a bucket in log order, of which the first have been applied. The owner of the {@link TailIndex} owns it. */
final class BucketRecords {
    private int[] numbers = new int[4];
    private int count;
    private int applied;

    void add(int number) {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * count);
        }
        numbers[count++] = number;
    }

    int count() {
        return count;
    }

    /** Records have been added out of order, or twice. None has been applied. */
    void sort() {
        Arrays.sort(numbers, 0, count);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (kept == 0 || numbers[i] != numbers[kept - 1]) {
                numbers[kept++] = numbers[i];
            }
        }
        count = kept;
    }

    /** The number of those below a record. */
    int below(int record) {
        int at = Arrays.binarySearch(numbers, 0, count, record);
        return at < 0 ? -at - 1 : at;
    }

    /** The next record has been applied. */
    void applied() {
        applied++;
    }

    /** All of them have been applied. */
    void allApplied() {
        applied = count;
    }

    /** None of them has been applied. */
    void forgetApplied() {
        applied = 0;
    }

    /** A list of records from its end to its beginning. */
    static final class Cursor {
        private final int bucket;
        private final BucketRecords list;
        private int at;

        Cursor(int bucket, BucketRecords list, int limit) {
            this.bucket = bucket;
            this.list = list;
            at = limit - 1;
        }

        int bucket() {
            return bucket;
        }

        void back() {
            at--;
        }

        boolean hasMore() {
            return at >= list.applied;
        }

        int record() {
            return list.numbers[at];
        }
    }
}
