package io.reprise.benchmark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes and forces a small block, as a log on its own would: into a file whose zeros are on disk, so that no metadata changes. */
public final class BareForce implements AutoCloseable {
    private static final int BLOCK = 512;
    private static final int PREALLOCATED = 64 << 20;

    private final FileChannel file;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);

    public BareForce(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
        for (int i = 0; i < PREALLOCATED; i += zeros.capacity()) {
            file.write(zeros.clear(), i);
        }
        file.force(true);
        file.position(0);
    }

    /** Writes and forces the next block. */
    public void force() throws IOException {
        if (file.position() + BLOCK > PREALLOCATED) {
            file.position(0);
        }
        file.write(block.clear());
        file.force(false);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
