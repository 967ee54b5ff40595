package io.reprise.snapshot.file;

/**
 * What a manifest says of a data file.
 *
 * @param name its name in the snapshot's directory
 * @param partition whose rows it has
 * @param size its bytes
 * @param indexPosition where its block index begins
 * @param blocks how many blocks of rows it has
 * @param rows how many rows they have
 * @param crc32c of all its bytes
 */
public record DataFileEntry(
        String name, int partition, long size, long indexPosition, long blocks, long rows, int crc32c) {}
