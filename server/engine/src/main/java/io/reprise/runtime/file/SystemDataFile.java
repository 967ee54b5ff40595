package io.reprise.runtime.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;

/** A file of a {@link SystemFileStore}. */
final class SystemDataFile implements DataFile {
    /**
     * The zeros that fill all files, never written to. The buffer stays in a core's cache; a new one for each filling
     * took more time than the filling.
     */
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(256 << 10).asReadOnlyBuffer();

    private final SystemFileStore store;
    private final String path;
    private final FileChannel channel;

    SystemDataFile(SystemFileStore store, String path, FileChannel channel) {
        this.store = store;
        this.path = path;
        this.channel = channel;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public long size() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw store.translate("find out the size", path, e);
        }
    }

    @Override
    public int read(long position, ByteBuffer target) {
        int start = target.position();
        try {
            while (target.hasRemaining() && channel.read(target, position + target.position() - start) >= 0) {
                continue;
            }
        } catch (IOException e) {
            throw store.translate("read " + target.remaining() + " bytes at " + position, path, e);
        }
        return target.position() - start;
    }

    @Override
    public void write(long position, ByteBuffer source) {
        int start = source.position();
        try {
            while (source.hasRemaining()) {
                channel.write(source, position + source.position() - start);
            }
        } catch (IOException e) {
            throw store.translate("write " + source.remaining() + " bytes at " + position, path, e);
        }
    }

    @Override
    public void preallocate(long size) {
        long done = size();
        if (done >= size) {
            return;
        }
        ByteBuffer zeros = ZEROS.duplicate();
        try {
            while (done < size) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), size - done));
                done += channel.write(zeros, done);
            }
        } catch (IOException e) {
            throw store.translate("preallocate " + size + " bytes", path, e);
        }
    }

    @Override
    public void truncate(long size) {
        if (size < 0 || size > size()) {
            throw new IllegalArgumentException("can't cut " + path + " of " + size() + " bytes off at " + size);
        }
        try {
            channel.truncate(size);
        } catch (IOException e) {
            throw store.translate("cut off at " + size, path, e);
        }
    }

    @Override
    public void force() {
        try {
            channel.force(false);
        } catch (IOException e) {
            throw new ForceFailedException("force", path, IoErrors.reason(e), e);
        }
    }

    @Override
    public boolean tryLock() {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            // The file system has no locks.
            return true;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw store.translate("close", path, e);
        }
    }
}
