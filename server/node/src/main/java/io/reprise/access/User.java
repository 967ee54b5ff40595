package io.reprise.access;

import java.util.Optional;

/**
 * A user who may connect.
 *
 * @param name the user's name
 * @param rights the user's rights
 * @param password its hash; empty for the node's token, which is not in the file of users
 * @param scram the verifier for logins by SCRAM; empty: the user sends the password
 */
public record User(String name, Rights rights, Optional<PasswordHash> password, Optional<ScramVerifier> scram) {
    /** A user without a verifier for SCRAM. */
    public User(String name, Rights rights, Optional<PasswordHash> password) {
        this(name, rights, password, Optional.empty());
    }

    /** The name under which the node's token is shown; no user can have it. */
    public static final String TOKEN_NAME = ".node";

    /** The reader of the node's data directory, to whom everything is open anyway. */
    static final User OWNER = new User(TOKEN_NAME, Rights.ALL, Optional.empty());

    /** Refuses a name that could be mistaken for something else where it is written. */
    public static String checkedName(String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException("'" + name + "' can't be a user's name: it has up to 64 letters, digits,"
                    + " '.', '_', '@' and '-', and begins with a letter or digit");
        }
        return name;
    }

    /** Whether this is a valid user name. */
    static boolean isName(String name) {
        return name.matches("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
    }
}
