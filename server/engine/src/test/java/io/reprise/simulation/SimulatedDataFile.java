package io.reprise.simulation;

import io.reprise.runtime.Randomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.StorageFullException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;

/** An open file of a {@link SimulatedFileStore}, whose lock guards it. */
final class SimulatedDataFile implements DataFile {
    private static final int SECTOR = 512;

    private final SimulatedFileStore store;
    private final String path;
    private final SimulatedInode inode;
    private final boolean writable;
    private boolean closed;

    SimulatedDataFile(SimulatedFileStore store, String path, SimulatedInode inode, boolean writable) {
        this.store = store;
        this.path = path;
        this.inode = inode;
        this.writable = writable;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public long size() {
        synchronized (store) {
            store.end(begin(FileCall.SIZE, "find out the size", false));
            return inode.size();
        }
    }

    @Override
    public int read(long position, ByteBuffer target) {
        synchronized (store) {
            SimulatedFileStore.Call call =
                    begin(FileCall.READ, "read " + target.remaining() + " bytes at " + position, false);
            store.end(call);
            byte[] bytes = inode.read(position, target.remaining());
            if (bytes.length > 0 && store.faults().nextReadRots(store.random())) {
                inode.flipBit(
                        position + store.random().nextInt(bytes.length),
                        store.random().nextInt(8));
                bytes = inode.read(position, bytes.length);
            }
            target.put(bytes);
            return bytes.length;
        }
    }

    @Override
    public void write(long position, ByteBuffer source) {
        synchronized (store) {
            SimulatedFileStore.Call call =
                    begin(FileCall.WRITE, "write " + source.remaining() + " bytes at " + position, true);
            int fitting = (int) fittingBytes(position, source.remaining());
            int written = (int) store.part(call, fitting);
            byte[] bytes = new byte[written];
            source.get(bytes);
            if (written > 0) {
                write(position, bytes);
            }
            store.end(call);
            if (source.hasRemaining()) {
                throw new StorageFullException(call.operation(), path, null);
            }
        }
    }

    @Override
    public void preallocate(long size) {
        synchronized (store) {
            SimulatedFileStore.Call call = begin(FileCall.PREALLOCATE, "preallocate " + size + " bytes", true);
            long old = inode.size();
            if (old < size) {
                long fitting = old + fittingBytes(old, size - old);
                inode.resize(old + store.part(call, fitting - old));
            }
            store.end(call);
            if (inode.size() < size) {
                throw new StorageFullException(call.operation(), path, null);
            }
        }
    }

    @Override
    public void truncate(long size) {
        synchronized (store) {
            if (size < 0 || size > inode.size()) {
                throw new IllegalArgumentException(
                        "can't cut " + path + " of " + inode.size() + " bytes off at " + size);
            }
            SimulatedFileStore.Call call = begin(FileCall.TRUNCATE, "cut off at " + size, true);
            if (store.hasEffect(call)) {
                inode.resize(size);
            }
            store.end(call);
        }
    }

    @Override
    public void force() {
        synchronized (store) {
            SimulatedFileStore.Call call = begin(FileCall.FORCE, "force", false);
            store.stallForForce();
            switch (call.fate()) {
                case SUCCEED -> inode.force();
                case FAIL, REFUSE_FULL, REFUSE_READ_ONLY -> inode.failForce(store.random());
                case LOSE_POWER -> {}
            }
            store.endForce(call);
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    private void write(long position, byte[] bytes) {
        switch (store.faults().nextWrite(store.random())) {
            case ARRIVE -> inode.write(position, bytes);
            case GET_LOST -> inode.lostWrite(position, bytes);
            case GO_ASTRAY -> inode.misdirectedWrite(position, elsewhere(position), bytes);
        }
    }

    /** Another place in the file (or just behind it), by whole sectors, as a wrong address would be. */
    private long elsewhere(long position) {
        Randomness random = store.random();
        long sectors = inode.size() / SECTOR + 1;
        long sector = random.nextLong(sectors);
        if (sector == position / SECTOR) {
            sector++;
        }
        return sector * SECTOR + position % SECTOR;
    }

    private long fittingBytes(long position, long length) {
        long growth = Math.max(0, position + length - inode.size());
        return Math.max(0, length - Math.max(0, growth - store.usableBytes()));
    }

    private SimulatedFileStore.Call begin(FileCall kind, String operation, boolean writes) {
        SimulatedFileStore.Call call = store.begin(kind, operation, path);
        checkOpen(operation);
        if (writes && !writable) {
            throw new NonWritableChannelException();
        }
        return call;
    }

    private void checkOpen(String operation) {
        if (closed) {
            throw new StorageException(operation, path, "the file was closed", null);
        }
    }
}
