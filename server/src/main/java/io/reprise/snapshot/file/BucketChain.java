package io.reprise.snapshot.file;

/** Rows of one table and bucket that wait in {@link BucketBuffers} for their block: a chain of chunks. */
final class BucketChain {
    final int partition;
    final int table;
    final int bucket;
    int firstChunk;
    int lastChunk;
    int usedInLast;
    int bytes;
    int rows;

    /** The number of the row before, from which the next one's is told as a difference. */
    long lastSequence;

    BucketChain(int partition, int table, int bucket) {
        this.partition = partition;
        this.table = table;
        this.bucket = bucket;
    }
}
