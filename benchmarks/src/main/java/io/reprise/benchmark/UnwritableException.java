package io.reprise.benchmark;

import java.io.IOException;
import java.nio.file.AccessDeniedException;

/** A file or folder could not be written: the machine's affair, not the benchmark's, so no stack trace is shown. */
final class UnwritableException extends RuntimeException {
    UnwritableException(String what, IOException cause) {
        super(what + ", which can't be written: " + reason(cause), cause);
    }

    private static String reason(IOException cause) {
        if (cause instanceof AccessDeniedException) {
            return "permission denied; run it as a user who may write there, or change the permissions";
        }
        return cause.getMessage() + "; free some space or make the folder writable, and run it again";
    }
}
