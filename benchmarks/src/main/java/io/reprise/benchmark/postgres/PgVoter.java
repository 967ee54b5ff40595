package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Voter: calls of viewers to contestants, a bounded number for each telephone. */
final class PgVoter implements PgWorkload {
    private static final int CONTESTANTS = 6;
    private static final int AREAS = 300;
    private static final int FIRST_AREA = 200;
    private static final int MOST_VOTES = 10;
    private static final String[] STATES = {"CA", "NY", "TX", "MA", "WA", "OR", "FL", "IL"};

    private static final String CONTESTANT = "SELECT contestant_number FROM contestants WHERE contestant_number = ?";
    private static final String VOTES = "SELECT COUNT(*) FROM votes WHERE phone_number = ?";
    private static final String STATE = "SELECT state FROM area_code_state WHERE area_code = ?";
    private static final String INSERT = "INSERT INTO votes (vote_id, phone_number, state, contestant_number, created)"
            + " VALUES (?, ?, ?, ?, NOW())";

    private final int telephones;

    /** Shared by the terminals of all runs, so that votes have numbers of their own. */
    private final AtomicLong nextVote = new AtomicLong();

    PgVoter(int telephones) {
        this.telephones = telephones;
    }

    @Override
    public String name() {
        return "voter";
    }

    @Override
    public List<String> tables(boolean postgres) {
        List<String> tables = new ArrayList<>(List.of(
                "CREATE TABLE contestants (contestant_number INTEGER NOT NULL PRIMARY KEY, contestant_name VARCHAR(50) NOT NULL)",
                "CREATE TABLE area_code_state (area_code SMALLINT NOT NULL PRIMARY KEY, state VARCHAR(2) NOT NULL)",
                "CREATE TABLE votes (vote_id BIGINT NOT NULL, phone_number BIGINT NOT NULL, state VARCHAR(2) NOT NULL,"
                        + " contestant_number INTEGER NOT NULL, created TIMESTAMP NOT NULL)",
                "CREATE INDEX votes_by_phone ON votes (phone_number)"));
        if (!postgres) {
            tables.add(3, "PARTITION TABLE votes ON COLUMN phone_number");
        }
        return tables;
    }

    @Override
    public void load(Connection connection) throws SQLException, IOException {
        try (RowsIn rows = new RowsIn(connection, "contestants")) {
            for (int i = 1; i <= CONTESTANTS; i++) {
                rows.add(i, "Contestant " + i);
            }
        }
        try (RowsIn rows = new RowsIn(connection, "area_code_state")) {
            for (int i = 0; i < AREAS; i++) {
                rows.add(FIRST_AREA + i, STATES[i % STATES.length]);
            }
        }
    }

    @Override
    public PgTerminal terminal(Statements statements, int number) {
        return new Terminal(statements, number);
    }

    private final class Terminal extends PgTerminal {
        private long telephone;
        private int contestant;
        private long vote;

        Terminal(Statements db, int number) {
            super(db, number);
        }

        @Override
        void choose() {
            telephone = (FIRST_AREA + random.nextInt(AREAS)) * 10_000_000L + random.nextInt(telephones);
            contestant = 1 + random.nextInt(CONTESTANTS);
            vote = nextVote.incrementAndGet();
        }

        @Override
        boolean transaction() throws SQLException {
            db.one(CONTESTANT, contestant);
            if (db.one(VOTES, telephone).getLong(1) >= MOST_VOTES) {
                return false;
            }
            ResultSet area = db.query(STATE, (short) (telephone / 10_000_000L));
            String state = area.next() ? area.getString(1) : "XX";
            db.update(INSERT, vote, telephone, state, contestant);
            return true;
        }
    }

    @Override
    public void check(Connection connection) throws SQLException {
        Statements db = new Statements(connection);
        ResultSet tooMany = db.query(
                "SELECT phone_number, COUNT(*) FROM votes GROUP BY phone_number HAVING COUNT(*) > " + MOST_VOTES);
        if (tooMany.next()) {
            throw new IllegalStateException(
                    tooMany.getLong(2) + " votes of the telephone " + tooMany.getLong(1) + " were taken");
        }
    }
}
