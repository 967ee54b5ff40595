package io.reprise.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of a foreign schema: read from the statements of pg_dump or of VoltDB. Owned by the command's thread. */
final class DumpSchema {
    private static final int FLAGS = Pattern.CASE_INSENSITIVE | Pattern.DOTALL;
    private static final String NAME = "((?:\"[^\"]+\"|[\\w$]+)(?:\\.(?:\"[^\"]+\"|[\\w$]+))?)";
    private static final Pattern TABLE = Pattern.compile(
            "CREATE\\s+(?:UNLOGGED\\s+)?TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?" + NAME + "\\s*\\((.*)\\)[^)]*", FLAGS);
    private static final Pattern ALTER =
            Pattern.compile("ALTER\\s+TABLE\\s+(?:ONLY\\s+)?" + NAME + "\\s+(ADD\\s+|ALTER\\s+COLUMN\\s+)(.*)", FLAGS);
    private static final Pattern INDEX = Pattern.compile(
            "CREATE\\s+(UNIQUE\\s+|ASSUMEUNIQUE\\s+)?INDEX\\s+" + NAME + "\\s+ON\\s+(?:ONLY\\s+)?" + NAME
                    + "\\s*(?:USING\\s+(\\w+)\\s*)?\\(([^()]*)\\)(.*)",
            FLAGS);
    private static final Pattern PARTITION =
            Pattern.compile("PARTITION\\s+TABLE\\s+" + NAME + "\\s+ON\\s+COLUMN\\s+" + NAME, FLAGS);
    private static final Pattern KEY = Pattern.compile(
            "(?:CONSTRAINT\\s+" + NAME + "\\s+)?(PRIMARY\\s+KEY|UNIQUE|ASSUMEUNIQUE)\\s*\\(([^()]*)\\).*", FLAGS);
    private static final Pattern FOREIGN = Pattern.compile(
            "(?:CONSTRAINT\\s+" + NAME + "\\s+)?FOREIGN\\s+KEY\\s*\\(([^()]*)\\)\\s*REFERENCES\\s+" + NAME
                    + "\\s*(?:\\(([^()]*)\\))?.*",
            FLAGS);
    private static final Pattern NO_COLUMN =
            Pattern.compile("(CONSTRAINT|PRIMARY|UNIQUE|ASSUMEUNIQUE|FOREIGN|CHECK|EXCLUDE|LIMIT|LIKE)\\b.*", FLAGS);
    private static final Pattern COLUMN = Pattern.compile(
            NAME
                    + "\\s+(.*?)(?=\\s+(?:NOT\\s+NULL|NULL|DEFAULT|PRIMARY|UNIQUE|ASSUMEUNIQUE|REFERENCES|CHECK|GENERATED|COLLATE|"
                    + "CONSTRAINT)\\b|$)(.*)",
            FLAGS);
    private static final Pattern DEFAULT = Pattern.compile(
            ".*?\\bDEFAULT\\s+(.*?)(?=\\s+(?:NOT\\s+NULL|NULL|PRIMARY|UNIQUE|REFERENCES|CHECK|COLLATE|CONSTRAINT)\\b|$).*",
            FLAGS);
    private static final Pattern REFERENCES =
            Pattern.compile(".*\\bREFERENCES\\s+" + NAME + "\\s*(?:\\(([^()]*)\\))?.*", FLAGS);
    private static final Pattern SILENT = Pattern.compile(
            "(SET|SELECT\\s+pg_catalog|COMMENT|GRANT|REVOKE|BEGIN|COMMIT|ALTER\\s+\\w+.*\\bOWNER\\s+TO|CREATE\\s+EXTENSION|"
                    + "CREATE\\s+SCHEMA|SELECT\\s+setval|ALTER\\s+SEQUENCE|DROP|DR\\s+TABLE|ALTER\\s+DEFAULT|FILE)\\b.*",
            FLAGS);
    private static final int SHOWN = 70;

    /** By name, in the order of the script. */
    final Map<String, DumpTable> tables = new LinkedHashMap<>();

    /** Procedures of one statement, which Reprise takes as they are. */
    final List<String> procedures = new ArrayList<>();

    /** Sentences for the report. */
    final List<String> notes = new ArrayList<>();

    /** Reads all statements. */
    DumpSchema(List<String> statements) {
        statements.forEach(this::read);
    }

    private void read(String statement) {
        Matcher matcher = TABLE.matcher(statement);
        if (matcher.matches()) {
            table(SqlDump.plain(matcher.group(1)), matcher.group(2));
        } else if ((matcher = ALTER.matcher(statement)).matches()
                && tables.containsKey(SqlDump.plain(matcher.group(1)))
                && !matcher.group(3).matches("(?is)OWNER\\s.*")) {
            alter(tables.get(SqlDump.plain(matcher.group(1))), matcher.group(2), matcher.group(3), statement);
        } else if ((matcher = INDEX.matcher(statement)).matches()
                && tables.containsKey(SqlDump.plain(matcher.group(3)))) {
            index(matcher);
        } else if ((matcher = PARTITION.matcher(statement)).matches()
                && tables.containsKey(SqlDump.plain(matcher.group(1)))) {
            DumpTable table = tables.get(SqlDump.plain(matcher.group(1)));
            table.partitionColumn = SqlDump.plain(matcher.group(2));
            table.reason = "the script partitions it so";
        } else if (statement.matches("(?is)CREATE\\s+PROCEDURE\\s+.*\\sAS\\s+(SELECT|INSERT|UPDATE|DELETE|UPSERT).*")) {
            procedures.add(statement);
        } else if (!SILENT.matcher(statement).matches()) {
            notes.add("left out: `" + shortened(statement) + "`");
        }
    }

