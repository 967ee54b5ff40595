package io.reprise.session;

/**
 * A message beside the answer of a statement.
 *
 * @param severity NOTICE or WARNING
 * @param state the SQLSTATE
 * @param message its text
 */
public record Notice(String severity, String state, String message) {
    static Notice warning(String state, String message) {
        return new Notice("WARNING", state, message);
    }

    static Notice notice(String message) {
        return new Notice("NOTICE", "00000", message);
    }
}
