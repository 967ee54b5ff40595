package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionMetadata;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.R2dbcDataIntegrityViolationException;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcRollbackException;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.Statement;
import io.reprise.engine.Options;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** The PostgreSQL port by r2dbc-postgresql, the driver of reactive programs. */
final class PostgresReactiveTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String CONFLICT = "40001";

    private PostgresServer server;
    private ConnectionFactory connections;

    @BeforeEach
    void open() {
        server = PostgresServer.open(Options.create().partitions(2).ddl("""
                        CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, owner VARCHAR(20), balance DECIMAL(12,2) CHECK (balance >= 0));
                        PARTITION TABLE account ON COLUMN id;
                        """));
        connections = ConnectionFactories.get("r2dbc:postgresql://ann@127.0.0.1:" + server.port() + "/bank");
        execute("INSERT INTO account VALUES (1, 'Ann', 100), (2, 'Bob', 50)");
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Runs work with a connection of its own, and waits for its last value. */
    private <T> T with(Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(connections.create(), work, Connection::close).block(LIMIT);
    }

    private long execute(String sql) {
        return with(connection -> written(connection.createStatement(sql)));
    }

    private static Mono<Long> written(Statement statement) {
        return Flux.from(statement.execute()).flatMap(Result::getRowsUpdated).reduce(0L, Long::sum);
    }

    private static <T> Mono<List<T>> rows(Statement statement, Function<Row, T> row) {
        return Flux.from(statement.execute())
                .concatMap(result -> result.map((each, metadata) -> row.apply(each)))
                .collectList();
    }

    private BigDecimal balance(long id) {
        return with(connection -> rows(
                        connection
                                .createStatement("SELECT balance FROM account WHERE id = $1")
                                .bind("$1", id),
                        row -> row.get("balance", BigDecimal.class)))
                .getFirst();
    }

    @Test
    void shouldBindParametersAndReadRows() {
        List<String> owners = with(connection -> rows(
                connection
                        .createStatement("SELECT id, owner FROM account WHERE balance > $1 AND owner <> $2 ORDER BY id")
                        .bind("$1", new BigDecimal("20.5"))
                        .bind("$2", "Cid"),
                row -> row.get("id", Long.class) + " " + row.get("owner", String.class)));

        long inserted = with(connection -> written(connection
                .createStatement("INSERT INTO account VALUES ($1, $2, $3)")
                .bind("$1", 3L)
                .bindNull("$2", String.class)
                .bind("$3", BigDecimal.ONE)));
        List<Boolean> unknown = with(connection -> rows(
                connection.createStatement("SELECT owner IS NULL FROM account WHERE id = 3"),
                row -> row.get(0, Boolean.class)));

        assertThat(owners).containsExactly("1 Ann", "2 Bob");
        assertThat(inserted).isEqualTo(1);
        assertThat(unknown).containsExactly(true);
    }

    @Test
    void shouldCarryEachType() {
        execute("""
                CREATE TABLE thing (id INTEGER PRIMARY KEY, flag BOOLEAN, small SMALLINT, r REAL, d DOUBLE PRECISION, n DECIMAL(18,6),
                    t TEXT, b BYTEA, u UUID, day DATE, at TIMESTAMP, zoned TIMESTAMPTZ, clock TIME, j JSON, list INTEGER[])
                """);
        UUID uuid = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        Object[] values = {
            7,
            true,
            (short) -3,
            1.5f,
            2.25,
            new BigDecimal("12.345678"),
            "naïve",
            ByteBuffer.wrap(new byte[] {0, 1, -1}),
            uuid,
            LocalDate.of(2026, 1, 31),
            LocalDateTime.of(2026, 1, 31, 12, 0, 0, 500_000_000),
            OffsetDateTime.parse("2026-01-31T12:00:00+02:00"),
            LocalTime.of(23, 59),
            "{\"a\": 1}",
            new Integer[] {3, 4}
        };

        with(connection -> {
            Statement insert = connection.createStatement(
                    "INSERT INTO thing VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, CAST($14 AS JSON), $15)");
            for (int i = 0; i < values.length; i++) {
                insert.bind(i, values[i]);
            }
            return written(insert);
        });
        List<Object> read = with(connection -> rows(connection.createStatement("SELECT * FROM thing"), row -> {
                    List<Object> fields = new ArrayList<>();
                    for (int i = 0; i < values.length; i++) {
                        Class<?> type = i == 7 ? ByteBuffer.class : i == 13 ? String.class : values[i].getClass();
                        fields.add(row.get(i, type));
                    }
                    return fields;
                }))
                .getFirst();

        assertThat(((OffsetDateTime) read.get(11)).toInstant()).isEqualTo(((OffsetDateTime) values[11]).toInstant());
        read.set(11, values[11]);
        assertThat(read).containsExactly(values);
    }

    @Test
    void shouldRunBatchesAndReturnGeneratedValues() {
        execute("CREATE TABLE note (id SERIAL PRIMARY KEY, title TEXT)");

        List<Integer> ids = with(connection -> {
            Statement insert = connection
                    .createStatement("INSERT INTO note (title) VALUES ($1)")
                    .returnGeneratedValues("id");
            return rows(
                    insert.bind("$1", "a").add().bind("$1", "b").add().bind("$1", "c"),
                    row -> row.get("id", Integer.class));
        });
        Long changed = with(connection -> Flux.from(connection
                        .createBatch()
                        .add("UPDATE note SET title = 'x' WHERE id = 1")
                        .add("DELETE FROM note WHERE id > 1")
                        .execute())
                .concatMap(Result::getRowsUpdated)
                .reduce(0L, Long::sum));

        assertThat(ids).containsExactly(1, 2, 3);
        assertThat(changed).isEqualTo(3);
    }

    @Test
    void shouldFetchALongResultInParts() {
        List<Long> numbers = with(connection -> rows(
                connection
                        .createStatement("SELECT n FROM GENERATE_SERIES(1, 5000) AS n ORDER BY n")
                        .fetchSize(100),
                row -> row.get(0, Long.class)));

        assertThat(numbers).hasSize(5000).isSorted().endsWith(5000L);
    }

    @Test
    void shouldCommitAndRollBack() {
        with(connection -> Mono.from(connection.beginTransaction(IsolationLevel.READ_COMMITTED))
                .then(written(connection.createStatement("UPDATE account SET balance = 1")))
                .then(Mono.from(connection.rollbackTransaction())));
        assertThat(balance(1)).isEqualByComparingTo("100");

        with(connection -> Mono.from(connection.beginTransaction())
                .then(written(connection.createStatement("UPDATE account SET balance = balance - 30 WHERE id = 1")))
                .then(Mono.from(connection.createSavepoint("before")))
                .then(written(connection.createStatement("UPDATE account SET balance = -1 WHERE id = 2"))
                        .onErrorResume(
                                R2dbcDataIntegrityViolationException.class,
                                e -> Mono.from(connection.rollbackTransactionToSavepoint("before"))
                                        .thenReturn(0L)))
                .then(written(connection.createStatement("UPDATE account SET balance = balance + 30 WHERE id = 2")))
                .then(Mono.from(connection.commitTransaction())));

        assertThat(balance(1)).isEqualByComparingTo("70");
        assertThat(balance(2)).isEqualByComparingTo("80");
    }

    @Test
    void shouldRunATransactionAgainWhenAnotherOneOvertakesIt() {
        List<BigDecimal> seen = new ArrayList<>();

        Mono<Void> transfer = Mono.usingWhen(
                connections.create(),
                connection -> Mono.from(connection.beginTransaction())
                        .then(rows(
                                connection.createStatement("SELECT balance FROM account WHERE id = 1"),
                                row -> row.get(0, BigDecimal.class)))
                        .flatMap(read -> {
                            seen.add(read.getFirst());
                            Mono<Long> other = seen.size() == 1
                                    ? Mono.usingWhen(
                                            connections.create(),
                                            second -> written(second.createStatement(
                                                    "UPDATE account SET balance = balance + 5 WHERE id = 1")),
                                            Connection::close)
                                    : Mono.just(0L);
                            return other.then(written(connection
                                    .createStatement("UPDATE account SET balance = $1 WHERE id = 1")
                                    .bind("$1", read.getFirst().subtract(BigDecimal.TEN))));
                        })
                        .then(Mono.from(connection.commitTransaction())),
                Connection::close);
        transfer.retryWhen(Retry.max(3)
                        .filter(failure -> failure instanceof R2dbcException e && CONFLICT.equals(e.getSqlState())))
                .block(LIMIT);

        assertThat(seen)
                .usingElementComparator(BigDecimal::compareTo)
                .containsExactly(new BigDecimal(100), new BigDecimal(105));
        assertThat(balance(1)).isEqualByComparingTo("95");
    }

    @Test
    void shouldTellTheKindOfAFailure() {
        assertThatThrownBy(() -> execute("INSERT INTO account VALUES (1, 'Cid', 0)"))
                .isInstanceOfSatisfying(
                        R2dbcDataIntegrityViolationException.class,
                        e -> assertThat(e.getSqlState()).isEqualTo("23505"));
        assertThatThrownBy(() -> execute("SELECT name FROM account"))
                .isInstanceOfSatisfying(
                        R2dbcException.class, e -> assertThat(e.getSqlState()).isEqualTo("42703"));
        assertThatThrownBy(() -> with(connection -> Mono.from(connection.setStatementTimeout(Duration.ofMillis(50)))
                        .then(rows(
                                connection.createStatement("SELECT COUNT(*) FROM GENERATE_SERIES(1, 1000000000) AS n"),
                                row -> row.get(0, Long.class)))))
                .isInstanceOfSatisfying(
                        R2dbcException.class, e -> assertThat(e.getSqlState()).isEqualTo("57014"));
        assertThatThrownBy(() -> with(connection -> Mono.from(connection.beginTransaction())
                        .then(rows(
                                connection.createStatement("SELECT balance FROM account WHERE id = 1"),
                                row -> row.get(0, BigDecimal.class)))
                        .then(Mono.fromCallable(() -> execute("UPDATE account SET balance = 7 WHERE id = 1"))
                                .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic()))
                        .then(written(connection.createStatement("UPDATE account SET balance = 8 WHERE id = 1")))
                        .then(Mono.from(connection.commitTransaction()))))
                .isInstanceOfSatisfying(
                        R2dbcRollbackException.class,
                        e -> assertThat(e.getSqlState()).isEqualTo(CONFLICT));
    }

    @Test
    void shouldTellTheProduct() {
        ConnectionMetadata metadata = with(connection -> Mono.just(connection.getMetadata()));

        assertThat(metadata.getDatabaseProductName()).isEqualTo("PostgreSQL");
        assertThat(metadata.getDatabaseVersion()).startsWith("16");
    }
}
