package io.reprise.execution.deploy;

import io.reprise.procedure.Procedure;

/**
 * Calls one procedure class's {@code run} method. The subclasses are generated, one for each deployed procedure, so that
 * a call boxes nothing and needs no reflection. Stateless.
 */
public abstract class Invoker {
    /** For generated classes. */
    protected Invoker() {}

    /**
     * Runs the procedure.
     *
     * @param procedure an instance of the class that this invoker was made for
     * @param arguments checked by {@link ProcedureSignature#check}
     * @param sink gets the result
     */
    public abstract void invoke(Procedure procedure, Arguments arguments, ResultSink sink);
}
