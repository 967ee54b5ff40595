package io.reprise.log;

/** Says in words what the payload of some kinds of records says; implemented by whoever knows these kinds. */
@FunctionalInterface
public interface PayloadPrinter {
    /** Shows no payloads. */
    PayloadPrinter NONE = (records, to) -> {};

    /**
     * Appends what the payload of the current record says, without a line break; nothing for kinds that it doesn't
     * know.
     */
    void print(LogRecords records, StringBuilder to);
}
