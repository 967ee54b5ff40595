package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The queries of the system catalogue that clients send: pgjdbc's metadata, psql's commands, and SQLAlchemy's. */
final class PostgresCatalogueTest {
    private PostgresServer server;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        server = PostgresServer.open(Options.create().partitions(2).ddl("""
                        CREATE TABLE account (id BIGINT NOT NULL, owner VARCHAR(20) DEFAULT 'nobody', balance DECIMAL(12,2),
                            PRIMARY KEY (id));
                        PARTITION TABLE account ON COLUMN id;
                        CREATE INDEX by_owner ON account (owner, balance);
                        """));
        connection = server.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        server.close();
    }

    private static List<String> all(ResultSet rows, String... columns) throws SQLException {
        List<String> found = new ArrayList<>();
        try (rows) {
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (String column : columns) {
                    row.add(rows.getString(column));
                }
                found.add(String.join("|", row));
            }
        }
        return found;
    }

    private List<String> query(String sql, String... columns) throws SQLException {
        return all(connection.createStatement().executeQuery(sql), columns);
    }

    @Test
    void shouldAnswerPgjdbcsMetadata() throws SQLException {
        DatabaseMetaData data = connection.getMetaData();

        assertThat(all(data.getSchemas(), "TABLE_SCHEM")).contains("public");
        assertThat(all(data.getCatalogs(), "TABLE_CAT")).containsExactly("bank");
        assertThat(all(data.getTables(null, "public", "%", new String[] {"TABLE"}), "TABLE_NAME", "TABLE_TYPE"))
                .containsExactly("account|TABLE");
        assertThat(all(
                        data.getColumns(null, "public", "account", null),
                        "COLUMN_NAME",
                        "TYPE_NAME",
                        "COLUMN_SIZE",
                        "IS_NULLABLE"))
                .containsExactly("id|int8|19|NO", "owner|varchar|20|YES", "balance|numeric|12|YES");
    }

    @Test
    void shouldAnswerPgjdbcsMetadataOfKeys() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE line (a BIGINT NOT NULL, b INTEGER NOT NULL, account_id BIGINT,"
                    + " CONSTRAINT line_pk PRIMARY KEY (b, a), CONSTRAINT line_account FOREIGN KEY (account_id)"
                    + " REFERENCES account (id) ON DELETE CASCADE)");
            statement.execute("CREATE INDEX line_by_account ON line (account_id, a)");
        }
        DatabaseMetaData data = connection.getMetaData();

        assertThat(all(data.getPrimaryKeys(null, "public", "line"), "COLUMN_NAME", "KEY_SEQ", "PK_NAME"))
                .containsExactlyInAnyOrder("b|1|line_pk", "a|2|line_pk");
        assertThat(all(
                        data.getIndexInfo(null, "public", "line", false, true),
                        "INDEX_NAME",
                        "NON_UNIQUE",
                        "ORDINAL_POSITION",
                        "COLUMN_NAME"))
                .containsExactlyInAnyOrder(
                        "line_pk|f|1|b", "line_pk|f|2|a", "line_by_account|t|1|account_id", "line_by_account|t|2|a");
        String[] keyColumns = {
            "PKTABLE_NAME", "PKCOLUMN_NAME", "FKTABLE_NAME", "FKCOLUMN_NAME", "KEY_SEQ", "DELETE_RULE", "FK_NAME"
        };
        assertThat(all(data.getImportedKeys(null, "public", "line"), keyColumns))
                .containsExactly("account|id|line|account_id|1|0|line_account");
        assertThat(all(data.getExportedKeys(null, "public", "account"), keyColumns))
                .containsExactly("account|id|line|account_id|1|0|line_account");
        assertThat(query(
                        "SELECT constraint_name, constraint_type FROM information_schema.table_constraints"
                                + " WHERE table_name = 'line' ORDER BY 1",
                        "constraint_name",
                        "constraint_type"))
                .containsExactly("line_account|FOREIGN KEY", "line_pk|PRIMARY KEY");
    }

    @Test
    void shouldAnswerPsqlsList() throws SQLException {
        assertThat(query("""
                SELECT n.nspname as "Schema",
                  c.relname as "Name",
                  CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'i' THEN 'index' WHEN 'S' THEN 'sequence' WHEN 't' THEN 'TOAST table' WHEN 'f' THEN 'foreign table' WHEN 'p' THEN 'partitioned table' WHEN 'I' THEN 'partitioned index' END as "Type",
                  pg_catalog.pg_get_userbyid(c.relowner) as "Owner"
                FROM pg_catalog.pg_class c
                     LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                     LEFT JOIN pg_catalog.pg_am am ON am.oid = c.relam
                WHERE c.relkind IN ('r','p','')
                      AND n.nspname <> 'pg_catalog'
                      AND n.nspname !~ '^pg_toast'
                      AND n.nspname <> 'information_schema'
                  AND pg_catalog.pg_table_is_visible(c.oid)
                ORDER BY 1,2;""", "Schema", "Name", "Type")).containsExactly("public|account|table");
    }

    @Test
    void shouldAnswerPsqlsLookupByPattern() throws SQLException {
        assertThat(query("""
                SELECT c.oid,
                  n.nspname,
                  c.relname
                FROM pg_catalog.pg_class c
                     LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relname OPERATOR(pg_catalog.~) '^(account)$' COLLATE pg_catalog.default
                  AND pg_catalog.pg_table_is_visible(c.oid)
                ORDER BY 2, 3;""", "nspname", "relname")).containsExactly("public|account");
    }

    @Test
    void shouldAnswerSqlAlchemysQuestions() throws SQLException {
        assertThat(query("select pg_catalog.version() as v", "v").getFirst()).startsWith("PostgreSQL");
        assertThat(query(
                        "SELECT pg_catalog.pg_class.relname FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON"
                                + " pg_catalog.pg_namespace.oid = pg_catalog.pg_class.relnamespace WHERE"
                                + " pg_catalog.pg_class.relname = 'account' AND pg_catalog.pg_table_is_visible(pg_catalog.pg_class.oid)"
                                + " AND pg_catalog.pg_namespace.nspname != 'pg_catalog'",
                        "relname"))
                .containsExactly("account");
    }

    @Test
    void shouldAnswerTheInformationSchema() throws SQLException {
        assertThat(query(
                        "SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = 'account'"
                                + " ORDER BY ordinal_position",
                        "column_name",
                        "data_type",
                        "is_nullable"))
                .containsExactly("id|bigint|NO", "owner|character varying|YES", "balance|numeric|YES");
        assertThat(query("SELECT COUNT(*) AS n FROM information_schema.tables", "n"))
                .containsExactly("1");
    }

    @Test
    void shouldFindRelationsByName() throws SQLException {
        assertThat(query(
                        "SELECT attname, format_type(atttypid, atttypmod) AS t FROM pg_attribute WHERE attrelid ="
                                + " 'account'::regclass AND attnum > 0 ORDER BY attnum",
                        "attname",
                        "t"))
                .containsExactly("id|bigint", "owner|character varying(20)", "balance|numeric(12,2)");
    }

    @Test
    void shouldTakeParameters() throws SQLException {
        try (var query = connection.prepareStatement(
                "SELECT relname FROM pg_catalog.pg_class WHERE relname = ? AND relnatts > ?")) {
            query.setString(1, "account");
            query.setInt(2, 2);
            assertThat(all(query.executeQuery(), "relname")).containsExactly("account");
        }
    }
}
