package io.reprise.snapshot.file;

/**
 * A manifest's entry of a data file.
 *
 * @param name its name in the snapshot's directory
 * @param partition whose rows it has
 * @param size its bytes
 * @param indexPosition the beginning of its block index
 * @param blocks number of its blocks of rows
 * @param rows number of their rows
 * @param crc32c of all its bytes
 */
public record DataFileEntry(
        String name, int partition, long size, long indexPosition, long blocks, long rows, int crc32c) {}
