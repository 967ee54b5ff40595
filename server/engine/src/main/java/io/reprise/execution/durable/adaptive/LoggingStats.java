package io.reprise.execution.durable.adaptive;

import io.reprise.catalog.ProcedureDefinition.Logging;
import java.util.Locale;

/**
 * The logging of a procedure's transactions, and its reasons.
 *
 * @param commands transactions logged as commands
 * @param data transactions logged as data
 * @param boundaries transactions logged as boundary records
 * @param commandBytes bytes of a command, on average
 * @param dataBytes bytes of a data record, on average
 * @param boundaryBytes bytes of a boundary record, on average
 * @param commandNs expected time to run one again
 * @param chainNs expected time to run again the commands that one depends on
 * @param benefit expected replay nanoseconds that a data record saves for each byte, if its rows are not written again soon
 * @param boundaryBenefit the same of a boundary record
 * @param threshold the benefit from which transactions are not logged as commands at present
 */
public record LoggingStats(
        long commands,
        long data,
        long boundaries,
        double commandBytes,
        double dataBytes,
        double boundaryBytes,
        double commandNs,
        double chainNs,
        double benefit,
        double boundaryBenefit,
        double threshold) {
    private static final double US_NS = 1e3;

    /** The number of transactions. */
    public long records() {
        return commands + data + boundaries;
    }

    /**
     * The reason for the present form.
     *
     * @param pinned the form that the procedure's definition gives
     */
    public String reason(Logging pinned) {
        return switch (pinned) {
            case COMMAND -> "LOGGED AS COMMAND";
            case DATA -> "LOGGED AS DATA";
            case AS_CONFIGURED -> chosenBecause();
        };
    }

    private String chosenBecause() {
        if (data == 0) {
            return "no data record has been measured yet";
        }
        if (boundaryBenefit > Math.max(0, benefit)) {
            return String.format(
                    Locale.ROOT,
                    "a boundary record saves %.3f ns of a recovery for each byte, a data record %.3f ns; the budget has room from"
                            + " %.3f ns on",
                    boundaryBenefit,
                    benefit,
                    threshold);
        }
        if (benefit <= 0) {
            return String.format(
                    Locale.ROOT,
                    "the commands behind it run again in %.1f us, faster than a data record is stored again",
                    chainNs / US_NS);
        }
        return String.format(
                Locale.ROOT,
                "a data record saves %.3f ns of a recovery for each byte; the budget has room from %.3f ns on",
                benefit,
                threshold);
    }
}
