package io.reprise.sql.bind;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * The size of a statement: its characters, and the largest depth of its syntax tree, by its tokens alone. Both are
 * bounded when a statement is admitted, so that a stack that follows from the depth is enough to plan it, on any
 * thread and however much of the planner's code is compiled. So a statement planned once can be planned again in a
 * replay.
 *
 * <p>The depth is an upper bound. Operators of one level form a chain, which is as deep as it is long; those of OR,
 * AND and the rest add up, since their precedences nest them. Items of a list do not: the deepest one counts.
 */
public final class StatementSize {
    /** Characters of a statement. */
    public static final int MOST_CHARACTERS = 8 << 20;

    /** Depth of a syntax tree. */
    static final int MOST_DEPTH = 2000;

    private static final long LEAST_STACK = 8L << 20;

    /** The interpreter needs about a quarter of it for each step of a recursion over the tree. */
    private static final long STACK_PER_LEVEL = 64L << 10;

    private static final int LONGEST_KEYWORD = 9;

    private final String sql;
    private final Deque<Level> levels = new ArrayDeque<>();
    private boolean distinct;

    private StatementSize(String sql) {
        this.sql = sql;
        levels.push(new Level(false));
    }

    /** The stack that planning and compiling a statement takes, in bytes; refuses one that is too large. */
    public static long stackBytes(String sql) {
        return LEAST_STACK + depth(sql) * STACK_PER_LEVEL;
    }

    /** The depth of a statement; refuses one that is too large. */
    public static int depth(String sql) {
        if (sql.length() > MOST_CHARACTERS) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "the statement has " + sql.length() + " characters, and at most " + MOST_CHARACTERS
                            + " are planned: split it, or give its values as parameters");
        }
        StatementSize size = new StatementSize(sql);
        int depth = size.measure();
        if (depth > MOST_DEPTH) {
            throw Places.located(PlanningErrors.tooDeep(), sql);
        }
        return depth;
    }

    private int measure() {
        int at = 0;
        while (at < sql.length() && levels.size() <= MOST_DEPTH) {
            char c = sql.charAt(at);
            if (c == '\'' || c == '"') {
                at = behind(Character.toString(c), at + 1);
            } else if (sql.startsWith("--", at)) {
                at = behind("\n", at + 2);
            } else if (sql.startsWith("/*", at)) {
                at = behind("*/", at + 2);
            } else if (Character.isJavaIdentifierPart(c)) {
                at = word(at);
            } else {
                symbol(c, at);
                at++;
            }
        }
        while (levels.size() > 1) {
            close();
        }
        return levels.peek().depth();
    }

    private int behind(String end, int from) {
        int at = sql.indexOf(end, from);
        return at < 0 ? sql.length() : at + end.length();
    }

    private int word(int from) {
        int end = from + 1;
        while (end < sql.length() && Character.isJavaIdentifierPart(sql.charAt(end))) {
            end++;
        }
        if (end - from <= LONGEST_KEYWORD) {
            keyword(sql.substring(from, end).toUpperCase(Locale.ROOT));
        }
        return end;
    }

    private void keyword(String word) {
        Level level = levels.peek();
        switch (word) {
            case "OR" -> level.or();
            case "AND" -> level.and();
            case "NOT", "IN", "LIKE", "BETWEEN", "IS" -> level.operators++;
            case "CASE" -> levels.push(new Level(true));
            case "WHEN", "THEN", "ELSE" -> level.endItem();
            case "END" -> {
                if (level.choice) {
                    close();
                }
            }
            case "UNION", "EXCEPT", "INTERSECT", "MINUS" -> {
                level.endItem();
                level.chain++;
                level.tables = false;
            }
            case "JOIN" -> level.chain++;
            case "FROM" -> level.tables |= !distinct;
            case "SELECT", "WHERE", "GROUP", "HAVING", "ORDER", "SET" -> {
                level.endItem();
                level.tables = false;
            }
            default -> {}
        }
        distinct = word.equals("DISTINCT");
    }

    private void symbol(char c, int at) {
        Level level = levels.peek();
        switch (c) {
            case '(' -> levels.push(new Level(false));
            case ')' -> {
                while (levels.peek().choice) {
                    close();
                }
                close();
            }
            case ',' -> {
                level.endItem();
                level.chain += level.tables ? 1 : 0;
            }
            case '+', '-', '*', '/', '%', '<', '!', '^', '&', '~' -> level.operators++;
            case '=', '>', '|' -> level.operators += at > 0 && "<>!=|".indexOf(sql.charAt(at - 1)) >= 0 ? 0 : 1;
            default -> {}
        }
    }

    private void close() {
        if (levels.size() > 1) {
            int depth = levels.pop().depth();
            levels.peek().nested = Math.max(levels.peek().nested, depth);
        }
    }

    /** The content of two parentheses, or of a CASE. */
    private static final class Level {
        private final boolean choice;

        /** Joins and set operations, which go through all items. */
        private int chain;

        private boolean tables;
        private int ors;
        private int ands;
        private int operators;
        private int mostAnds;
        private int mostOperators;
        private int nested;
        private int deepestItem;

        Level(boolean choice) {
            this.choice = choice;
        }

        void or() {
            endTerm();
            ors++;
        }

        private void endTerm() {
            endFactor();
            mostAnds = Math.max(mostAnds, ands);
            ands = 0;
        }

        void and() {
            endFactor();
            ands++;
        }

        private void endFactor() {
            mostOperators = Math.max(mostOperators, operators);
            operators = 0;
        }

        void endItem() {
            endTerm();
            deepestItem = Math.max(deepestItem, ors + mostAnds + mostOperators + nested);
            ors = 0;
            mostAnds = 0;
            mostOperators = 0;
            nested = 0;
        }

        int depth() {
            endItem();
            return 1 + chain + deepestItem;
        }
    }
}
