package io.reprise.client;

/**
 * The login of a client.
 *
 * @param user the name
 * @param password the password, which {@link #toString} leaves out
 * @param inTheClear whether the password may be sent to another machine without TLS
 */
public record Credentials(String user, String password, boolean inTheClear) {
    private static final int MOST_NAME = 64;
    private static final int MOST_PASSWORD = 1000;

    /** Refuses what no server takes. */
    public Credentials {
        if (user.isEmpty() || user.length() > MOST_NAME || password.length() > MOST_PASSWORD) {
            throw new IllegalArgumentException("a user's name has 1 to " + MOST_NAME + " characters, and a password "
                    + MOST_PASSWORD + " at most");
        }
    }

    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
