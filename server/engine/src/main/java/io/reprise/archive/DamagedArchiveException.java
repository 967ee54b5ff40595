package io.reprise.archive;

/** An object of the archive is not what was written, or one that is needed is missing. */
public final class DamagedArchiveException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A damage or a gap, as a sentence. */
    public DamagedArchiveException(String message) {
        super(message);
    }
}
