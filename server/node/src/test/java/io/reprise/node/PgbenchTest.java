package io.reprise.node;

import static io.reprise.node.PostgresDriverTest.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.engine.Options;
import java.io.File;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** The statements of PostgreSQL's benchmark pgbench, by pgjdbc, and by the program itself where it is installed. */
final class PgbenchTest {
    private static final long LIMIT_S = 120;

    private PostgresServer server;

    @TempDir
    Path folder;

    @BeforeEach
    void open() {
        server = PostgresServer.open(Options.create().partitions(2));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Each transaction adds the same amount to an account, a teller and a branch, and writes it down. */
    private static void assertConsistent(Connection connection) throws SQLException {
        String sum = one(connection, "SELECT SUM(delta) FROM pgbench_history");
        assertThat(one(connection, "SELECT SUM(abalance) FROM pgbench_accounts"))
                .isEqualTo(sum);
        assertThat(one(connection, "SELECT SUM(tbalance) FROM pgbench_tellers")).isEqualTo(sum);
        assertThat(one(connection, "SELECT SUM(bbalance) FROM pgbench_branches"))
                .isEqualTo(sum);
    }

    @Test
    void shouldRunItsStatements() throws Exception {
        try (Connection connection = server.connect("preferQueryMode=simple")) {
            run(
                    connection,
                    "drop table if exists pgbench_accounts, pgbench_branches, pgbench_history, pgbench_tellers",
                    "create table pgbench_history(tid int,bid int,aid    int,delta int,mtime timestamp,filler char(22))",
                    "create table pgbench_tellers(tid int not null,bid int,tbalance int,filler char(84)) with (fillfactor=100)",
                    "create table pgbench_accounts(aid    int not null,bid int,abalance int,filler char(84)) with (fillfactor=100)",
                    "create table pgbench_branches(bid int not null,bbalance int,filler char(88)) with (fillfactor=100)",
                    "begin",
                    "truncate table pgbench_accounts, pgbench_branches, pgbench_history, pgbench_tellers",
                    "insert into pgbench_branches(bid,bbalance) values(1,0)",
                    "insert into pgbench_tellers(tid,bid,tbalance) values (1,1,0)");
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "copy pgbench_accounts from stdin with (freeze on)",
                            new StringReader("1\t1\t0\t\n2\t1\t0\t\n"));
            run(
                    connection,
                    "commit",
                    "vacuum analyze pgbench_branches",
                    "alter table pgbench_branches add primary key (bid)",
                    "alter table pgbench_tellers add primary key (tid)",
                    "alter table pgbench_accounts add primary key (aid)",
                    "alter table pgbench_tellers add constraint pgbench_tellers_bid_fkey foreign key (bid) references pgbench_branches",
                    "alter table pgbench_history add constraint pgbench_history_aid_fkey foreign key (aid) references pgbench_accounts",
                    "vacuum pgbench_tellers",
                    "truncate pgbench_history",
                    "BEGIN",
                    "UPDATE pgbench_accounts SET abalance = abalance + 2175 WHERE aid = 2",
                    "SELECT abalance FROM pgbench_accounts WHERE aid = 2",
                    "UPDATE pgbench_tellers SET tbalance = tbalance + 2175 WHERE tid = 1",
                    "UPDATE pgbench_branches SET bbalance = bbalance + 2175 WHERE bid = 1",
                    "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (1, 1, 2, 2175, CURRENT_TIMESTAMP)",
                    "END");
            assertThat(one(connection, """
                            select o.n, p.partstrat, pg_catalog.count(i.inhparent) from pg_catalog.pg_class as c \
                            join pg_catalog.pg_namespace as n on (n.oid = c.relnamespace) cross join lateral (select \
                            pg_catalog.array_position(pg_catalog.current_schemas(true), n.nspname)) as o(n) left join \
                            pg_catalog.pg_partitioned_table as p on (p.partrelid = c.oid) left join pg_catalog.pg_inherits as i \
                            on (c.oid = i.inhparent) where c.relname = 'pgbench_accounts' and o.n is not null \
                            group by 1, 2 order by 1 asc limit 1""")).isEqualTo("2");
            assertThat(one(connection, "SELECT SUM(delta) FROM pgbench_history"))
                    .isEqualTo("2175");
            assertConsistent(connection);
        }
    }

    @Test
    void shouldServeTheProgram() throws Exception {
        Path program = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(entry -> Path.of(entry, "pgbench"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeTrue(program != null, "pgbench is not installed");

        pgbench(program, "-i", "-q");
        pgbench(program, "-i", "-q", "-I", "dtGvpf");
        assertThat(pgbench(program, "-c", "2", "-t", "20", "-M", "prepared", "-S"))
                .contains("number of transactions actually processed: 40/40");
        assertThat(pgbench(program, "-c", "2", "-t", "20"))
                .contains("number of transactions actually processed: 40/40");

        try (Connection connection = server.connect()) {
            assertThat(one(connection, "SELECT COUNT(*) FROM pgbench_history")).isEqualTo("40");
            assertConsistent(connection);
        }
    }

    private String pgbench(Path program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString(), "-h", "127.0.0.1", "-U", "ann"));
        command.addAll(List.of("-p", Integer.toString(server.port())));
        command.addAll(List.of(arguments));
        command.add("bank");
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        process.destroyForcibly();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(ended).as(text).isTrue();
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }
}
