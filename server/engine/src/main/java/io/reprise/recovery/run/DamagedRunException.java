package io.reprise.recovery.run;

/**
 * A run of the log can't give the records of a bucket, and the log can't take its place record by record: it has commands instead of their
 * images, or it was used again. The stretch can be replayed as a whole if the log has it.
 */
public final class DamagedRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long id;

    /** Names the bucket and the reason. */
    DamagedRunException(LogRun run, int bucket, RuntimeException cause) {
        super(
                "The run of the log from position " + run.begin() + " to " + run.end()
                        + " can't give the records of bucket " + bucket + ": " + cause.getMessage(),
                cause);
        id = run.id();
    }

    /** The number by which the run is known. */
    public long id() {
        return id;
    }
}
