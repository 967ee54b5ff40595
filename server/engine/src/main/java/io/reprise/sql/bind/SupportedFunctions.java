package io.reprise.sql.bind;

import io.reprise.catalog.Suggestions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/**
 * The functions and operators of statements. {@link #OPERATORS} are the names of the operators that {@code RexCall}s
 * in a plan may have; the compiler implements exactly these. {@link #table} is what the validator looks names up in.
 */
public final class SupportedFunctions {
    private static final Set<String> WITHOUT_ARRAYS = Set.of(
            "+",
            "-",
            "*",
            "/",
            "%",
            "MOD",
            "=",
            "<>",
            "<",
            "<=",
            ">",
            ">=",
            "AND",
            "OR",
            "NOT",
            "IS NULL",
            "IS NOT NULL",
            "IS TRUE",
            "IS NOT TRUE",
            "IS FALSE",
            "IS NOT FALSE",
            "IS UNKNOWN",
            "IS NOT UNKNOWN",
            "IS DISTINCT FROM",
            "IS NOT DISTINCT FROM",
            "CASE",
            "CAST",
            "LIKE",
            "REGEXP_LIKE",
            "JSON_VALUE_OF",
            "JSON_TEXT_OF",
            "||",
            "CHAR_LENGTH",
            "CHARACTER_LENGTH",
            "OCTET_LENGTH",
            "UPPER",
            "LOWER",
            "TRIM",
            "SUBSTRING",
            "POSITION",
            "REPLACE",
            "LEFT",
            "RIGHT",
            "REPEAT",
            "ABS",
            "ROUND",
            "TRUNCATE",
            "FLOOR",
            "CEIL",
            "SQRT",
            "POWER",
            "EXP",
            "LN",
            "LOG10",
            "SIGN",
            "GREATEST",
            "LEAST",
            "BITAND",
            "BITOR",
            "BITXOR",
            "BITNOT",
            "BIT_SHIFT_LEFT",
            "BIT_SHIFT_RIGHT",
            "PI",
            "SIN",
            "COS",
            "TAN",
            "COT",
            "ASIN",
            "ACOS",
            "ATAN",
            "ATAN2",
            "DEGREES",
            "RADIANS",
            "ASCII",
            "CHR",
            "INITCAP",
            "LPAD",
            "RPAD",
            "OVERLAY",
            "REVERSE",
            "MD5",
            "SPLIT_PART",
            "TRANSLATE",
            "REGEXP_REPLACE",
            "REGEXP_COUNT",
            "TO_HEX",
            "TO_CHAR",
            "TO_DATE",
            "READ_TIMESTAMP",
            "TO_NUMBER",
            "CBRT",
            "GCD",
            "LCM",
            "EXTRACT",
            "TIMESTAMPDIFF",
            "ADD_MICROSECONDS",
            "CURRENT_TIMESTAMP",
            "CURRENT_DATE");

    /**
     * Names ({@code SqlOperator.getName}) of the operators that occur in plans. Aggregates are not among them.
     *
     * <ul>
     * <li>{@code "+" "-"} stand for addition and subtraction of numbers, and of an interval literal and a TIMESTAMP
     * or DATE; unary minus is called {@code "-"} too.
     * <li>FLOOR and CEIL have one numeric argument, or a TIMESTAMP or DATE and a time unit flag.
     * <li>EXTRACT has a time unit flag and a TIMESTAMP or DATE.
     * <li>TRIM has a flag (BOTH, LEADING, TRAILING), the characters, and the string.
     * <li>SUBSTRING has two or three arguments, POSITION (needle, haystack) two or three, LIKE two or three.
     * <li>TIMESTAMPDIFF has a time unit flag and two TIMESTAMPs or DATEs.
     * <li>CAST of literals is mostly folded away; remaining ones may be implicit.
     * </ul>
     */
    public static final Set<String> OPERATORS = Stream.concat(
                    WITHOUT_ARRAYS.stream(), ArrayCalls.ALL.stream().map(SqlFunction::getName))
            .collect(Collectors.toUnmodifiableSet());

