package io.reprise.command;

/** No node is at work in a data directory. The command ends with {@link RepriseCommand#NOT_RUNNING}. */
final class NotRunningException extends IllegalStateException {
    NotRunningException(String message) {
        super(message);
    }
}
