package io.reprise.log;

/**
 * The log has a command of an earlier version where it would have to be run again. What a statement means, and how it is planned, is that
 * version's affair: run by this one it could write other rows than were acknowledged, without anybody noticing.
 */
public final class FormerCommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FormerCommandException(String file, long offset, long position, long transactionId) {
        super(
                "The log's file " + file + " has at offset " + offset + " (position " + position
                        + ") the command of transaction "
                        + Long.toHexString(transactionId) + " in format " + LogFormat.FORMER_VERSION
                        + ", and commands of an earlier version of the server can't be run again by this one, in which statements may"
                        + " mean something else: start the version that wrote it, have it make a snapshot while nobody calls it (a"
                        + " node that is stopped in order makes one), stop it, and start this one then. Nothing has been changed.");
    }
}
