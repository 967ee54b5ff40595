package io.reprise.sql.bind;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;

/**
 * Time units as first arguments of functions: {@code DATEADD(DAY, 1, t)}. Some are keywords of the grammar, which takes
 * them in few places only. They are given another first letter before parsing, so that places in messages stay right.
 */
final class TimeUnitWords {
    private static final char MARK = '$';
    private static final String KEYWORDS = "YEAR|MONTH|DAY|HOUR|MINUTE|SECOND";
    private static final Pattern UNIT = Pattern.compile(
            "'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\"|--[^\\n]*|/\\*(?s:.)*?\\*/"
                    + "|\\b(?:TRUNCATE|DATEADD|DATEDIFF|SINCE_EPOCH|TO_TIMESTAMP)\\s*\\(\\s*(" + KEYWORDS + ")\\s*,"
                    + "|(?<=[(,=<>+*/|-]|\\bSELECT|\\bWHERE|\\bAND|\\bOR|\\bNOT|\\bON|\\bBY|\\bTHEN|\\bELSE|\\bWHEN)\\s*"
                    + "(DAY)\\s*\\(",
            Pattern.CASE_INSENSITIVE);

    private static final Map<String, TimeUnit> UNITS = Map.ofEntries(
            Map.entry("YEAR", TimeUnit.YEAR),
            Map.entry("QUARTER", TimeUnit.QUARTER),
            Map.entry("MONTH", TimeUnit.MONTH),
            Map.entry("WEEK", TimeUnit.WEEK),
            Map.entry("DAY", TimeUnit.DAY),
            Map.entry("HOUR", TimeUnit.HOUR),
            Map.entry("MINUTE", TimeUnit.MINUTE),
            Map.entry("SECOND", TimeUnit.SECOND),
            Map.entry("MILLISECOND", TimeUnit.MILLISECOND),
            Map.entry("MILLIS", TimeUnit.MILLISECOND),
            Map.entry("MICROSECOND", TimeUnit.MICROSECOND),
            Map.entry("MICROS", TimeUnit.MICROSECOND));

    /** The function DAY(t), whose name is a keyword. */
    static final String DAY_FUNCTION = MARK + "AY";

    private TimeUnitWords() {}

    /** The text with units that the grammar takes for keywords marked. */
    static String marked(String sql) {
        StringBuilder marked = null;
        Matcher matcher = UNIT.matcher(sql);
        while (matcher.find()) {
            int at = Math.max(matcher.start(1), matcher.start(2));
            if (at >= 0) {
                marked = marked == null ? new StringBuilder(sql) : marked;
                marked.setCharAt(at, MARK);
            }
        }
        return marked == null ? sql : marked.toString();
    }

    /** The unit that a first argument names. */
    static Optional<TimeUnit> unit(SqlNode node) {
        if (node instanceof SqlIntervalQualifier qualifier && qualifier.timeUnitRange.endUnit == null) {
            return Optional.of(qualifier.getStartUnit());
        } else if (!(node instanceof SqlIdentifier name) || !name.isSimple()) {
            return Optional.empty();
        }
        String word = ((SqlIdentifier) node).getSimple();
        if (word.charAt(0) == MARK) {
            return UNITS.entrySet().stream()
                    .filter(unit -> KEYWORDS.contains(unit.getKey())
                            && unit.getKey().substring(1).equals(word.substring(1)))
                    .map(Map.Entry::getValue)
                    .findFirst();
        }
        return Optional.ofNullable(UNITS.get(word));
    }
}
