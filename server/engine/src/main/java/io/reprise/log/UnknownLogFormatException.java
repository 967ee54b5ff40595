package io.reprise.log;

/**
 * The log was written by another version of the server, in a form that this one doesn't know. It is not taken for damaged, nor for the
 * rest of an earlier use of its file: what it holds may have been acknowledged.
 */
public final class UnknownLogFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownLogFormatException(String file, int version) {
        super("The log's file " + file + " has format " + version + ", and this server reads formats "
                + LogFormat.FORMER_VERSION + " and " + LogFormat.VERSION
                + ". Start the version of the server that wrote it. Nothing has been changed.");
    }
}
