package io.reprise.log;

/** Printer of the payloads of some kinds of records. The package that knows these kinds implements it. */
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
