package io.reprise.snapshot.file;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Reads the data files of a snapshot, block by block. Nothing that it hands out has not been checked; whatever is wrong is a
 * {@link DamagedSnapshotException} that names file and byte. Owned by one thread; several may read the same files.
 */
public final class BlockReader implements AutoCloseable {
    private static final long START = Memory.PAGE;
    private static final int USUAL = 1 << 20;
    private static final int MOST_BLOCK = BlockFormat.BLOCK_HEADER + BlockFormat.MOST_PAYLOAD;

    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();
    private final FileStore files;
    private final Manifest manifest;
    private final Memory memory = Memory.reserve(BlockFormat.MOST_PAYLOAD + 2L * Memory.HUGE_PAGE);
    private final ImageCursor payload = new ImageCursor(memory);
    private final Map<Integer, Integer> positionsOfTables = new HashMap<>();
    /** A block as it is in the file; see {@link BlockFormat#buffer} for why it isn't a buffer of the JVM's. */
    private final Memory stored = Memory.reserve(MOST_BLOCK + 2L * Memory.HUGE_PAGE);

    private DataFile file;
    private DataFileEntry entry;
    private String path;
    private ByteBuffer header;
    private BlockIndex index;
    private int payloadBytes;

    /** A reader of a snapshot's files. */
    public BlockReader(FileStore files, Manifest manifest) {
        this.files = files;
        this.manifest = manifest;
        for (int i = 0; i < manifest.tables().size(); i++) {
            positionsOfTables.put(manifest.tables().get(i).id(), i);
        }
    }

    /** Opens one of the data files: checks its size and header, and reads its index. */
    public void open(DataFileEntry dataFile) {
        closeFile();
        entry = dataFile;
        path = SnapshotDirectory.path(manifest.identity().transactionId()) + "/" + dataFile.name();
        try {
            file = files.openReadOnly(path);
        } catch (StorageException e) {
            throw DamagedSnapshotException.unreadable(path, 0, e);
        }
        if (file.size() != dataFile.size()) {
            throw damaged(
                    Math.min(file.size(), dataFile.size()),
                    "it has " + file.size() + " bytes, but the manifest says " + dataFile.size());
        }
        header = BlockFormat.fileHeader(manifest.identity(), dataFile.partition());
        ByteBuffer found = BlockFormat.headerBuffer();
        readFile(0, found);
        int different = header.mismatch(found.flip());
        if (different >= 0) {
            throw damaged(different, "its header is not that of this snapshot's partition " + dataFile.partition());
        }
        readIndex();
    }

    private void readIndex() {
        long at = entry.indexPosition();
        long length = entry.size() - at;
        if (at < BlockFormat.FILE_HEADER || length < BlockFormat.BLOCK_HEADER || length > MOST_BLOCK) {
            throw damaged(at, "its index can't be there");
        }
        read(at, (int) length, 0, BlockFormat.KIND_INDEX, 0);
        try {
            index = BlockIndex.decode(payload, at);
        } catch (DamagedImageException e) {
            throw damaged(at, "its index makes no sense although its checksum matches", e);
        }
        if (index.count() != entry.blocks()) {
            throw damaged(at, "its index has " + index.count() + " blocks, but the manifest says " + entry.blocks());
        }
        if (index.totalRows() != entry.rows()) {
            throw damaged(at, "its index has " + index.totalRows() + " rows, but the manifest says " + entry.rows());
        }
    }

    /** The number of blocks of the open file; they are in the order of their buckets. */
    public int blocks() {
        return index.count();
    }

    /** The bucket of a block, or -1 where it has rows of replicated tables. */
    public int bucket(int number) {
        return index.bucket(number) == BlockFormat.REPLICATED ? -1 : index.bucket(number);
    }

    /** The position of a block in the file. */
    public long position(int number) {
        return index.position(number);
    }

    /** The number of the file's bytes that a block has. */
    public int length(int number) {
        return index.length(number);
    }

    /** The number of rows of a block. */
    public int rows(int number) {
        return index.rows(number);
    }

    /** Reads a block. Its rows are in the given iterator then, until the next block is read. */
    public void read(int number, BlockRows rows) {
        read(
                index.position(number),
                index.length(number),
                index.bucket(number),
                BlockFormat.KIND_ROWS,
                index.rows(number));
        rows.over(this, index.position(number), index.bucket(number), index.rows(number));
    }

    /** The block that was read last, as it is stored; null if it was too large to be kept. */
    ByteBuffer storedBlock(int number) {
        int length = index.length(number);
        return length > USUAL ? null : BlockFormat.buffer(stored, START, length);
    }

    /** Begins anew with the rows of the block that was read last. */
    void rewind(int number, BlockRows rows) {
        payload.over(START, payloadBytes);
        rows.over(this, index.position(number), index.bucket(number), index.rows(number));
    }

