package io.reprise.runtime.file;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * An open file. Owned by one thread at a time. Buffers are read and filled from their position to their limit, and are
 * used up by that; a write that throws may have written any part.
 */
public interface DataFile extends AutoCloseable {
    /** The largest piece of a segment that is read or written at once: a buffer can't be larger than 2 GiB. */
    long MAX_PIECE = 1L << 30;

    /** The path by which it was opened; a rename doesn't change it. */
    String path();

    /** The size in bytes. */
    long size();

    /** Fills the buffer from the given position of the file, as far as the file goes. Returns how many bytes it got. */
    int read(long position, ByteBuffer target);

    /** Writes the whole buffer to the given position of the file, which grows if need be. */
    void write(long position, ByteBuffer source);

    /**
     * Makes the file at least so large, with zeros that have their place on the disk: writing over them later neither
     * fails for lack of space nor makes a force write the file's size. When it fails, some zeros may have been added.
     */
    void preallocate(long size);

    /** Cuts the file off at the given size; it must not be larger than the file. */
    void truncate(long size);

    /**
     * Returns when everything written so far, and the size, is on stable storage.
     *
     * @throws ForceFailedException if writes since the last force may be lost; never try again
     */
    void force();

    /**
     * Claims the file until it is closed. Returns false if another process, or another opening in this one, has it. A
     * file system without locks refuses no claim.
     */
    default boolean tryLock() {
        return true;
    }

    @Override
    void close();

    /**
     * Fills the segment from the given position of the file, as far as the file goes. Returns how many bytes it got.
     */
    default long read(long position, MemorySegment target) {
        long done = 0;
        while (done < target.byteSize()) {
            long piece = Math.min(MAX_PIECE, target.byteSize() - done);
            int count = read(position + done, target.asSlice(done, piece).asByteBuffer());
            done += count;
            if (count < piece) {
                break;
            }
        }
        return done;
    }

    /** Writes the whole segment to the given position of the file, which grows if need be. */
    default void write(long position, MemorySegment source) {
        long done = 0;
        while (done < source.byteSize()) {
            long piece = Math.min(MAX_PIECE, source.byteSize() - done);
            write(position + done, source.asSlice(done, piece).asByteBuffer());
            done += piece;
        }
    }

    /** Writes the whole buffer behind the end of the file. Returns the position where it is. */
    default long append(ByteBuffer source) {
        long position = size();
        write(position, source);
        return position;
    }

    /** Writes the whole segment behind the end of the file. Returns the position where it is. */
    default long append(MemorySegment source) {
        long position = size();
        write(position, source);
        return position;
    }
}
