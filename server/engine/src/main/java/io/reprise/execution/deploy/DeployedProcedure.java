package io.reprise.execution.deploy;

import io.reprise.procedure.Binding;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;

/**
 * One version of a procedure made from a class: checked, woven and loaded.
 *
 * @param name the procedure's name
 * @param className the class's name
 * @param signature its parameters and result
 * @param invoker calls it
 * @param loader loaded it, and has its class files
 */
public record DeployedProcedure(
        String name, String className, ProcedureSignature signature, Invoker invoker, ProcedureLoader loader) {
    /** Initialises its classes, before any transaction needs one; an initialiser that fails is the procedure's failure. */
    public void initialise() {
        try {
            loader.initialise();
        } catch (VerifyError | ClassFormatError e) {
            // The JVM looks at code only now, before any of it runs.
            throw ClassDamage.refusalBy(className, e);
        } catch (LinkageError | StackOverflowError e) {
            throw new ProcedureException(
                    ErrorCode.PROCEDURE_FAILURE,
                    "procedure " + name + " can't be deployed: a static initialiser of what it uses threw " + causeOf(e)
                            + ProcedureLoader.lineOf(causeOf(e))
                                    .map(line -> " at " + line)
                                    .orElse(""));
        }
    }

    private static Throwable causeOf(Throwable thrown) {
        return thrown instanceof ExceptionInInitializerError && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /** Makes an instance for a partition; a constructor that fails is the procedure's failure, not the engine's. */
    public Procedure create(Binding binding) {
        try {
            return binding.during(invoker::create);
        } catch (ProcedureException e) {
            throw e;
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            throw new ProcedureException(
                    ErrorCode.PROCEDURE_FAILURE,
                    "an instance of procedure " + name + " can't be made: the constructor of class " + className
                            + " threw " + causeOf(e));
        }
    }
}
