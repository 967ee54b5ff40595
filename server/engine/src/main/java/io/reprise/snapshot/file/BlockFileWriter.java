package io.reprise.snapshot.file;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes the data file of a partition from front to back: file header, blocks, block index. Written bytes are forced
 * from time to time, so that the disk isn't given everything at the end, when a log's force would have to wait for
 * it.
 */
final class BlockFileWriter implements AutoCloseable {
    private final DataFile file;
    private final String name;
    private final int partition;
    private final ByteBuffer header;
    private final long forceEveryBytes;
    private final CRC32C crc = new CRC32C();
    private final BlockIndex index = new BlockIndex();
    private long position;
    private long forcedTo;
    private long rows;

    BlockFileWriter(FileStore files, String directory, SnapshotIdentity identity, int partition, long forceEveryBytes) {
        this.name = SnapshotDirectory.dataFile(partition);
        this.partition = partition;
        this.forceEveryBytes = forceEveryBytes;
        this.header = BlockFormat.fileHeader(identity, partition);
        this.file = files.create(directory + "/" + name);
        write(header.duplicate());
    }

    private void write(ByteBuffer bytes) {
        int length = bytes.remaining();
        crc.update(bytes.duplicate());
        file.write(position, bytes);
        position += length;
        if (position - forcedTo >= forceEveryBytes) {
            file.force();
            forcedTo = position;
        }
    }

    /** Bytes written. */
    long position() {
        return position;
    }

    /** Writes the block that the packer holds, and empties the packer. */
    void writeRows(BlockPacker packer, int bucket, int rowsInBlock) {
        ByteBuffer block = packer.pack(header, bucket, BlockFormat.KIND_ROWS, rowsInBlock, position);
        index.add(bucket, position, block.remaining(), rowsInBlock);
        rows += rowsInBlock;
        write(block);
        packer.clear();
    }

    /** Writes a block of rows that another file has, under a header of this one. */
    void writeStored(ByteBuffer block) {
        int bucket = BlockFormat.bucket(block);
        int rowsInBlock = BlockFormat.rows(block);
        BlockFormat.putBlockHeader(
                block,
                header,
                BlockFormat.stored(block),
                BlockFormat.unpacked(block),
                bucket,
                BlockFormat.flags(block),
                rowsInBlock,
                position);
        index.add(bucket, position, block.remaining(), rowsInBlock);
        rows += rowsInBlock;
        write(block);
    }

    /** Writes the index and has everything on stable storage. */
    DataFileEntry finish(BlockPacker packer) {
        long indexPosition = position;
        packer.clear();
        index.encode(packer);
        write(packer.pack(header, 0, BlockFormat.KIND_INDEX, 0, position));
        packer.clear();
        file.force();
        return new DataFileEntry(name, partition, position, indexPosition, index.count(), rows, (int) crc.getValue());
    }

    @Override
    public void close() {
        file.close();
    }
}
