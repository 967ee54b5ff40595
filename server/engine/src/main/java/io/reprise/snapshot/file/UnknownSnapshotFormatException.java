package io.reprise.snapshot.file;

/** A snapshot was written by another version of the server, in a form that this one doesn't know. */
public final class UnknownSnapshotFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says which file has which format. */
    public UnknownSnapshotFormatException(String path, int format, int known) {
        super("The snapshot file " + path + " has format " + format + ", and this server reads format " + known
                + ". Start the version of the server that wrote it.");
    }
}
