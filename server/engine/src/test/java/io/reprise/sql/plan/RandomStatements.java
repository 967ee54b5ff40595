package io.reprise.sql.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes random statements over the schema of {@link PlanFixture}: most make sense, some do not. */
final class RandomStatements {
    private static final String[][] TABLES = {
        {"p", "k", "id", "v", "n", "d", "x", "ts", "dt", "flag"},
        {"q", "k", "id", "s", "name", "made"},
        {"s", "k", "c", "e"},
        {"r", "id", "name", "amount", "n"},
        {"r2", "id", "r_id", "big", "t"},
        {"heap", "a", "b"}
    };
    private static final List<String> NUMBERS =
            List.of("k", "id", "n", "d", "x", "s", "c", "e", "amount", "r_id", "big", "t", "a");
    private static final List<String> STRINGS = List.of("v", "name", "b");

    private final Random random;
    private final List<String[]> scope = new ArrayList<>();
    private int aliases;

    RandomStatements(long seed) {
        random = new Random(seed);
    }

    String next() {
        scope.clear();
        aliases = 0;
        String statement = switch (random.nextInt(13)) {
            case 0 -> insert();
            case 1 -> update();
            case 2 -> delete();
            case 4 -> orderedBehindLookup();
            case 3 -> query(2) + pick(" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT ") + query(2);
            default -> query(2) + order();
        };
        return random.nextInt(12) == 0 ? damaged(statement) : statement;
    }

