package io.reprise.archive;

import java.lang.foreign.MemorySegment;

/** An object on its way into an {@link ObjectStore}. One thread. */
public interface ObjectUpload extends AutoCloseable {
    /** Writes bytes behind those before. */
    void write(MemorySegment bytes);

    /** Makes the object appear; it is on stable storage when this returns. */
    void complete();

    /** Drops the object unless it is complete. */
    @Override
    void close();
}
