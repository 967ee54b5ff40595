package io.reprise.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.reprise.catalog.Catalog;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.parse.CatalogScript;

/** The schema that planner tests share, and short ways to ask for plans. */
final class PlanFixture {
    /**
     * P and Q are partitioned on K (P by an ordered primary key, Q by a hash one), S on a SMALLINT K; R and R2 are
     * replicated.
     */
    static final String DDL = """
            CREATE TABLE p (k BIGINT NOT NULL, id INTEGER NOT NULL, v VARCHAR(20), n INTEGER, d DECIMAL(12,2),
              x DOUBLE, ts TIMESTAMP, dt DATE, flag BOOLEAN, PRIMARY KEY (k, id) USING ORDERED);
            PARTITION TABLE p ON COLUMN k;
            CREATE INDEX p_n ON p (n, d) USING ORDERED;
            CREATE INDEX p_v ON p (v) USING HASH;
            CREATE TABLE q (k BIGINT NOT NULL, id INTEGER NOT NULL, s SMALLINT DEFAULT 7,
              name VARCHAR(10) DEFAULT 'none' NOT NULL, made TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
              PRIMARY KEY (k, id) USING HASH);
            PARTITION TABLE q ON COLUMN k;
            CREATE TABLE s (k SMALLINT NOT NULL, c INTEGER NOT NULL, e DECIMAL(10,4), PRIMARY KEY (k, c) USING ORDERED);
            PARTITION TABLE s ON COLUMN k;
            CREATE TABLE r (id INTEGER NOT NULL, name VARCHAR(20), amount DECIMAL(12,2), n INTEGER,
              PRIMARY KEY (id) USING ORDERED);
            CREATE INDEX r_name ON r (name) USING ORDERED;
            CREATE INDEX r_n ON r (n, amount) USING ORDERED;
            CREATE TABLE r2 (id INTEGER NOT NULL, r_id INTEGER, big BIGINT, t TINYINT NOT NULL, bin VARBINARY(16),
              PRIMARY KEY (id) USING HASH);
            CREATE INDEX r2_r ON r2 (r_id) USING HASH;
            CREATE TABLE heap (a INTEGER, b VARCHAR(100));
            """;

    static final Catalog CATALOG = CatalogScript.load(DDL);

    private PlanFixture() {}

    static StatementPlan plan(String sql) {
        StatementPlan plan = StatementPlanner.plan(CATALOG, sql);
        PlanChecker.check(plan);
        return plan;
    }

    /** Asserts what EXPLAIN shows of a statement. */
    static void assertPlan(String sql, String explanation) {
        assertThat(plan(sql).explanation()).as(sql).isEqualTo(explanation);
    }

    /** The message with which a statement is refused. */
    static String refusal(String sql) {
        SqlPlanningException refused =
                catchThrowableOfType(SqlPlanningException.class, () -> StatementPlanner.plan(CATALOG, sql));
        assertThat(refused).as("refusal of %s", sql).isNotNull();
        return refused.getMessage();
    }
}
