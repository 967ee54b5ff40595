package io.reprise.sql.bind;

import io.reprise.catalog.Suggestions;
import io.reprise.sql.grammar.RefusedSyntaxException;
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
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Turns Calcite's failures into ours: one line, with the place and what was expected. */
public final class PlanningErrors {
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
    private static final Pattern UNKNOWN_TABLE = Pattern.compile("^(?:Object|Table) '(.+?)' not found");

    /** Marks of texts that were written for those who work on Calcite. */
    private static final Pattern INTERNAL = Pattern.compile(
            "\\b(?:java|org)\\.\\w+\\.|\\b(?:Rel|Rex|Sql|Logical)[A-Z]\\w|@[0-9a-f]{4,}|\\bnull\\b|out of bounds|enumeration"
                    + "|expected non-null|not subset|[Aa]ssert|\\$[A-Za-z_]|^$");

    private static final String NOT_PLANNED =
            "the statement is not supported in this form: write it another way, such as with its sub-queries apart";

    private static final int EXPECTED_SHOWN = 10;
    private static final String NAME = "a name";

    private PlanningErrors() {}

    static SqlPlanningException at(SqlParserPos position, String message) {
        return new SqlPlanningException(message, position.getLineNum(), position.getColumnNum());
    }

    static SqlPlanningException ambiguousOrder(SqlIdentifier name) {
        return at(
                name.getParserPosition(),
                name.getSimple() + " is ambiguous in ORDER BY: several columns have this name; write the table's name"
                        + " in front of it, or the number of a column");
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
        } else if (e.getCause() instanceof RefusedSyntaxException refused) {
            return at(refused.position(), refused.getMessage());
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
            String said = firstLine(message).replaceAll(" at line \\d+, column \\d+\\.?$", "");
            return at(
                    position,
                    INTERNAL.matcher(said).find()
                            ? "syntax error: this is not supported here"
                            : "syntax error: " + said);
        }
        String token = encountered.group(1) == null
                ? encountered.group(2)
                : encountered.group(1).replace("\" \"", " ").trim();
        String found = token.equals("<EOF>") || token.isEmpty() ? "end of statement" : "\"" + token + "\"";
        return at(position, "syntax error: unexpected " + found + expected(e, token));
    }

    /**
     * The tokens that were expected: words of the grammar by their own names, kinds of tokens in our words. If a name
     * was expected and a reserved word found, the message says how to quote it.
     */
    private static String expected(SqlParseException e, String found) {
        Set<String> words = new TreeSet<>();
        Set<String> literals = new TreeSet<>();
        for (String word : e.getExpectedTokenNames() == null ? List.<String>of() : e.getExpectedTokenNames()) {
            String plain = word.replace("\"", "");
            if (!plain.startsWith("<")) {
                words.add(plain.equals(",") ? "a comma" : plain);
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

    /**
     * The advice to quote a reserved word that was found in place of a name, or without the parenthesis of a
     * function.
     */
    private static String quoted(String found, Set<String> expected) {
        String last = found.substring(found.lastIndexOf(' ') + 1).toUpperCase(Locale.ROOT);
        String first = found.substring(0, Math.max(0, found.indexOf(' '))).toUpperCase(Locale.ROOT);
        String word = expected.contains(NAME) ? last : expected.contains("(") ? first : "";
        return ReservedWords.contains(word)
                ? word + " is a reserved word; where it is meant as a name, quote it: \"" + word + "\""
                : "";
    }

    /** A refusal of Calcite's validator; {@code tables} are the names of the tables that there are. */
    static SqlPlanningException of(CalciteContextException e, Set<String> tables) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = firstLine(String.valueOf(cause.getMessage()));
        return new SqlPlanningException(inOurWords(message, tables), e.getPosLine(), e.getPosColumn());
    }

    private static String inOurWords(String message, Set<String> tables) {
        Matcher unknown = UNKNOWN_FUNCTION.matcher(message);
        Matcher table = UNKNOWN_TABLE.matcher(message);
        Matcher cast = CAST.matcher(message);
        if (unknown.find()) {
            return SupportedFunctions.unknown(unknown.group(1));
        } else if (table.find()) {
            return noTable(table.group(1), tables);
        } else if (cast.find()) {
            return SupportedCasts.refusal(cast.group(1), cast.group(2));
        } else if (message.startsWith(SEVERAL_COLUMNS)) {
            return "a sub-query in place of a value has one column, but this one has several";
        } else if (SUBTRACTED_TIME.matcher(message).find()) {
            return "a time can't be subtracted from another: write DATEDIFF(unit, from, to)";
        }
        return INTERNAL.matcher(message).find() ? NOT_PLANNED : message;
    }

    /** Whether a node begins within the text that an error is about. */
    static boolean isWithin(CalciteContextException refused, SqlNode node) {
        int line = node.getParserPosition().getLineNum();
        int column = node.getParserPosition().getColumnNum();
        return (line > refused.getPosLine() || line == refused.getPosLine() && column >= refused.getPosColumn())
                && (line < refused.getEndPosLine()
                        || line == refused.getEndPosLine() && column <= refused.getEndPosColumn());
    }

    /** The message for a table that a column can't be taken from: it is not there, or FROM doesn't name it where it is used. */
    public static String noTable(String name, Set<String> tables) {
        if (tables.stream().anyMatch(name::equalsIgnoreCase)) {
            return "table " + name
                    + " can't be used here: FROM doesn't name it, or names it on the other side of a comma,"
                    + " which binds less than JOIN; write CROSS JOIN for the comma";
        }
        return "there is no table " + name + Suggestions.didYouMean(name, tables);
    }

    /** The refusal that stands for any exception of planning. One that is not meant for users is its cause, and is not shown. */
    public static SqlPlanningException of(Throwable e, Set<String> tables) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SqlPlanningException planning) {
                return planning;
            } else if (cause instanceof CalciteContextException context) {
                return of(context, tables);
            } else if (cause instanceof StackOverflowError) {
                return tooDeep();
            }
        }
        return new SqlPlanningException(NOT_PLANNED).from(e);
    }

    public static SqlPlanningException tooDeep() {
        return new SqlPlanningException("the statement is nested too deeply to be planned: split it");
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end);
        return line.strip();
    }
}
