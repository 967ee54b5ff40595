package io.reprise.session;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cursors of a session, made by DECLARE. A cursor holds the whole result of its query, as every portal does. Without WITH HOLD it
 * ends with its transaction. Owned by the session.
 */
final class Cursors {
    private static final int MOST = 100;

    /**
     * The content of a DECLARE.
     *
     * @param name the cursor's name
     * @param hold whether it outlives its transaction
     * @param query the place of the query in the statement
     */
    record Declaration(String name, boolean hold, int query) {
        static Declaration parse(ClientStatement statement) {
            String name = SettingStatements.name(statement, 1);
            boolean hold = false;
            int at = 2;
            while (!statement.word(at).equals("FOR")) {
                switch (statement.word(at)) {
                    case "HOLD" -> hold = statement.word(at - 1).equals("WITH");
                    case "BINARY" -> throw SessionException.unsupported("DECLARE ... BINARY CURSOR is not supported");
                    case "INSENSITIVE", "ASENSITIVE", "NO", "SCROLL", "CURSOR", "WITH", "WITHOUT" -> {
                        // The result is complete, so that it is insensitive, and can be scrolled.
                    }
                    default ->
                        throw SessionException.syntax(
                                        "syntax error in DECLARE",
                                        statement
                                                .tokens()
                                                .get(Math.min(
                                                        at, statement.tokens().size() - 1))
                                                .start())
                                .movedBy(statement.offset());
                }
                at++;
            }
            return new Declaration(name, hold, statement.tokens().get(at).end());
        }
    }

    private static final class Cursor {
        private final boolean hold;
        private final Answer answer;
        private final int count;

        /** The present row, from 1; 0: before the first one. */
        private int at;

        Cursor(boolean hold, Answer answer) {
            this.hold = hold;
            this.answer = answer;
            count = answer.count();
        }
    }

    private final SortedMap<String, Cursor> open = new TreeMap<>();

    void open(Declaration declaration, Answer answer) {
        if (open.size() >= MOST) {
            throw new SessionException(SqlStates.LIMIT_EXCEEDED, "the session has " + MOST + " cursors already");
        }
        open.put(declaration.name(), new Cursor(declaration.hold(), answer));
    }

    void checkNew(String name) {
        if (open.containsKey(name)) {
            throw new SessionException("42P03", "cursor \"" + name + "\" already exists");
        }
    }

    boolean has(String name) {
        return open.containsKey(name);
    }

    /** The columns of a cursor. */
    List<ResultColumn> columns(String name) {
        return find(name).answer.columns();
    }

    private Cursor find(String name) {
        Cursor cursor = open.get(name);
        if (cursor == null) {
            throw new SessionException(SqlStates.UNKNOWN_PORTAL, "cursor \"" + name + "\" does not exist");
        }
        return cursor;
    }

    void closeAll() {
        open.clear();
    }

    Answer close(ClientStatement statement) {
        if (statement.word(1).equals("ALL")) {
            closeAll();
            return Answer.done("CLOSE CURSOR ALL");
        }
        String name = SettingStatements.name(statement, 1);
        find(name);
        open.remove(name);
        return Answer.done("CLOSE CURSOR");
    }

    void transactionEnded() {
        open.values().removeIf(cursor -> !cursor.hold);
    }

    /** The columns of the result of FETCH. */
    List<ResultColumn> fetched(ClientStatement statement) {
        return columns(Move.parse(statement).name);
    }

    /** FETCH and MOVE. */
    Answer move(ClientStatement statement) {
        Move move = Move.parse(statement);
        Cursor cursor = find(move.name);
        int from;
        int rows;
        if (move.single) {
            long target = move.absolute
                    ? move.number < 0 ? cursor.count + 1 + move.number : move.number
                    : cursor.at + move.number;
            cursor.at = (int) Math.clamp(target, 0, cursor.count + 1L);
            rows = cursor.at >= 1 && cursor.at <= cursor.count ? 1 : 0;
            from = Math.max(0, cursor.at - 1);
        } else {
            from = Math.min(cursor.at, cursor.count);
            rows = (int) Math.min(move.number, cursor.count - from);
            cursor.at = (int) Math.min(cursor.at + move.number, cursor.count + 1L);
        }
        return statement.word(0).equals("MOVE") ? Answer.done("MOVE " + rows) : cursor.answer.part("FETCH", from, rows);
    }

    /** A direction with the name of a cursor. */
    private static final class Move {
        private final ClientStatement statement;
        private int at = 1;
        private String name;

        /** One row at a place, or a number of rows from the present place on. */
        private boolean single;

        private boolean absolute;
        private long number = 1;

        private Move(ClientStatement statement) {
            this.statement = statement;
        }

        static Move parse(ClientStatement statement) {
            Move move = new Move(statement);
            move.direction();
            if (statement.word(move.at).equals("FROM")
                    || statement.word(move.at).equals("IN")) {
                move.at++;
            }
            move.name = SettingStatements.name(statement, move.at);
            return move;
        }

        private void direction() {
            String word = statement.word(at).toUpperCase(Locale.ROOT);
            switch (word) {
                case "NEXT" -> at++;
                case "PRIOR" -> one(false, -1);
                case "FIRST" -> one(true, 1);
                case "LAST" -> one(true, -1);
                case "ABSOLUTE", "RELATIVE" -> {
                    at++;
                    one(word.equals("ABSOLUTE"), count(0));
                    at--;
                }
                case "FORWARD" -> {
                    at++;
                    number = count(1);
                }
                case "BACKWARD" -> {
                    at++;
                    one(false, -count(1));
                    at--;
                    if (number < -1) {
                        throw SessionException.unsupported("FETCH BACKWARD takes one row");
                    }
                }
                default -> number = count(1);
            }
            if (!single && number <= 0) {
                single = true;
            }
            if (single && !absolute && number < -1 && !word.equals("RELATIVE")) {
                throw SessionException.unsupported("FETCH BACKWARD takes one row");
            }
        }

        private void one(boolean isAbsolute, long place) {
            single = true;
            absolute = isAbsolute;
            number = place;
            at++;
        }

        /** A number, or ALL. */
        private long count(int otherwise) {
            if (statement.word(at).equals("ALL")) {
                at++;
                return Integer.MAX_VALUE;
            }
            List<Token> tokens = statement.tokens();
            boolean negative = tokens.get(at).isSign('-');
            Token token = tokens.get(negative ? at + 1 : at);
            if (token.kind() != Token.Kind.NUMBER || !token.text().matches("\\d{1,9}")) {
                return otherwise;
            }
            at += negative ? 2 : 1;
            return negative ? -Long.parseLong(token.text()) : Long.parseLong(token.text());
        }
    }
}
