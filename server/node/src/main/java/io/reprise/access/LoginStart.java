package io.reprise.access;

/** The next step of a login of which the password is not known yet. */
public sealed interface LoginStart {
    /** The login is decided: by a certificate, or because its address has to wait. */
    record Decided(LoginOutcome outcome) implements LoginStart {}

    /** The server needs the password itself. */
    record Password() implements LoginStart {}

    /** The client proves that it knows the password. */
    record Scram(ScramExchange exchange) implements LoginStart {}
}
