package io.reprise.command;

import java.io.IOException;
import java.util.List;

/** A file that is loaded: the names of its columns, and its records. */
interface LoadFile extends AutoCloseable {
    /** The names of its columns, in the order of the values. */
    List<String> names();

    /** The records. */
    LoadSource records();

    /** The part that has been read, of {@link #size}. */
    long position();

    /** The whole of it, in the unit of {@link #position}. */
    long size();

    @Override
    void close() throws IOException;
}
