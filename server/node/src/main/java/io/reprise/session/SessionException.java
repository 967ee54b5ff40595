package io.reprise.session;

/** A failure as a client of the session sees it: SQLSTATE, message, hint and position. */
public final class SessionException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String state;
    private final String hint;
    private final int position;

    /** A failure without hint and position. */
    public SessionException(String state, String message) {
        this(state, message, "", 0);
    }

    /**
     * A failure.
     *
     * @param state the SQLSTATE
     * @param hint advice; empty: none
     * @param position the character in the client's text, from 1; 0: none
     */
    public SessionException(String state, String message, String hint, int position) {
        super(message, null, false, false);
        this.state = state;
        this.hint = hint;
        this.position = position;
    }

    /** A syntax error at a character of the text, from 0. */
    static SessionException syntax(String message, int offset) {
        return new SessionException(SqlStates.SYNTAX_ERROR, message, "", offset + 1);
    }

    /** A feature that this server does not have. */
    static SessionException unsupported(String message) {
        return new SessionException(SqlStates.NOT_SUPPORTED, message);
    }

    /** The SQLSTATE. */
    public String state() {
        return state;
    }

    /** Advice; empty: none. */
    public String hint() {
        return hint;
    }

    /** The character in the client's text, from 1; 0: none. */
    public int position() {
        return position;
    }

    /** The same failure at a later place: the text was a part of a longer one. */
    SessionException movedBy(int characters) {
        return position == 0 || characters == 0
                ? this
                : new SessionException(state, getMessage(), hint, position + characters);
    }
}
