package io.reprise.session;

/** A failure as a client of the session sees it: SQLSTATE, message and further fields. */
public final class SessionException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String state;
    private final transient ErrorFields fields;

    /** A failure without further fields. */
    public SessionException(String state, String message) {
        this(state, message, ErrorFields.NONE);
    }

    /**
     * A failure.
     *
     * @param state the SQLSTATE
     * @param hint advice; empty: none
     * @param position the character in the client's text, from 1; 0: none
     */
    public SessionException(String state, String message, String hint, int position) {
        this(state, message, ErrorFields.NONE.withHint(hint).withPosition(position));
    }

    /** A failure with fields. */
    public SessionException(String state, String message, ErrorFields fields) {
        super(message, null, false, false);
        this.state = state;
        this.fields = fields;
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

    /** The further fields. */
    public ErrorFields fields() {
        return fields;
    }

    /** Advice; empty: none. */
    public String hint() {
        return fields.hint();
    }

    /** The character in the client's text, from 1; 0: none. */
    public int position() {
        return fields.position();
    }

    /** The same failure at a later place: the text was a part of a longer one. */
    SessionException movedBy(int characters) {
        return position() == 0 || characters == 0
                ? this
                : new SessionException(state, getMessage(), fields.withPosition(position() + characters));
    }

    /** The same failure in a context, such as the line of a COPY. */
    SessionException in(String where) {
        return new SessionException(state, getMessage(), fields.withWhere(where));
    }
}
