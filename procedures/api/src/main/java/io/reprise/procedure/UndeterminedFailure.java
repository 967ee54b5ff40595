package io.reprise.procedure;

/**
 * The failure of a statement that found several rows in an order which is that of storage. That it failed is certain; with which
 * error is not, if more than one row has one. So it tells the engine who asks: a replay may be told another one, and must not write
 * something else for that. The engine's own, not for procedures.
 */
public final class UndeterminedFailure extends ProcedureException {
    private static final long serialVersionUID = 1L;
    private final transient Runnable whenAsked;

    /** For the server: the same failure, with what is to be done when it is asked for its code or message. */
    public UndeterminedFailure(ProcedureException failure, Runnable whenAsked) {
        super(failure.code(), failure.getMessage());
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
