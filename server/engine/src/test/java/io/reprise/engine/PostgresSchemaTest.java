package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.Rows;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas as tools for PostgreSQL write them: the tables of five benchmarks, with foreign keys, views and CASCADE. */
class PostgresSchemaTest {
    private static final String TPCC = """
            DROP TABLE IF EXISTS history CASCADE;
            DROP TABLE IF EXISTS stock CASCADE;
            CREATE TABLE warehouse (
                w_id int NOT NULL, w_ytd decimal(12, 2) NOT NULL, w_tax decimal(4, 4) NOT NULL,
                w_name varchar(10) NOT NULL, w_state char(2) NOT NULL, w_zip char(9) NOT NULL,
                PRIMARY KEY (w_id));
            CREATE TABLE item (
                i_id int NOT NULL, i_name varchar(24) NOT NULL, i_price decimal(5, 2) NOT NULL, PRIMARY KEY (i_id));
            CREATE TABLE stock (
                s_w_id int NOT NULL, s_i_id int NOT NULL, s_quantity int NOT NULL, s_dist_01 char(24) NOT NULL,
                FOREIGN KEY (s_w_id) REFERENCES warehouse (w_id) ON DELETE CASCADE,
                FOREIGN KEY (s_i_id) REFERENCES item (i_id) ON DELETE CASCADE,
                PRIMARY KEY (s_w_id, s_i_id));
            CREATE TABLE district (
                d_w_id int NOT NULL, d_id int NOT NULL, d_next_o_id int NOT NULL,
                FOREIGN KEY (d_w_id) REFERENCES warehouse (w_id) ON DELETE CASCADE,
                PRIMARY KEY (d_w_id, d_id));
            CREATE TABLE customer (
                c_w_id int NOT NULL, c_d_id int NOT NULL, c_id int NOT NULL, c_discount decimal(4, 4) NOT NULL,
                c_last varchar(16) NOT NULL, c_first varchar(16) NOT NULL, c_ytd_payment float NOT NULL,
                c_since timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP, c_data varchar(500) NOT NULL,
                FOREIGN KEY (c_w_id, c_d_id) REFERENCES district (d_w_id, d_id) ON DELETE CASCADE,
                PRIMARY KEY (c_w_id, c_d_id, c_id));
            CREATE TABLE oorder (
                o_w_id int NOT NULL, o_d_id int NOT NULL, o_id int NOT NULL, o_c_id int NOT NULL,
                o_carrier_id int DEFAULT NULL, o_entry_d timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,
                PRIMARY KEY (o_w_id, o_d_id, o_id),
                FOREIGN KEY (o_w_id, o_d_id, o_c_id) REFERENCES customer (c_w_id, c_d_id, c_id) ON DELETE CASCADE,
                UNIQUE (o_w_id, o_d_id, o_c_id, o_id));
            CREATE INDEX idx_customer_name ON customer (c_w_id, c_d_id, c_last, c_first);
            """;
    private static final String OTHERS = """
            DROP TABLE IF EXISTS checking CASCADE;
            CREATE TABLE accounts (
                custid bigint NOT NULL, name varchar(64) NOT NULL, CONSTRAINT pk_accounts PRIMARY KEY (custid));
            CREATE INDEX idx_accounts_name ON accounts (name);
            CREATE TABLE savings (
                custid bigint NOT NULL, bal float NOT NULL, CONSTRAINT pk_savings PRIMARY KEY (custid),
                FOREIGN KEY (custid) REFERENCES accounts (custid));
            DROP VIEW IF EXISTS v_votes_by_phone_number;
            CREATE TABLE contestants (
                contestant_number integer NOT NULL, contestant_name varchar(50) NOT NULL,
                PRIMARY KEY (contestant_number));
            CREATE TABLE votes (
                vote_id bigint NOT NULL, phone_number bigint NOT NULL, state varchar(2) NOT NULL,
                contestant_number integer NOT NULL REFERENCES contestants (contestant_number),
                created timestamp NOT NULL);
            CREATE INDEX idx_votes_phone_number ON votes (phone_number);
            CREATE VIEW v_votes_by_phone_number (phone_number, num_votes) AS
                SELECT phone_number, COUNT(*) FROM votes GROUP BY phone_number;
            CREATE VIEW v_votes_by_contestant_number_state (contestant_number, state, num_votes) AS
                SELECT contestant_number, state, COUNT(*) FROM votes GROUP BY contestant_number, state;
            CREATE TABLE subscriber (
                s_id integer NOT NULL PRIMARY KEY, sub_nbr varchar(15) NOT NULL UNIQUE, bit_1 smallint,
                byte2_1 smallint, msc_location integer, vlr_location integer);
            CREATE TABLE special_facility (
                s_id integer NOT NULL, sf_type smallint NOT NULL, data_b varchar(5),
                PRIMARY KEY (s_id, sf_type), FOREIGN KEY (s_id) REFERENCES subscriber (s_id));
            CREATE TABLE call_forwarding (
                s_id integer NOT NULL, sf_type smallint NOT NULL, start_time smallint NOT NULL,
                PRIMARY KEY (s_id, sf_type, start_time),
                FOREIGN KEY (s_id, sf_type) REFERENCES special_facility (s_id, sf_type));
            DROP TABLE IF EXISTS usertable CASCADE;
            CREATE TABLE usertable (
                ycsb_key int PRIMARY KEY, field1 text, field2 text, field3 text, field4 text, field5 text,
                field6 text, field7 text, field8 text, field9 text, field10 text);
            """;