    private static final List<SqlOperator> CALLABLE = List.of(
            SqlStdOperatorTable.COUNT,
            SqlStdOperatorTable.SUM,
            SqlStdOperatorTable.MIN,
            SqlStdOperatorTable.MAX,
            SqlStdOperatorTable.AVG,
            SqlStdOperatorTable.GROUPING,
            SqlStdOperatorTable.LISTAGG,
            SqlStdOperatorTable.ROW_NUMBER,
            SqlStdOperatorTable.RANK,
            SqlStdOperatorTable.DENSE_RANK,
            SqlStdOperatorTable.PERCENT_RANK,
            SqlStdOperatorTable.CUME_DIST,
            SqlStdOperatorTable.NTILE,
            SqlStdOperatorTable.LAG,
            SqlStdOperatorTable.LEAD,
            SqlStdOperatorTable.FIRST_VALUE,
            SqlStdOperatorTable.LAST_VALUE,
            SqlStdOperatorTable.NULLIF,
            SqlStdOperatorTable.COALESCE,
            SqlStdOperatorTable.CHAR_LENGTH,
            SqlStdOperatorTable.CHARACTER_LENGTH,
            SqlStdOperatorTable.OCTET_LENGTH,
            SqlStdOperatorTable.TRIM,
            SqlStdOperatorTable.SUBSTRING,
            SqlStdOperatorTable.POSITION,
            SqlStdOperatorTable.REPLACE,
            SqlStdOperatorTable.ABS,
            SqlStdOperatorTable.TRUNCATE,
            SqlStdOperatorTable.FLOOR,
            SqlStdOperatorTable.CEIL,
            SqlStdOperatorTable.SQRT,
            SqlStdOperatorTable.POWER,
            SqlStdOperatorTable.EXP,
            SqlStdOperatorTable.LN,
            SqlStdOperatorTable.LOG10,
            SqlStdOperatorTable.SIGN,
            SqlStdOperatorTable.BITAND,
            SqlStdOperatorTable.BITOR,
            SqlStdOperatorTable.BITXOR,
            SqlStdOperatorTable.BITNOT,
            SqlStdOperatorTable.PI,
            SqlStdOperatorTable.SIN,
            SqlStdOperatorTable.COS,
            SqlStdOperatorTable.TAN,
            SqlStdOperatorTable.COT,
            SqlStdOperatorTable.ASIN,
            SqlStdOperatorTable.ACOS,
            SqlStdOperatorTable.ATAN,
            SqlStdOperatorTable.ATAN2,
            SqlStdOperatorTable.DEGREES,
            SqlStdOperatorTable.RADIANS,
            SqlStdOperatorTable.ASCII,
            SqlStdOperatorTable.OVERLAY,
            SqlStdOperatorTable.WEEK,
            SqlStdOperatorTable.EXTRACT,
            SqlStdOperatorTable.YEAR,
            SqlStdOperatorTable.QUARTER,
            SqlStdOperatorTable.MONTH,
            SqlStdOperatorTable.DAYOFYEAR,
            SqlStdOperatorTable.DAYOFMONTH,
            SqlStdOperatorTable.DAYOFWEEK,
            SqlStdOperatorTable.HOUR,
            SqlStdOperatorTable.MINUTE,
            SqlStdOperatorTable.SECOND,
            SqlStdOperatorTable.TIMESTAMP_ADD,
            SqlStdOperatorTable.CURRENT_TIMESTAMP,
            SqlStdOperatorTable.CURRENT_DATE,
            SqlStdOperatorTable.CAST,
            SqlStdOperatorTable.CASE,
            SqlStdOperatorTable.DEFAULT,
            SqlStdOperatorTable.EXISTS,
            SqlStdOperatorTable.SCALAR_QUERY);

    private static final List<SqlOperator> LIBRARY = List.of(
            SqlLibraryOperators.LTRIM,
            SqlLibraryOperators.RTRIM,
            SqlLibraryOperators.LEFT,
            SqlLibraryOperators.RIGHT,
            SqlLibraryOperators.REPEAT,
            SqlLibraryOperators.GREATEST,
            SqlLibraryOperators.LEAST,
            SqlLibraryOperators.STRING_AGG);

    /** Letters of a function's name that are enough to guess it. */
    private static final int BEGINNING = 4;

    private static final SqlOperatorTable TABLE = new CallableTable();

    private SupportedFunctions() {}

    /** The operators of the grammar, and the functions and aggregates that a statement may name. */
    static SqlOperatorTable table() {
        return TABLE;
    }

    /** Whether there is a function with a name. */
    static boolean isKnown(String name) {
        return known().contains(name.toUpperCase(Locale.ROOT));
    }

    private static Set<String> known() {
        Set<String> known = new TreeSet<>(SyntaxRewriter.ALIASES.keySet());
        CALLABLE.forEach(operator -> known.add(operator.getName()));
        LIBRARY.forEach(operator -> known.add(operator.getName()));
        OwnFunctions.CALLED_BY_NAME.forEach(operator -> known.add(operator.getName()));
        ArrayCalls.CALLED_BY_NAME.forEach(operator -> known.add(operator.getName()));
        return known;
    }

    /** The message for a name that is not known, or whose arguments no function of this name takes. */
    public static String unknown(String name) {
        String wanted = name.toUpperCase(Locale.ROOT);
        Set<String> known = known();
        if (known.contains(wanted)) {
            return "the function " + name + " is not supported: " + wanted + " does not take such arguments";
        }
        String begun = known.stream()
                .filter(candidate -> wanted.length() >= BEGINNING && candidate.startsWith(wanted))
                .findFirst()
                .map(candidate -> "; did you mean " + candidate + "?")
                .orElse("");
        String near = Suggestions.didYouMean(wanted, known);
        return "the function " + name + " is not supported" + (near.isEmpty() ? begun : near).replace("; did", ": did");
    }

    /** Calcite's own operators, without the functions that we do not have. */
    private static final class CallableTable implements SqlOperatorTable {
        private static final SqlOperatorTable ALL = SqlOperatorTables.chain(
                SqlStdOperatorTable.instance(),
                SqlOperatorTables.of(LIBRARY),
                SqlOperatorTables.of(OwnFunctions.ALL),
                SqlOperatorTables.of(ArrayCalls.ALL),
                SqlOperatorTables.of(ArrayCalls.JOINED));

        @Override
        public void lookupOperatorOverloads(
                SqlIdentifier name,
                SqlFunctionCategory category,
                SqlSyntax syntax,
                List<SqlOperator> found,
                SqlNameMatcher matcher) {
            List<SqlOperator> all = new ArrayList<>();
            ALL.lookupOperatorOverloads(name, category, syntax, all, matcher);
            all.stream().filter(CallableTable::isCallable).forEach(found::add);
        }

        @Override
        public List<SqlOperator> getOperatorList() {
            return ALL.getOperatorList().stream()
                    .filter(CallableTable::isCallable)
                    .toList();
        }

        /** By identity: one of our own may equal the one of Calcite that it stands for. */
        private static boolean isCallable(SqlOperator operator) {
            return !(operator instanceof SqlFunction) && operator != SqlStdOperatorTable.CONCAT
                    || Stream.of(CALLABLE, LIBRARY, OwnFunctions.ALL, ArrayCalls.ALL)
                            .flatMap(List::stream)
                            .anyMatch(callable -> callable == operator);
        }
    }
}
