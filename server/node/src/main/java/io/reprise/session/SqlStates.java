package io.reprise.session;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import java.util.regex.Pattern;

/**
 * The SQLSTATE of each failure. The engine's codes are coarser than SQLSTATEs, so two of them are divided by the engine's message;
 * {@code SqlStatesTest} provokes each failure.
 */
public final class SqlStates {
    /** Syntax error. */
    public static final String SYNTAX_ERROR = "42601";

    /** Feature not supported. */
    public static final String NOT_SUPPORTED = "0A000";

    /** The transaction has failed already. */
    public static final String FAILED_TRANSACTION = "25P02";

    /** There is no transaction. */
    public static final String NO_TRANSACTION = "25P01";

    /** The user may not do this. */
    public static final String NOT_PERMITTED = "42501";

    /** An answer has changed since it was given. */
    public static final String SERIALIZATION_FAILURE = "40001";

    /** A protocol violation. */
    public static final String PROTOCOL_VIOLATION = "08P01";

    /** A wrong password. */
    public static final String INVALID_PASSWORD = "28P01";

    /** An invalid text for a type. */
    public static final String INVALID_TEXT = "22P02";

    /** An unknown prepared statement. */
    public static final String UNKNOWN_STATEMENT = "26000";

    /** An unknown portal. */
    public static final String UNKNOWN_PORTAL = "34000";

    /** A savepoint of an unknown name. */
    public static final String UNKNOWN_SAVEPOINT = "3B001";

    /** A name or a value of a setting that is not valid. */
    public static final String UNKNOWN_SETTING = "42704";

    /** A value that a setting cannot have. */
    public static final String INVALID_SETTING = "22023";

    /** A canceled statement. */
    public static final String CANCELED = "57014";

    /** A limit of the program. */
    public static final String LIMIT_EXCEEDED = "54000";

    private static final Pattern NO_TABLE = Pattern.compile("there is no (table|index|view|procedure|sequence) \\S+.*");
    private static final Pattern EXISTS =
            Pattern.compile(".*there is (a|an) (table|index|view|procedure|sequence) .*already.*|"
                    + "there is a (table|index|view|sequence) \\S+; (DROP it first|choose another name).*|"
                    + ".*(table|index|view|procedure|sequence) \\S+ exists already.*");

    private SqlStates() {}

    /** The SQLSTATE of an engine's failure. */
    public static String of(ErrorCode code, String message) {
        String text = message == null ? "" : message;
        return switch (code) {
            case CONSTRAINT_VIOLATION -> constraint(text);
            case NUMERIC_OVERFLOW -> text.contains(" value of sequence ") ? "2200H" : "22003";
            case DIVISION_BY_ZERO -> "22012";
            case VALUE_TOO_LONG -> text.contains("log") ? LIMIT_EXCEEDED : "22001";
            case INVALID_VALUE -> text.contains("regular expression") ? "2201B" : INVALID_TEXT;
            case CARDINALITY -> "21000";
            case SCOPE_VIOLATION -> NOT_SUPPORTED;
            case MEMORY_LIMIT -> "53200";
            case TIME_LIMIT, CANCELED -> CANCELED;
            case USER_ABORT -> "P0001";
            case PROCEDURE_FAILURE -> "38000";
            case INVALID_REQUEST -> request(text);
            case OVERLOADED -> "53000";
            case STORAGE_UNAVAILABLE -> text.contains("read-only") ? "25006" : "53100";
            case SHUTTING_DOWN -> "57P01";
            case OUTCOME_UNKNOWN, RESULT_LOST -> "08007";
            case RESULT_TOO_LARGE -> LIMIT_EXCEEDED;
            // The partition is elsewhere, or has no leader at the moment: drivers try again.
            default -> "57P03";
        };
    }

    /** The SQLSTATE of a violated rule. */
    static String of(ErrorSubject.Kind rule) {
        return switch (rule) {
            case NOT_NULL -> "23502";
            case UNIQUE -> "23505";
            case FOREIGN_KEY -> "23503";
            case CHECK -> "23514";
        };
    }

    private static String constraint(String text) {
        if (text.contains("FOREIGN KEY") || text.contains("foreign key")) {
            return "23503";
        }
        if (text.contains("CHECK")) {
            return "23514";
        }
        return text.contains("NOT NULL") || text.contains("no value") ? "23502" : "23505";
    }

    private static String request(String text) {
        String plain = text.replaceFirst("^line \\d+, column \\d+: ", "");
        if (plain.contains("is not yet defined in this session")) {
            return "55000";
        }
        if (plain.contains("does not allow NULLs")) {
            return "23502";
        }
        if (plain.contains("GENERATED ALWAYS")) {
            return "428C9";
        }
        if (plain.contains("there is no operator")) {
            return "42883";
        }
        if (EXISTS.matcher(plain).matches()) {
            return plain.contains("column") ? "42701" : "42P07";
        }
        if (plain.contains("there is no column")
                || plain.contains("Unknown target column")
                || plain.matches("(?is).*column '.*' not found.*|.*has no column .*")) {
            return "42703";
        }
        if (plain.startsWith("there is no schema")) {
            return "3F000";
        }
        if (plain.startsWith("schema ") && plain.contains("exists already")) {
            return "42P06";
        }
        if (plain.contains("can't be dropped: it is not empty")) {
            return "2BP01";
        }
        if (NO_TABLE.matcher(plain).lookingAt()) {
            return plain.startsWith("there is no procedure") ? "42883" : "42P01";
        }
        if (plain.contains("ambiguous")) {
            return "42702";
        }
        if (plain.contains("function")) {
            return "42883";
        }
        if (plain.contains("the type of parameter")) {
            return "42P18";
        }
        if (plain.contains("cannot be compared") || plain.contains("type")) {
            return "42804";
        }
        return SYNTAX_ERROR;
    }
}
