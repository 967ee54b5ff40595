package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.reprise.engine.Options;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.output.MigrateResult;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The libraries that Java programs put between themselves and a driver: HikariCP, Hibernate and Flyway. */
final class PostgresLibrariesTest {
    private PostgresServer server;

    @BeforeEach
    void open() {
        server = PostgresServer.open(Options.create().partitions(2));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.url());
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    @Test
    void shouldServeAPool() throws SQLException, InterruptedException, ExecutionException {
        try (HikariDataSource pool = pool(4);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE hit (id BIGINT PRIMARY KEY, many BIGINT NOT NULL)");
                statement.execute("INSERT INTO hit VALUES (1, 0)");
            }
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                tasks.add(() -> hit(pool));
            }
            for (Future<Integer> each : threads.invokeAll(tasks)) {
                assertThat(each.get()).isEqualTo(20);
            }
            try (Connection connection = pool.getConnection();
                    ResultSet rows = connection.createStatement().executeQuery("SELECT many FROM hit")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(160);
            }
        }
    }

    private static int hit(HikariDataSource pool) throws SQLException {
        int done = 0;
        while (done < 20) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                try (Statement statement = connection.createStatement()) {
                    done += statement.executeUpdate("UPDATE hit SET many = many + 1 WHERE id = 1");
                }
                connection.commit();
            }
        }
        return done;
    }

    /** A customer; its version tells Hibernate of changes by others. */
    @Entity(name = "Customer")
    @Table(name = "customer")
    public static class Customer {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        private Long id;

        @Column(length = 40, nullable = false)
        private String name;

        private LocalDate since;
        private boolean active;

        @Version
        private int version;

        @OneToMany(mappedBy = "customer", cascade = CascadeType.ALL, orphanRemoval = true)
        private List<Bill> bills = new ArrayList<>();

        /** For Hibernate. */
        protected Customer() {}

        Customer(String name) {
            this.name = name;
            since = LocalDate.of(2024, 2, 29);
            active = true;
        }

        void bill(String amount) {
            bills.add(new Bill(this, new BigDecimal(amount)));
        }
    }

    /** A bill of a customer. */
    @Entity(name = "Bill")
    @Table(name = "bill")
    public static class Bill {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        private Long id;

        @ManyToOne(optional = false)
        private Customer customer;

        @Column(precision = 12, scale = 2)
        private BigDecimal amount;

        @Column(name = "written_at")
        private LocalDateTime writtenAt;

        /** For Hibernate. */
        protected Bill() {}

        Bill(Customer customer, BigDecimal amount) {
            this.customer = customer;
            this.amount = amount;
            writtenAt = LocalDateTime.of(2024, 2, 29, 23, 59, 59);
        }
    }

    private SessionFactory hibernate() {
        return new Configuration()
                .addAnnotatedClass(Customer.class)
                .addAnnotatedClass(Bill.class)
                .setProperty("hibernate.connection.url", server.url())
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .buildSessionFactory();
    }

    @Test
    void shouldServeHibernate() {
        try (SessionFactory hibernate = hibernate()) {
            long ann = hibernate.fromTransaction(session -> {
                Customer customer = new Customer("Ann");
                customer.bill("12.50");
                customer.bill("0.05");
                session.persist(customer);
                session.persist(new Customer("Bob"));
                return customer.id;
            });
            hibernate.inTransaction(session -> {
                Customer customer = session.find(Customer.class, ann);
                assertThat(customer.since).isEqualTo(LocalDate.of(2024, 2, 29));
                assertThat(customer.active).isTrue();
                assertThat(customer.bills).hasSize(2);
                assertThat(customer.bills).allMatch(bill -> bill.customer == customer);
                assertThat(customer.bills.getFirst().writtenAt).isEqualTo(LocalDateTime.of(2024, 2, 29, 23, 59, 59));
                customer.bills.removeFirst();
                customer.name = "Anne";
            });
            hibernate.inTransaction(session -> {
                assertThat(session.createSelectionQuery(
                                        "select c.name, count(b), sum(b.amount) from Customer c left join c.bills b"
                                                + " group by c.name order by c.name",
                                        Object[].class)
                                .getResultList())
                        .extracting(row -> row[0] + "|" + row[1] + "|" + row[2])
                        .containsExactly("Anne|1|0.05", "Bob|0|null");
                assertThat(session.createSelectionQuery("from Customer c where c.name like :name", Customer.class)
                                .setParameter("name", "B%")
                                .setMaxResults(1)
                                .getResultList())
                        .hasSize(1);
                assertThat(session.createMutationQuery("delete from Bill b where b.amount < :most")
                                .setParameter("most", new BigDecimal("1.00"))
                                .executeUpdate())
                        .isEqualTo(1);
            });
        }
        // A second start finds the tables, and has nothing to change.
        hibernate().close();
    }

    @Test
    void shouldTellHibernateOfAnOvertakenVersion() {
        try (SessionFactory hibernate = hibernate()) {
            long id = hibernate.fromTransaction(session -> {
                Customer customer = new Customer("Ann");
                session.persist(customer);
                return customer.id;
            });

            assertThatThrownBy(() -> hibernate.inTransaction(session -> {
                        session.find(Customer.class, id).name = "late";
                        hibernate.inTransaction(other -> other.find(Customer.class, id).name = "first");
                    }))
                    .isInstanceOf(OptimisticLockException.class);

            assertThat(hibernate.<String>fromTransaction(session -> session.find(Customer.class, id).name))
                    .isEqualTo("first");
        }
    }

    private MigrateResult migrate(Path folder) {
        return Flyway.configure()
                .dataSource(server.url(), null, null)
                .locations("filesystem:" + folder)
                .load()
                .migrate();
    }

    @Test
    void shouldServeFlyway(@TempDir Path folder) throws IOException, SQLException {
        Files.writeString(folder.resolve("V1__accounts.sql"), """
                CREATE TABLE account (id BIGINT PRIMARY KEY, owner VARCHAR(20));
                PARTITION TABLE account ON COLUMN id;
                INSERT INTO account VALUES (1, 'Ann'), (2, 'Bob');
                """);
        assertThat(migrate(folder).migrationsExecuted).isEqualTo(1);
        Files.writeString(folder.resolve("V2__balances.sql"), """
                ALTER TABLE account ADD COLUMN balance DECIMAL(12,2) DEFAULT 0 NOT NULL;
                CREATE INDEX by_owner ON account (owner);
                UPDATE account SET balance = 5 WHERE id = 2;
                """);

        assertThat(migrate(folder).migrationsExecuted).isEqualTo(1);
        assertThat(migrate(folder).migrationsExecuted).isZero();

        try (Connection connection = server.connect();
                ResultSet rows = connection
                        .createStatement()
                        .executeQuery("SELECT id, owner, balance FROM account ORDER BY id")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(3)).isEqualTo("0.00");
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(3)).isEqualTo("5.00");
        }
    }
}
