package io.reprise.sql.plan;

import io.reprise.sql.parse.ReservedWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Turns Calcite's failures into ours: one line, with the place and what was expected. */
final class PlanningErrors {
    private static final Pattern ENCOUNTERED =
            Pattern.compile("(?s)^(?:Encountered \"(.*?)\"|Incorrect syntax near the keyword '(.*?)') at line");
    private static final Pattern UNKNOWN_CHARACTER = Pattern.compile("Lexical error at .*Encountered: (\".*?\"|<EOF>)");
    private static final String SEVERAL_COLUMNS = "Cannot apply '$SCALAR_QUERY'";
    private static final Pattern SUBTRACTED_TIME = Pattern.compile(
            "^Cannot apply '-' to arguments of type '<(?:TIMESTAMP\\(\\d\\)|DATE)> - <(?:TIMESTAMP|DATE)");
    private static final Pattern CAST = Pattern.compile(
            "Cast function cannot convert value of type (.+?)(?: NOT NULL)? to type (.+?)(?: NOT NULL)?$");
    private static final Pattern UNKNOWN_FUNCTION =
            Pattern.compile("No match found for function signature (\\S+?)\\((.*)\\)");
    static final String STATEMENTS = "SELECT, WITH, VALUES, INSERT, UPSERT, UPDATE, DELETE, TRUNCATE or EXPLAIN";
    private static final int EXPECTED_SHOWN = 10;
    private static final String NAME = "a name";

    private PlanningErrors() {}

    static SqlPlanningException at(SqlParserPos position, String message) {
        return new SqlPlanningException(message, position.getLineNum(), position.getColumnNum());
    }

    /** The refusal of a parameter whose type can't be told. */
    static SqlPlanningException untyped(SqlDynamicParam parameter) {
        return at(
                parameter.getParserPosition(),
                "the type of parameter " + (parameter.getIndex() + 1)
                        + " does not follow from the context: write CAST(? AS type)");
    }

    /** Whether a parameter that has no type may be why a statement is refused, if there is one at the place. */
    static boolean mayBeOfUntyped(CalciteContextException e) {
        String message = String.valueOf(
                e.getCause() == null ? e.getMessage() : e.getCause().getMessage());
        Matcher unknown = UNKNOWN_FUNCTION.matcher(message);
        return unknown.find()
                ? SupportedFunctions.isKnown(unknown.group(1))
                : message.contains("UNKNOWN")
                        || message.contains("dynamic parameter")
                        || message.contains("Illegal mixing of types")
                        || message.contains("compatible types");
    }

    static SqlPlanningException of(SqlParseException e) {
        if (e.getCause() instanceof SqlPlanningException ours) {
            return ours;
        }
        SqlParserPos position = e.getPos() == null ? SqlParserPos.ZERO : e.getPos();
        String message = e.getMessage();
        if (message == null || e.getCause() instanceof StackOverflowError) {
            return tooDeep();
        }
        Matcher encountered = ENCOUNTERED.matcher(message);
        if (message.contains("Non-query expression")) {
            return at(position, "syntax error: expected " + STATEMENTS);
        }
        Matcher character = UNKNOWN_CHARACTER.matcher(message);
        if (character.find()) {
            return at(
                    position,
                    character.group(1).equals("<EOF>")
                            ? "syntax error: a quote or a comment is not closed"
                            : "syntax error: unexpected " + character.group(1)
                                    + ": strings stand in single quotes, names that need it in double ones");
        } else if (!encountered.find()) {
            return at(
                    position, "syntax error: " + firstLine(message).replaceAll(" at line \\d+, column \\d+\\.?$", ""));
        }
        String token = encountered.group(1) == null
                ? encountered.group(2)
                : encountered.group(1).replace("\" \"", " ").trim();
        String found = token.equals("<EOF>") || token.isEmpty() ? "end of statement" : "\"" + token + "\"";
        return at(position, "syntax error: unexpected " + found + expected(e, token));
    }

    /**
     * What could have stood there: tokens of the grammar by their own names, kinds of tokens in our words. Where it could
     * have been a name, and the last of those found is a reserved word, how that is written as one.
     */
    private static String expected(SqlParseException e, String found) {
        Set<String> words = new TreeSet<>();
        Set<String> literals = new TreeSet<>();
        for (String word : e.getExpectedTokenNames() == null ? List.<String>of() : e.getExpectedTokenNames()) {
            String plain = word.replace("\"", "");
            if (!plain.startsWith("<")) {
                words.add(plain);
            } else if (plain.equals("<IDENTIFIER>")) {
                words.add(NAME);
            } else if (plain.endsWith("_LITERAL>")) {
                literals.add(plain.contains("STRING") ? "a string" : "a number");
            }
        }
        // Calcite's word for a name in a select list.
        words.remove("MEASURE");
        String quoted = quoted(found, words);
        if (!words.contains(NAME)) {
            words.addAll(literals);
        } else if (!literals.isEmpty()) {
            return ": expected an expression" + (quoted.isEmpty() ? "" : "; " + quoted);
        } else if (!quoted.isEmpty() && words.size() > EXPECTED_SHOWN) {
            return ": " + quoted;
        }
        if (words.isEmpty()) {
            return "";
        }
        List<String> shown = new ArrayList<>(words).subList(0, Math.min(EXPECTED_SHOWN, words.size()));
        return ": expected " + String.join(", ", shown) + (words.size() > EXPECTED_SHOWN ? ", ..." : "")
                + (quoted.isEmpty() ? "" : "; " + quoted);
    }

    /** How a reserved word is written as a name, where one is found instead of a name, or without the parenthesis of a function. */
    private static String quoted(String found, Set<String> expected) {
        String last = found.substring(found.lastIndexOf(' ') + 1).toUpperCase(Locale.ROOT);
        String first = found.substring(0, Math.max(0, found.indexOf(' '))).toUpperCase(Locale.ROOT);
        String word = expected.contains(NAME) ? last : expected.contains("(") ? first : "";
        return ReservedWords.contains(word)
                ? word + " is a reserved word; where it is meant as a name, quote it: \"" + word + "\""
                : "";
    }

    static SqlPlanningException of(CalciteContextException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = firstLine(String.valueOf(cause.getMessage()));
        Matcher unknown = UNKNOWN_FUNCTION.matcher(message);
        if (unknown.find()) {
            message = SupportedFunctions.unknown(unknown.group(1));
        }
        if (message.startsWith(SEVERAL_COLUMNS)) {
            message = "a sub-query in place of a value has one column, but this one has several";
        } else if (SUBTRACTED_TIME.matcher(message).find()) {
            message = "a time can't be subtracted from another: write DATEDIFF(unit, from, to)";
        }
        Matcher cast = CAST.matcher(message);
        if (cast.find()) {
            message = SupportedCasts.refusal(cast.group(1), cast.group(2));
        }
        return new SqlPlanningException(message, e.getPosLine(), e.getPosColumn());
    }

    static SqlPlanningException of(RuntimeException e) {
        if (e instanceof SqlPlanningException planning) {
            return planning;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CalciteContextException context) {
                return of(context);
            } else if (cause instanceof StackOverflowError) {
                return tooDeep();
            }
        }
        return new SqlPlanningException("the statement is not supported: " + firstLine(String.valueOf(e.getMessage())));
    }

    static SqlPlanningException tooDeep() {
        return new SqlPlanningException("the statement is nested too deeply to be planned: split it");
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end);
        return line.strip();
    }
}