    private void read(long at, int length, int bucket, int kind, int rows) {
        try {
            readBlock(at, length, bucket, kind, rows);
        } finally {
            if (length > USUAL) {
                stored.discard(START, length);
            }
        }
    }

    private void readBlock(long at, int length, int bucket, int kind, int rows) {
        ByteBuffer block = BlockFormat.buffer(stored, START, length);
        int count = readFile(at, block);
        block.clear();
        if (count < length) {
            throw damaged(at + count, "only " + count + " of a block's " + length + " bytes are there");
        }
        int bytes = length - BlockFormat.BLOCK_HEADER;
        if (!BlockFormat.isBlock(block) || BlockFormat.stored(block) != bytes) {
            throw damaged(at, "no block of " + length + " bytes begins here");
        }
        if (BlockFormat.blockCrc(block, header, bytes) != BlockFormat.crc32c(block)) {
            throw damaged(at, "the block's checksum does not match its content");
        }
        int flags = BlockFormat.flags(block);
        if (BlockFormat.position(block) != at
                || BlockFormat.bucket(block) != bucket
                || BlockFormat.rows(block) != rows
                || (flags & ~BlockFormat.LZ4) != kind) {
            throw damaged(at, "the block is another one than the index says");
        }
        unpack(block, at, bytes, (flags & BlockFormat.LZ4) != 0);
    }

    private int readFile(long at, ByteBuffer into) {
        try {
            return file.read(at, into);
        } catch (StorageException e) {
            throw DamagedSnapshotException.unreadable(path, at, e);
        }
    }

    private void unpack(ByteBuffer block, long at, int bytes, boolean packed) {
        int unpacked = BlockFormat.unpacked(block);
        if (unpacked < 0 || unpacked > BlockFormat.MOST_PAYLOAD || !packed && unpacked != bytes) {
            throw damaged(at, "the block says that it has " + unpacked + " bytes unpacked");
        }
        if (payloadBytes > USUAL) {
            memory.discard(START, payloadBytes);
        }
        if (packed) {
            decompress(block, at, bytes, BlockFormat.buffer(memory, START, unpacked));
        } else {
            memory.copyFrom(stored, START + BlockFormat.BLOCK_HEADER, START, bytes);
        }
        payloadBytes = unpacked;
        payload.over(START, unpacked);
    }

    private void decompress(ByteBuffer block, long at, int bytes, ByteBuffer target) {
        int unpacked = target.capacity();
        int count;
        try {
            count = decompressor.decompress(block, BlockFormat.BLOCK_HEADER, bytes, target, 0, unpacked);
        } catch (LZ4Exception e) {
            throw damaged(at, "the block can't be unpacked although its checksum matches", e);
        }
        if (count != unpacked) {
            throw damaged(at, "the block has " + count + " bytes unpacked, not " + unpacked);
        }
    }

    /** Reads the whole open file and compares its checksum with the manifest's. */
    public void verifyWholeFile() {
        CRC32C crc = new CRC32C();
        ByteBuffer piece = BlockFormat.buffer(stored, START, USUAL);
        for (long at = 0; at < entry.size(); ) {
            int count = readFile(at, piece.clear());
            if (count == 0) {
                throw damaged(at, "it ends too early");
            }
            crc.update(piece.flip());
            at += count;
        }
        if ((int) crc.getValue() != entry.crc32c()) {
            throw damaged(0, "the checksum of the whole file does not match the manifest's");
        }
    }

    /** The memory that a block's rows lie in. */
    Memory memory() {
        return memory;
    }

    /**
     * Copies the block that was read last into a partition's scratch space, which begins anew: images are read from there.
     *
     * @return by how much addresses are larger there
     */
    long bringInto(PartitionStore store) {
        store.begin(0);
        return store.scratch().bringIn(memory.segment(), START, payloadBytes) - START;
    }

    /** Copies the block that was read last into another memory. Returns by how much addresses are larger there. */
    long copyPayload(Memory target, long address) {
        target.copyFrom(memory, START, address, payloadBytes);
        return address - START;
    }

    /** The payload of the block that was read last. */
    ImageCursor payload() {
        return payload;
    }

    /** The position in {@link Manifest#tables} of the table with this id, or -1. */
    int positionOf(int id) {
        return positionsOfTables.getOrDefault(id, -1);
    }

    /** The table at a position. */
    TableContents table(int position) {
        return manifest.tables().get(position);
    }

    DamagedSnapshotException damaged(long at, String what) {
        return damaged(at, what, null);
    }

    DamagedSnapshotException damaged(long at, String what, Throwable cause) {
        return new DamagedSnapshotException(path, at, what, cause);
    }

    private void closeFile() {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    @Override
    public void close() {
        closeFile();
        memory.close();
        stored.close();
    }
}
