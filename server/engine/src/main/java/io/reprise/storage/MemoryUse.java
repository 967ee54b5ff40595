package io.reprise.storage;

/**
 * The memory of a table in one partition, in bytes: taken from the partition's limit, and of that in use.
 *
 * @param rows taken for rows
 * @param rowsInUse by live rows
 * @param strings taken for strings outside rows
 * @param stringsInUse by such strings
 * @param indexes taken for indexes
 * @param indexesInUse by index nodes and buckets in use
 * @param indexEntries entries of all indexes
 */
public record MemoryUse(
        long rows,
        long rowsInUse,
        long strings,
        long stringsInUse,
        long indexes,
        long indexesInUse,
        long indexEntries) {
    /** All that is taken. */
    public long total() {
        return rows + strings + indexes;
    }
}
