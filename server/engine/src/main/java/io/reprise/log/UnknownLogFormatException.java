package io.reprise.log;

/**
 * A log segment in a format that this server does not read. The log is not damaged, and it may hold acknowledged transactions,
 * so the server refuses to open it and changes nothing.
 */
public final class UnknownLogFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownLogFormatException(String file, int version) {
        super("The log's file " + file + " has format " + version + ", and this server reads format "
                + LogFormat.VERSION
                + " only. Start the version of the server that wrote it. Nothing has been changed.");
    }
}
