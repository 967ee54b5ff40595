package io.reprise.engine;

import io.reprise.catalog.ProcedureDefinition.Logging;
import io.reprise.execution.Work;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.LoggingStats;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The answer to EXPLAIN LOGGING: the form of the log records of a procedure or a statement, and its reasons. */
final class LoggingExplanation {
    private static final String EXPLAIN = "EXPLAIN";
    private static final Pattern FORM = Pattern.compile(
            "\\s*EXPLAIN\\s+LOGGING\\s+(?:PROCEDURE\\s+\"?([\\p{L}\\p{N}_$]+)\"?\\s*;?\\s*|(\\S.*))",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private LoggingExplanation() {}

    /**
     * The subject of the question.
     *
     * @param procedure its name; null if a statement is meant
     * @param statement its text; null if a procedure is meant
     */
    record Subject(String procedure, String statement) {}

    /** The statistics of a version's transactions, with several partitions or with one. */
    interface Statistics {
        /** Empty if the method is not adaptive. */
        Optional<LoggingStats> of(int version, boolean distributed);
    }

    /** The subject, if the text is such a question. */
    static Optional<Subject> subject(String text) {
        String question = text.stripLeading();
        if (!question.regionMatches(true, 0, EXPLAIN, 0, EXPLAIN.length())) {
            return Optional.empty();
        }
        Matcher form = FORM.matcher(text);
        return form.matches() ? Optional.of(new Subject(form.group(1), form.group(2))) : Optional.empty();
    }

    /**
     * The answer.
     *
     * @param method the configured one; null for an engine without a log
     */
    static String of(Work work, boolean isProcedure, LoggingMethod method, Statistics statistics) {
        if (work.readOnly()) {
            return "It writes nothing, so it leaves no log records.";
        }
        if (method == null) {
            return "The engine has no directory, so it has no log.";
        }
        String pin = work.logging() == Logging.AS_CONFIGURED
                ? ""
                : "Each transaction is logged as " + word(work.logging() == Logging.DATA)
                        + ": the procedure, or a table that it writes, is LOGGED AS " + work.logging() + ".";
        if (!pin.isEmpty() && (method != LoggingMethod.ADAPTIVE || !isProcedure)) {
            return pin;
        }
        if (method == LoggingMethod.BOUNDARY && work.hasAnswers()) {
            return "Each transaction of one partition is logged as a command. One of several partitions is logged as a command with the"
                    + " answers from elsewhere and the changes there: log.method is boundary.";
        }
        if (method != LoggingMethod.ADAPTIVE) {
            return "Each transaction is logged as " + word(method == LoggingMethod.PHYSIOLOGICAL) + ": log.method is "
                    + method.name().toLowerCase(Locale.ROOT) + ".";
        }
        if (!isProcedure) {
            return "Each transaction is logged as data or as a command: log.method is adaptive. A procedure has figures of its own.";
        }
        StringBuilder answer =
                new StringBuilder(pin.isEmpty() ? "The form is chosen at each commit: log.method is adaptive." : pin);
        for (boolean distributed : new boolean[] {false, true}) {
            statistics
                    .of(work.version(), distributed)
                    .filter(stats -> stats.records() > 0)
                    .ifPresent(stats -> answer.append('\n').append(line(stats, work.logging(), distributed)));
        }
        return answer.toString();
    }

    private static String word(boolean data) {
        return data ? "data" : "a command";
    }

    private static String line(LoggingStats stats, Logging pinned, boolean distributed) {
        String boundaries = stats.boundaries() == 0
                ? ""
                : String.format(
                        Locale.ROOT, ", %d boundary records of %.1f bytes", stats.boundaries(), stats.boundaryBytes());
        return String.format(
                Locale.ROOT,
                "Transactions of %s: %d commands of %.1f bytes, %d data records of %.1f bytes%s; %s.",
                distributed ? "several partitions" : "one partition",
                stats.commands(),
                stats.commandBytes(),
                stats.data(),
                stats.dataBytes(),
                boundaries,
                stats.reason(pinned));
    }
}