    private String damaged(String statement) {
        String[] words = statement.split(" ");
        int at = random.nextInt(words.length);
        words[at] = pick(
                "",
                "SELECT",
                "(",
                ")",
                ",",
                "?",
                "'",
                "NULL",
                "OVER ()",
                "*",
                "FROM",
                words[random.nextInt(words.length)]);
        return String.join(" ", words);
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private String query(int depth) {
        int outside = scope.size();
        StringBuilder from = new StringBuilder(relation(depth));
        int joins = chance(50) ? random.nextInt(3) : 0;
        for (int i = 0; i < joins; i++) {
            int before = scope.size();
            String join = pick(" JOIN ", " LEFT JOIN ", " JOIN ", " RIGHT JOIN ", ", ");
            from.append(join).append(relation(depth));
            if (!join.equals(", ")) {
                from.append(" ON ").append(equality(before));
                if (chance(30)) {
                    from.append(" AND ").append(condition(0));
                }
            }
        }
        String where = chance(75) ? " WHERE " + condition(depth) : "";
        String result;
        if (chance(25)) {
            String group = chance(25) ? conditional() : column();
            result = "SELECT " + group + ", " + aggregate() + ", " + aggregate() + " FROM " + from + where
                    + " GROUP BY " + group + (chance(30) ? " HAVING " + aggregate() + " > 1" : "");
        } else if (chance(20)) {
            result = "SELECT " + aggregate() + (chance(40) ? ", " + aggregate() : "") + " FROM " + from + where;
        } else if (chance(20)) {
            result = "SELECT * FROM " + from + where;
        } else {
            result = "SELECT " + pick("", "", "DISTINCT ") + expression(depth) + ", " + column() + " FROM " + from
                    + where;
        }
        while (scope.size() > outside) {
            scope.removeLast();
        }
        return result;
    }

    /**
     * The first column of a table, widened: a partitioning column, of rows of one partition each, were it not NULL in
     * rows of all of them.
     */
    private String conditional() {
        String[] table = scope.get(random.nextInt(scope.size()));
        return "CASE WHEN " + columnOf(NUMBERS) + pick(" > 2", " = 3", " < ?") + " THEN CAST(" + table[0] + "."
                + table[1] + " AS " + pick("BIGINT", "INTEGER") + ") END";
    }

    /** Rows in the order of an index of the second table, read upwards or downwards, behind the only row of the first. */
    private String orderedBehindLookup() {
        String first =
                pick("r.id = ?", "r2.id = ?", "p.k = ? AND p.id = ?", "q.k = ? AND q.id = ?", "s.k = ? AND s.c = 3");
        String outer = first.substring(0, first.indexOf('.'));
        String value = "x."
                + switch (outer) {
                    case "r" -> pick("id", "n");
                    case "r2" -> pick("id", "r_id", "big");
                    default -> "k";
                };
        String[] inner = switch (random.nextInt(4)) {
            case 0 -> new String[] {"r", "n", "amount"};
            case 1 -> new String[] {"p", "n", "d"};
            case 2 -> new String[] {"p", "k", "id"};
            default -> new String[] {"s", "k", "c"};
        };
        String from = " FROM " + outer + " x" + pick(" JOIN ", " LEFT JOIN ") + inner[0] + " y ON y." + inner[1] + " = "
                + value + " WHERE " + first.replace(outer + ".", "x.");
        String ordered = "y." + inner[2];
        return chance(30)
                ? "SELECT " + pick("MAX(", "MIN(") + ordered + ")" + from
                : "SELECT " + ordered + ", " + value + from + pick(" ORDER BY 1 DESC", " ORDER BY 1")
                        + pick("", " LIMIT 1", " LIMIT 2 OFFSET 1");
    }

    private String order() {
        String order = chance(50) ? " ORDER BY " + pick("1", "2", "1 DESC", "2, 1", "1 NULLS LAST") : "";
        return order
                + (chance(30)
                        ? " LIMIT " + pick("1", "10", "?") + (chance(30) ? " OFFSET " + pick("2", "?") : "")
                        : "");
    }

    private String relation(int depth) {
        String alias = "t" + aliases++;
        if (depth > 0 && chance(12)) {
            String[] table = TABLES[random.nextInt(TABLES.length)];
            String inner = "SELECT " + table[1] + ", " + table[2] + ", count(*) cnt FROM " + table[0] + " GROUP BY "
                    + table[1] + ", " + table[2];
            if (chance(50)) {
                inner = "SELECT " + table[1] + ", " + table[2] + " FROM " + table[0]
                        + (chance(30) ? " ORDER BY 1 LIMIT 3" : "");
            }
            scope.add(new String[] {alias, table[1], table[2]});
            return "(" + inner + ") " + alias;
        }
        String[] table = TABLES[random.nextInt(TABLES.length)].clone();
        String name = table[0];
        table[0] = alias;
        scope.add(table);
        return name + " " + alias;
    }

    private String column() {
        String[] table = scope.get(random.nextInt(scope.size()));
        return table[0] + "." + table[1 + random.nextInt(table.length - 1)];
    }

    private String columnOf(List<String> names) {
        for (int i = 0; i < 20; i++) {
            String column = column();
            if (names.contains(column.substring(column.indexOf('.') + 1))) {
                return column;
            }
        }
        return names == STRINGS ? "'abc'" : "7";
    }

    private String equality(int before) {
        String[] table = scope.getLast();
        if (chance(70) && before > 0) {
            String[] other = scope.get(random.nextInt(before));
            return other[0] + "." + other[1] + " = " + table[0] + "." + table[1]
                    + (chance(40) && other.length > 2 && table.length > 2
                            ? " AND " + other[0] + "." + other[2] + " = " + table[0] + "." + table[2]
                            : "");
        }
        return condition(0);
    }

    private String condition(int depth) {
        return switch (random.nextInt(depth > 0 ? 14 : 9)) {
            case 0, 1 -> number(0) + pick(" = ", " < ", " >= ", " <> ") + number(0);
            case 2 -> columnOf(NUMBERS) + " = " + pick("?", "5", "-3", "3000000000", "2.5");
            case 3 -> string() + pick(" = ", " < ", " LIKE ") + pick("?", "'ab%'", "'x'");
            case 4 -> columnOf(NUMBERS) + pick(" IN (1, 2, ?)", " NOT IN (3, ?)", " BETWEEN ? AND 10", " IS NULL");
            case 5 -> columnOf(NUMBERS) + " = ? AND " + columnOf(NUMBERS) + " = ?";
            case 6 -> scope.getLast()[0] + "." + scope.getLast()[1] + " = ?";
            case 7 -> "(" + condition(0) + " OR " + condition(0) + ")";
            case 8 -> "NOT (" + condition(0) + ")";
            case 9 -> pick("EXISTS (", "NOT EXISTS (") + query(depth - 1) + ")";
            case 10, 11 -> columnOf(NUMBERS) + pick(" IN (", " NOT IN (") + single(depth - 1) + ")";
            case 12 -> number(0) + pick(" > (", " = (", " > ALL (", " = ANY (") + single(depth - 1) + ")";
            default -> condition(depth - 1) + pick(" AND ", " OR ") + condition(depth - 1);
        };
    }

    private String single(int depth) {
        int outside = scope.size();
        String from = relation(depth);
        String[] table = scope.getLast();
        String value = chance(30) ? "max(" + table[0] + "." + table[1] + ")" : table[0] + "." + table[1];
        String where = chance(60) ? " WHERE " + condition(depth) : "";
        while (scope.size() > outside) {
            scope.removeLast();
        }
        return "SELECT " + value + " FROM " + from + where;
    }

    private String number(int depth) {
        return switch (random.nextInt(depth > 1 ? 4 : 10)) {
            case 0, 1, 2 -> columnOf(NUMBERS);
            case 3 -> pick("1", "?", "2.50", "1e3", "100000000000");
            case 4 -> "(" + number(depth + 1) + pick(" + ", " - ", " * ", " / ", " % ") + number(depth + 1) + ")";
            case 5 -> pick("ABS(", "FLOOR(", "SIGN(", "-(") + number(depth + 1) + ")";
            case 6 -> "CHAR_LENGTH(" + string() + ")";
            case 7 ->
                "CASE WHEN " + columnOf(NUMBERS) + " > 2 THEN " + number(depth + 1) + " ELSE " + number(depth + 1)
                        + " END";
            case 8 -> "COALESCE(" + columnOf(NUMBERS) + ", " + number(depth + 1) + ")";
            default ->
                "CAST(" + number(depth + 1) + " AS " + pick("INTEGER", "BIGINT", "DOUBLE", "DECIMAL(10,3)") + ")";
        };
    }

    private String string() {
        return switch (random.nextInt(6)) {
            case 0 -> "UPPER(" + columnOf(STRINGS) + ")";
            case 1 -> "(" + columnOf(STRINGS) + " || 'x')";
            case 2 -> "SUBSTRING(" + columnOf(STRINGS) + ", 1, 2)";
            default -> columnOf(STRINGS);
        };
    }

    private String expression(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0, 1 -> number(0);
            case 5 -> conditional();
            case 2 -> string();
            case 3 -> column();
            case 4 -> condition(0);
            case 6 -> "(" + single(depth - 1) + ")";
            default -> columnOf(NUMBERS) + pick(" IN (", " NOT IN (") + single(depth - 1) + ")";
        };
    }