    private static Options options(int partitions) {
        return Options.create().partitions(partitions).memoryPerPartition(64 << 20);
    }

    private static List<String> rows(Reprise engine, String sql) {
        List<String> found = new ArrayList<>();
        Rows rows = engine.sql(sql).rows();
        while (rows.next()) {
            found.add(rows.stringAt(0) + " " + rows.longAt(1));
        }
        return found;
    }

    private static long read(Reprise engine) {
        Rows rows = engine.call("Read", 1).rows();
        rows.next();
        return rows.longAt(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldTakeTheTablesOfBenchmarks(int partitions) {
        try (Reprise engine = options(partitions).ddl(TPCC + OTHERS).open()) {
            engine.sql("INSERT INTO contestants VALUES (3, 'Ann')");
            engine.sql("INSERT INTO votes VALUES (1, 555, 'NY', 3, NOW()), (2, 555, 'CA', 3, NOW())");
            engine.sql("INSERT INTO usertable (ycsb_key, field1) VALUES (1, ?)", "x".repeat(3000));

            assertThat(rows(engine, "SELECT 'votes', num_votes FROM v_votes_by_phone_number WHERE phone_number = 555"))
                    .containsExactly("votes 2");
            assertThat(rows(engine, "SELECT field1::text, CHAR_LENGTH(field1) FROM usertable FOR UPDATE"))
                    .containsExactly("x".repeat(3000) + " 3000");
            engine.ddl("DROP TABLE warehouse CASCADE; DROP TABLE IF EXISTS votes CASCADE");
            assertThatThrownBy(() -> engine.sql("SELECT * FROM v_votes_by_phone_number"))
                    .hasMessageContaining("there is no table V_VOTES_BY_PHONE_NUMBER");
        }
    }

    @Test
    void shouldKeepViewsAndForeignKeysAcrossRestarts() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        Options options = options(2).files(disk).durability(Durability.standard());
        try (Reprise engine = options.ddl(OTHERS).open()) {
            engine.ddl("CREATE VIEW names AS SELECT name, custid FROM accounts");
            engine.sql("INSERT INTO accounts VALUES (7, 'seven')");
        }

        try (Reprise engine = options.open()) {
            assertThat(rows(engine, "SELECT * FROM names")).containsExactly("seven 7");
            engine.ddl("CREATE OR REPLACE VIEW names AS SELECT UPPER(name), custid + 1 FROM accounts");
            engine.snapshot();
        }

        try (Reprise engine = options.open()) {
            assertThat(rows(engine, "SELECT * FROM names")).containsExactly("SEVEN 8");
            assertThatThrownBy(() -> engine.ddl("DROP TABLE accounts"))
                    .hasMessageContaining("view NAMES uses it; DROP VIEW NAMES first, or add CASCADE");
            assertThatThrownBy(() -> engine.ddl("DROP TABLE contestants"))
                    .hasMessageContaining("foreign key VOTES_CONTESTANT_NUMBER_FKEY of table VOTES names it");
        }
    }

    @Test
    void shouldPlanStatementsAgainWhenTheirViewChanges() {
        String ddl = "CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY, a INTEGER);"
                + "CREATE VIEW v AS SELECT id, a FROM t; CREATE PROCEDURE Read AS SELECT a FROM v WHERE id = ?;";
        try (Reprise engine = options(1).ddl(ddl).open()) {
            engine.sql("INSERT INTO t VALUES (1, 10)");
            engine.ddl("CREATE OR REPLACE VIEW v AS SELECT id, a + 1 AS a FROM t");

            assertThat(read(engine)).isEqualTo(11);
            assertThatThrownBy(() -> engine.ddl("DROP VIEW v")).hasMessageContaining("there is no table V");
            assertThatThrownBy(() -> engine.ddl("CREATE VIEW w AS SELECT b FROM t"))
                    .hasMessageContaining("the query of view W can't be planned: Column 'B' not found in any table");
            assertThat(read(engine)).isEqualTo(11);
        }
    }
}
