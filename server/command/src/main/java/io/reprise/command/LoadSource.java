package io.reprise.command;

import java.io.IOException;
import java.util.List;

/** The records of a file that is loaded. Owned by the thread that reads them. */
interface LoadSource {
    /** Reads the next record. Returns whether there is one. */
    boolean read() throws IOException;

    /** The line on which it begins, from 1; without lines its number. */
    long line();

    /** The line behind it. */
    long nextLine();

    /** The record as the file of rejects has it. */
    String text();

    /** Whether it is only an empty line. */
    boolean isBlank();

    /** Converts its values for these columns. Throws IllegalArgumentException with the reason if one does not fit. */
    void values(List<ColumnText> columns, Object... into);
}
