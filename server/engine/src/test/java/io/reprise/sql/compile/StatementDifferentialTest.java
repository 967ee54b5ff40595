package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.fail;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.place.StatementScope;
import io.reprise.sql.plan.StatementPlan;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Generated statements over generated data must give the same rows as H2. If H2 refuses a statement or both fail,
 * there is nothing to compare. If only one fails at run time, its error must depend on the rows and the order in
 * which an expression is evaluated, and such cases must stay rare.
 */
final class StatementDifferentialTest {
    private static final int STATEMENTS_PER_SEED = 250;
    private static final MathContext SIGNIFICANT = new MathContext(11);

    @Test
    void shouldGiveTheSameRowsAsH2() throws SQLException {
        for (long seed = 1; seed <= 8; seed++) {
            compare(seed, STATEMENTS_PER_SEED);
        }
    }

    @Test
    @Tag("long")
    void shouldGiveTheSameRowsAsH2ForManySeeds() throws SQLException {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 60; seed++) {
            compare(seed, 2 * STATEMENTS_PER_SEED);
        }
    }

    static void compare(long seed, int statements) throws SQLException {
        SqlGenerator generator = new SqlGenerator(seed);
        Map<String, Integer> outcomes = new TreeMap<>();
        try (TestDatabase ours = new TestDatabase(generator.ddl());
                Connection h2 = DriverManager.getConnection("jdbc:h2:mem:")) {
            try (Statement s = h2.createStatement()) {
                for (String ddl : generator.h2Ddl()) {
                    s.execute(ddl);
                }
            }
            h2.setAutoCommit(false);
            for (String insert : generator.inserts()) {
                ours.run(insert);
                h2Update(h2, insert);
            }
            ours.begin();
            h2.commit();
            for (int i = 0; i < statements; i++) {
                SqlGenerator.Generated generated = generator.next();
                String where = "seed " + seed + ", statement " + i + ": " + generated.sql();
                outcomes.merge(one(ours, h2, generated, where), 1, Integer::sum);
                if (generated.table() != null) {
                    ours.begin();
                    h2.commit();
                    String all = "SELECT * FROM " + generated.table();
                    same(ours.run(all), h2Query(h2, all), false, where + " -- table " + generated.table());
                }
            }
        }
        int compared = outcomes.getOrDefault("same", 0);
        int oneSided = outcomes.getOrDefault("only we failed", 0) + outcomes.getOrDefault("only H2 failed", 0);
        if (compared < statements / 2 || oneSided > statements / 10) {
            fail("seed " + seed + ": too little was compared: " + outcomes);
        }
        System.out.println("seed " + seed + " " + outcomes);
    }

    private static String one(TestDatabase ours, Connection h2, SqlGenerator.Generated generated, String where) {
        List<List<Object>> mine = null;
        ProcedureException myError = null;
        try {
            mine = ours.run(generated.sql(), generated.parameters().toArray());
        } catch (SqlPlanningException e) {
            return "refused";
        } catch (ProcedureException e) {
            myError = e;
            ours.undo();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(where, e);
        }
        List<List<Object>> theirs;
        try {
            theirs = generated.table() == null
                    ? h2Query(h2, generated.h2Sql())
                    : List.of(List.of((Object) (long) h2Update(h2, generated.h2Sql())));
        } catch (SQLException e) {
            if (myError != null) {
                return "both failed";
            }
            if (e.getSQLState().startsWith("42") || e.getSQLState().startsWith("HY")) {
                return "H2 refused";
            }
            ours.undo();
            return "only H2 failed";
        }
        if (myError != null) {
            String message = "only we failed: " + myError.code() + " " + myError.getMessage();
            if (!dependsOnEvaluation(myError) && !isBoundApart(ours.plan(generated.sql()), myError)) {
                fail(where + "\n  " + message);
            }
            rollback(h2);
            return "only we failed";
        }
        same(mine, theirs, generated.ordered(), where);
        return "same";
    }

    private static void rollback(Connection h2) {
        try {
            h2.rollback();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** H2 knows no buckets. */
    private static boolean isBoundApart(StatementPlan plan, ProcedureException e) {
        return e.code() == ErrorCode.SCOPE_VIOLATION
                && plan.scope() instanceof StatementScope.Key key
                && !key.others().isEmpty();
    }

    private static boolean dependsOnEvaluation(ProcedureException e) {
        return switch (e.code()) {
            case NUMERIC_OVERFLOW, DIVISION_BY_ZERO, INVALID_VALUE, VALUE_TOO_LONG -> true;
            default -> false;
        };
    }

    private static int h2Update(Connection h2, String sql) throws SQLException {
        try (Statement s = h2.createStatement()) {
            return s.executeUpdate(sql);
        }
    }

    private static List<List<Object>> h2Query(Connection h2, String sql) throws SQLException {
        try (Statement s = h2.createStatement();
                ResultSet rows = s.executeQuery(sql)) {
            List<List<Object>> all = new ArrayList<>();
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(rows.getObject(i));
                }
                all.add(row);
            }
            return all;
        }
    }

    private static void same(List<List<Object>> mine, List<List<Object>> theirs, boolean ordered, String where) {
        List<String> a = texts(mine);
        List<String> b = texts(theirs);
        if (!ordered) {
            Collections.sort(a);
            Collections.sort(b);
        }
        if (!a.equals(b)) {
            List<String> onlyA = new ArrayList<>(a);
            b.forEach(onlyA::remove);
            List<String> onlyB = new ArrayList<>(b);
            a.forEach(onlyB::remove);
            fail(where + "\n  " + a.size() + " rows, H2 " + b.size() + "\n  only ours: " + head(onlyA)
                    + "\n  only H2's: " + head(onlyB)
                    + (onlyA.isEmpty() && onlyB.isEmpty() ? "\n  ours: " + a + "\n  H2's: " + b : ""));
        }
    }

    private static List<String> head(List<String> rows) {
        return rows.subList(0, Math.min(10, rows.size()));
    }

    private static List<String> texts(List<List<Object>> rows) {
        List<String> texts = new ArrayList<>();
        for (List<Object> row : rows) {
            StringBuilder text = new StringBuilder();
            for (Object value : row) {
                text.append(text(value)).append('|');
            }
            texts.add(text.toString());
        }
        return texts;
    }

    /** Numbers by value, rounded so that another scale of a quotient or another order of a sum makes no difference. */
    private static String text(Object value) {
        return switch (value) {
            case null -> "null";
            case Double v -> number(BigDecimal.valueOf(v));
            case BigDecimal v -> number(v);
            case Number v -> number(BigDecimal.valueOf(v.longValue()));
            case Timestamp v -> number(BigDecimal.valueOf(micros(v.toLocalDateTime())));
            case java.sql.Date v -> number(BigDecimal.valueOf(v.toLocalDate().toEpochDay()));
            case byte[] v -> java.util.HexFormat.of().formatHex(v);
            default -> value.toString();
        };
    }

    private static long micros(LocalDateTime time) {
        return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time);
    }

    private static String number(BigDecimal value) {
        BigDecimal rounded = value.round(SIGNIFICANT).setScale(4, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
