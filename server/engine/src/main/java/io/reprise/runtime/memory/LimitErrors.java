package io.reprise.runtime.memory;

/**
 * The exceptions by which a limit of memory ends a transaction. The layer above makes them, in the terms of its callers; this
 * package only throws them. The owner of a limit keeps the exception that it threw, so that a transaction can't go on after it.
 */
public interface LimitErrors {
    /** The transaction needs more memory than it may take. */
    RuntimeException memoryLimit(String message);

    /** The result of the transaction is larger than its receiver takes. */
    RuntimeException resultTooLarge(String message);
}