    private static String shortened(String statement) {
        String line = statement.replaceAll("\\s+", " ").replace('`', '\'');
        return line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
    }

    private void table(String name, String body) {
        DumpTable table = new DumpTable(name);
        tables.put(name, table);
        for (String element : elements(body)) {
            if (NO_COLUMN.matcher(element).matches()) {
                constraint(table, element);
            } else {
                column(table, element);
            }
        }
    }

    /** Splits at commas outside of parentheses and quotes. */
    static List<String> elements(String body) {
        List<String> elements = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        boolean quoted = false;
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (!quoted) {
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                if (c == ',' && depth == 0) {
                    elements.add(body.substring(begin, i).strip());
                    begin = i + 1;
                }
            }
        }
        elements.add(body.substring(begin).strip());
        elements.removeIf(String::isEmpty);
        return elements;
    }

    static List<String> names(String list) {
        return elements(list).stream()
                .map(each -> SqlDump.plain(
                        each.replaceAll("(?is)\\s+(ASC|DESC|NULLS).*", "").strip()))
                .toList();
    }

    private void column(DumpTable table, String element) {
        Matcher matcher = COLUMN.matcher(element);
        if (!matcher.matches()) {
            notes.add(table.name + ": the column `" + shortened(element) + "` is not understood");
            return;
        }
        String name = SqlDump.plain(matcher.group(1));
        String rest = matcher.group(3);
        String upper = rest.toUpperCase(Locale.ROOT);
        String foreign = matcher.group(2);
        DumpTable.Column column = new DumpTable.Column(
                name, DumpTypes.type(foreign, why -> notes.add(table.name + "." + name + ": " + why)));
        table.columns.add(column);
        column.notNull = upper.matches("(?s).*\\bNOT\\s+NULL\\b.*");
        if (foreign.toLowerCase(Locale.ROOT).contains("serial") || upper.contains(" AS IDENTITY")) {
            notes.add(table.name + "." + name + ": numbers were given by a sequence; the application has to give them");
        }
        otherwise(table, column, rest);
        if (upper.matches("(?s).*\\bPRIMARY\\s+KEY\\b.*")) {
            table.primaryKey = new ArrayList<>(List.of(name));
        } else if (upper.matches("(?s).*\\b(ASSUME)?UNIQUE\\b.*")) {
            table.uniques.add(List.of(name));
        }
        Matcher references = REFERENCES.matcher(rest);
        if (references.matches()) {
            table.foreignKeys.add(new DumpTable.ForeignKey(
                    List.of(name), SqlDump.plain(references.group(1)), optional(references.group(2))));
        }
        if (upper.matches("(?s).*\\bCHECK\\b.*")) {
            notes.add(table.name + "." + name + ": a CHECK is left out; check in the procedures");
        }
    }

    private void otherwise(DumpTable table, DumpTable.Column column, String rest) {
        Matcher matcher = DEFAULT.matcher(rest);
        if (matcher.matches()) {
            column.otherwise = DumpTypes.otherwise(
                    matcher.group(1), why -> notes.add(table.name + "." + column.name + ": " + why));
        }
    }

    private static List<String> optional(String list) {
        return list == null ? List.of() : names(list);
    }

    private void constraint(DumpTable table, String element) {
        Matcher key = KEY.matcher(element);
        Matcher foreign = FOREIGN.matcher(element);
        if (key.matches()) {
            if (key.group(2).toUpperCase(Locale.ROOT).startsWith("PRIMARY")) {
                table.primaryKey = new ArrayList<>(names(key.group(3)));
            } else {
                table.uniques.add(names(key.group(3)));
            }
        } else if (foreign.matches()) {
            table.foreignKeys.add(new DumpTable.ForeignKey(
                    names(foreign.group(2)), SqlDump.plain(foreign.group(3)), optional(foreign.group(4))));
        } else {
            notes.add(table.name + ": left out: `" + shortened(element) + "`");
        }
    }

    private void alter(DumpTable table, String verb, String rest, String statement) {
        if (verb.toUpperCase(Locale.ROOT).startsWith("ADD")) {
            constraint(table, rest);
            return;
        }
        Matcher set = Pattern.compile(NAME + "\\s+SET\\s+(DEFAULT.*)", FLAGS).matcher(rest);
        DumpTable.Column column = set.matches() ? table.column(SqlDump.plain(set.group(1))) : null;
        if (column == null) {
            notes.add("left out: `" + shortened(statement) + "`");
        } else {
            otherwise(table, column, " " + set.group(2));
        }
    }

    private void index(Matcher matcher) {
        DumpTable table = tables.get(SqlDump.plain(matcher.group(3)));
        List<String> columns = names(matcher.group(5));
        boolean understood = columns.stream().allMatch(each -> table.column(each) != null);
        boolean usual = matcher.group(4) == null || matcher.group(4).matches("(?i)btree|hash");
        if (understood && usual && matcher.group(6).isBlank()) {
            table.indexes.add(new DumpTable.Index(SqlDump.plain(matcher.group(2)), matcher.group(1) != null, columns));
        } else {
            notes.add(table.name + ": the index " + matcher.group(2)
                    + " is left out; it is partial, of expressions, or of another kind");
        }
    }
}
