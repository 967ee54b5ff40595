package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Position;
import io.reprise.catalog.SearchPath;
import io.reprise.sql.parse.SqlScript;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

/**
 * From text to syntax tree. EXPLAIN and TRUNCATE are recognised here, since Calcite's core grammar writes the one
 * differently and lacks the other.
 */
public final class StatementParser {
    static final SqlParser.Config CONFIG = SqlParser.config()
            .withQuoting(Quoting.DOUBLE_QUOTE)
            .withUnquotedCasing(Casing.TO_UPPER)
            .withQuotedCasing(Casing.UNCHANGED)
            .withCaseSensitive(true)
            .withConformance(SqlConformanceEnum.BABEL)
            .withParserFactory(ExtendedGrammar.FACTORY);

    /** Possessive, since what could be given back is kept on the stack, for each blank. */
    private static final String SKIPPED = "(?:\\s|--[^\\n]*(?:\\n|\\z)|/\\*(?s:.)*?\\*/)*+";

    /** A name, in the first group in quotes, in the second without. */
    private static final String NAME = "(?:\"((?:[^\"]|\"\")++)\"|([\\w$\\P{ASCII}]+))";

    private static final Pattern EXPLAIN =
            Pattern.compile("^" + SKIPPED + "(EXPLAIN(?:\\s+PLAN)?(?:\\s+FOR)?)(?=[\\s(/-])", Pattern.CASE_INSENSITIVE);
    private static final Pattern TRUNCATE = Pattern.compile(
            "^" + SKIPPED + "TRUNCATE\\b" + SKIPPED + "(?:TABLE\\b" + SKIPPED + ")?+" + NAME + SKIPPED + "(?:\\."
                    + SKIPPED + NAME + SKIPPED + ")?+$",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern FIRST_WORD = Pattern.compile("^" + SKIPPED + "([A-Za-z_]\\w*)");
    private static final Set<String> BEGINNINGS =
            Set.of("SELECT", "WITH", "VALUES", "TABLE", "INSERT", "UPSERT", "UPDATE", "DELETE", "MERGE");

    private StatementParser() {}

    /** A parsed text. */
    public sealed interface Parsed {
        /** Whether EXPLAIN stood in front of it. */
        boolean explain();
    }

    /** TRUNCATE TABLE: the name of a table, perhaps behind that of its schema. */
    public record Truncation(List<String> names, SearchPath path, boolean explain) implements Parsed {
        /** The catalog's name of the table. */
        public String table(Catalog catalog) {
            return TableReferences.relation(catalog, path, names, SqlParserPos.ZERO);
        }
    }

    /** Everything else. */
    public record Syntax(SqlNode node, SearchPath path, boolean explain) implements Parsed {}

    /** Parses one statement; a semicolon at its end is allowed. */
    public static Parsed parse(String sql) {
        String text = withoutEnd(sql);
        SearchPath path = SearchPath.DEFAULT;
        if (hasPath(text)) {
            SqlScript.Path clause = path(text);
            path = clause.path();
            text = text.substring(0, clause.begin()).replaceAll("\\S", " ") + text.substring(clause.begin());
        }
        Matcher explain = EXPLAIN.matcher(text);
        boolean explained = explain.find();
        if (explained) {
            // Blanks keep the places in error messages right.
            text = text.substring(0, explain.start(1))
                    + explain.group(1).replaceAll("\\S", " ")
                    + text.substring(explain.end(1));
        }
        Matcher truncate = TRUNCATE.matcher(text);
        if (truncate.matches()) {
            String first = name(truncate, 1);
            String second = name(truncate, 3);
            return new Truncation(second == null ? List.of(first) : List.of(first, second), path, explained);
        }
        if (text.isBlank()) {
            throw new SqlPlanningException("there is no statement in the text: expected " + PlanningErrors.STATEMENTS);
        }
        checkBeginning(text);
        checkSlashes(text);
        try {
            return new Syntax(
                    SqlParser.create(TimeUnitWords.marked(text), CONFIG).parseStmt(), path, explained);
        } catch (SqlParseException e) {
            PlanningLimit.rethrow(e);
            throw PlanningErrors.of(e);
        } catch (StackOverflowError e) {
            throw PlanningErrors.tooDeep();
        }
    }

    private static SqlScript.Path path(String text) {
        try {
            return SqlScript.path(text);
        } catch (DdlException e) {
            throw new SqlPlanningException(
                    e.problem(), e.position().line(), e.position().column());
        }
    }

    /** Whether a text may have its search path in front. */
    private static boolean hasPath(String text) {
        Matcher word = FIRST_WORD.matcher(text);
        return word.find() && word.group(1).equalsIgnoreCase("IN");
    }

    private static String name(Matcher matcher, int group) {
        String quoted = matcher.group(group);
        String plain = matcher.group(group + 1);
        return quoted != null
                ? quoted.replace("\"\"", "\"")
                : plain == null ? null : plain.toUpperCase(java.util.Locale.ROOT);
    }

    private static String withoutEnd(String sql) {
        int end = sql.length();
        while (end > 0 && (sql.charAt(end - 1) == ';' || Character.isWhitespace(sql.charAt(end - 1)))) {
            end--;
        }
        return sql.substring(0, end);
    }

    /** Calcite would take two slashes for the beginning of a comment, and drop what follows. */
    private static void checkSlashes(String text) {
        Optional<Position> slashes;
        try {
            slashes = SqlScript.doubleSlash(text);
        } catch (DdlException e) {
            // A string or comment without an end, which the parser reports.
            return;
        }
        slashes.ifPresent(at -> {
            throw new SqlPlanningException(
                    "syntax error: unexpected \"//\": a comment begins with two hyphens, or stands between /* and */",
                    at.line(),
                    at.column());
        });
    }

    /** Calcite parses more kinds of statements than can be run, and has words of its own for what it then can't do. */
    private static void checkBeginning(String text) {
        Matcher word = FIRST_WORD.matcher(text);
        if (word.find() && !BEGINNINGS.contains(word.group(1).toUpperCase(java.util.Locale.ROOT))) {
            int at = word.start(1);
            int line = 1
                    + (int) text.substring(0, at).chars().filter(c -> c == '\n').count();
            String expected = word.group(1).equalsIgnoreCase("TRUNCATE")
                    ? "TRUNCATE TABLE and the name of a table"
                    : PlanningErrors.STATEMENTS;
            throw new SqlPlanningException(
                    "syntax error: expected " + expected, line, at - text.lastIndexOf('\n', at - 1));
        }
    }

    /** The keyword that a statement begins with, if it is one that belongs elsewhere. */
    public static Optional<String> dataDefinition(String sql) {
        Matcher matcher = Pattern.compile("^" + SKIPPED + "(CREATE|DROP|ALTER|PARTITION)\\b", Pattern.CASE_INSENSITIVE)
                .matcher(sql);
        return matcher.find() ? Optional.of(matcher.group(1).toUpperCase(java.util.Locale.ROOT)) : Optional.empty();
    }
}
