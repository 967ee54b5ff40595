package io.reprise.procedure;

/**
 * The failure of a statement that found several rows in the order of storage. The failure is certain; the error is
 * not, if more than one row has one. So it tells the engine who asks: a replay may get another error, and must not
 * write something else because of it. Used by the engine, not by procedures.
 */
public final class UndeterminedFailure extends ProcedureException {
    private static final long serialVersionUID = 1L;
    private final transient Runnable whenAsked;

    /** For the server: the same failure, with what is to be done when it is asked for its code or message. */
    public UndeterminedFailure(ProcedureException failure, Runnable whenAsked) {
        super(failure.code(), failure.getMessage(), failure.subject());
        this.whenAsked = whenAsked;
    }

    @Override
    void asked() {
        whenAsked.run();
    }

    @Override
    public String getMessage() {
        asked();
        return super.getMessage();
    }
}
