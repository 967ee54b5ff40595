package io.reprise.workload.voter;

import io.reprise.procedure.Rows;
import io.reprise.workload.Database;
import io.reprise.workload.Ddl;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** Voter as a workload. */
public final class Voter implements Workload {
    /** Position in {@link #procedures}. */
    public static final int VOTE = 0;

    static final int MAX_CONTESTANTS = 12;
    static final long PHONES_PER_AREA = 10_000_000;

    /** Phones, or a few more. A result has a limit, and so has the memory in which rows are sorted. */
    private static final long CHECKED_AT_ONCE = 50_000;

    private static final String[] NAMES = {
        "Ada Quill", "Bram Oster", "Cleo Varga", "Dario Finch", "Edda Moreau", "Finn Okafor",
        "Greta Silva", "Hugo Larsen", "Iris Novak", "Jonas Petit", "Kira Tanaka", "Leo Abara"
    };

    private final VoterOptions options;

    /** With these options. */
    public Voter(VoterOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "voter";
    }

    @Override
    public String ddl() {
        return Ddl.resource(Voter.class, "voter.sql");
    }

    @Override
    public List<String> procedures() {
        return List.of("Vote");
    }

    @Override
    public void load(Database database) {
        String[] names = java.util.Arrays.copyOf(NAMES, options.contestants());
        database.call("Initialize", names, AreaCodes.codes(), AreaCodes.states());
    }

    @Override
    public Generator generator(long seed, Placement placement, int partition) {
        return new VoterGenerator(options, seed, placement, partition);
    }

    /** The number of votes. */
    @Override
    public long held(Database database) {
        return scalar(database, "SELECT COUNT(*) FROM votes");
    }

    /** Each accepted vote is stored and counted once, and no phone has voted too often. */
    @Override
    public List<Violation> check(Database database, long before, List<Generator> ran) {
        List<Violation> violations = new ArrayList<>();
        long accepted = before;
        for (Generator generator : ran) {
            accepted += ((VoterGenerator) generator).accepted();
        }
        expect(violations, database, "SELECT COUNT(*) FROM votes", accepted);
        expect(violations, database, "SELECT SUM(num_votes) FROM votes_by_phone_number", accepted);
        expect(violations, database, "SELECT SUM(num_votes) FROM votes_by_contestant_state", accepted);
        expect(
                violations,
                database,
                "SELECT COUNT(*) FROM votes_by_phone_number WHERE num_votes > " + options.maxVotesPerPhone(),
                0);
        checkTotals(violations, database);
        checkPhones(violations, database);
        return violations;
    }

    /** The sums by contestant and area are those of the votes themselves. */
    private static void checkTotals(List<Violation> violations, Database database) {
        Rows totals = database.query("SELECT area_code, contestant_number, num_votes FROM votes_by_contestant_state"
                + " ORDER BY area_code, contestant_number");
        Rows votes = database.query("SELECT area_code, contestant_number, COUNT(*) FROM votes"
                + " GROUP BY area_code, contestant_number ORDER BY area_code, contestant_number");
        while (votes.next()) {
            boolean same = totals.next()
                    && totals.longAt(0) == votes.longAt(0)
                    && totals.longAt(1) == votes.longAt(1)
                    && totals.longAt(2) == votes.longAt(2);
            if (!same) {
                violations.add(new Violation(
                        "totals are those of the votes",
                        "they differ at area " + votes.longAt(0) + ", contestant " + votes.longAt(1)));
                return;
            }
        }
        if (totals.next()) {
            violations.add(new Violation("totals are those of the votes", "there are totals without votes"));
        }
    }

    /** The votes that a phone has according to the table that says whether it may vote are those that it has. */
    private static void checkPhones(List<Violation> violations, Database database) {
        Rows areas = database.query(
                "SELECT area_code, COUNT(*) FROM votes_by_phone_number GROUP BY area_code ORDER BY area_code");
        short from = Short.MIN_VALUE;
        long phones = 0;
        while (areas.next()) {
            phones += areas.longAt(1);
            if (phones >= CHECKED_AT_ONCE) {
                short to = (short) areas.longAt(0);
                checkPhones(violations, database, from, to);
                from = (short) (to + 1);
                phones = 0;
            }
        }
        checkPhones(violations, database, from, Short.MAX_VALUE);
    }

    private static void checkPhones(List<Violation> violations, Database database, short fromArea, short toArea) {
        Rows counted = database.query(
                "SELECT phone_number, num_votes FROM votes_by_phone_number WHERE area_code BETWEEN ? AND ?"
                        + " ORDER BY phone_number, area_code",
                fromArea,
                toArea);
        Rows votes = database.query(
                "SELECT phone_number, COUNT(*) FROM votes WHERE area_code BETWEEN ? AND ?"
                        + " GROUP BY phone_number, area_code ORDER BY phone_number, area_code",
                fromArea,
                toArea);
        String condition = "each phone's votes are counted";
        while (votes.next()) {
            long phone = votes.longAt(0);
            if (!counted.next() || counted.longAt(0) != phone || counted.longAt(1) != votes.longAt(1)) {
                violations.add(new Violation(
                        condition, "phone " + phone + " has " + votes.longAt(1) + ", which are not what is counted"));
                return;
            }
        }
        if (counted.next()) {
            violations.add(new Violation(condition, "phone " + counted.longAt(0) + " has none, and some are counted"));
        }
    }

    private static void expect(List<Violation> violations, Database database, String sql, long expected) {
        long actual = scalar(database, sql);
        if (actual != expected) {
            violations.add(new Violation(sql, "gives " + actual + " instead of " + expected));
        }
    }

    private static long scalar(Database database, String sql) {
        Rows rows = database.query(sql);
        rows.next();
        return rows.isNull(0) ? 0 : rows.longAt(0);
    }
}