    private String aggregate() {
        return switch (random.nextInt(7)) {
            case 0 -> "COUNT(*)";
            case 1 -> "COUNT(DISTINCT " + column() + ")";
            case 2 -> "SUM(" + columnOf(NUMBERS) + ")";
            case 3 -> "AVG(" + columnOf(NUMBERS) + ")";
            case 4 -> "MIN(" + column() + ")";
            default -> "MAX(" + columnOf(NUMBERS) + ")";
        };
    }

    private String insert() {
        String[] table = TABLES[random.nextInt(TABLES.length)];
        int columns = 1 + random.nextInt(table.length - 1);
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
            names.add(table[i]);
            values.add(pick("?", "1", "NULL", "?", "'abc'", "2.5", "CURRENT_TIMESTAMP", "DEFAULT"));
        }
        String into = pick("INSERT INTO ", "UPSERT INTO ") + table[0] + " (" + String.join(", ", names) + ") ";
        if (chance(25)) {
            return into + query(1);
        }
        String row = "(" + String.join(", ", values) + ")";
        return into + "VALUES " + row + (chance(20) ? ", " + row : "");
    }

    private String update() {
        String[] table = TABLES[random.nextInt(TABLES.length)];
        scope.add(table);
        String set = table[1 + random.nextInt(table.length - 1)] + " = " + pick("?", number(0), string(), "NULL");
        String sql = "UPDATE " + table[0] + " SET " + set + " WHERE " + condition(2);
        return sql;
    }

    private String delete() {
        String[] table = TABLES[random.nextInt(TABLES.length)];
        scope.add(table);
        return "DELETE FROM " + table[0] + (chance(85) ? " WHERE " + condition(2) : "");
    }
}
