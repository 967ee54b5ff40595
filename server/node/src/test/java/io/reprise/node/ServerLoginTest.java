package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.util.ResourceLeakDetector;
import io.reprise.access.AccessMeter;
import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.access.LoginStart;
import io.reprise.access.Logins;
import io.reprise.access.PasswordHash;
import io.reprise.access.Protection;
import io.reprise.access.RevokedCertificates;
import io.reprise.access.Rights;
import io.reprise.access.User;
import io.reprise.access.Users;
import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ClientTls;
import io.reprise.client.ErrorCode;
import io.reprise.client.UnknownOutcomeException;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.security.NodeSecurity;
import io.reprise.node.security.UsersFile;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Hello;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Logins over real sockets, without TLS, and what users may do. */
final class ServerLoginTest {
    private static final String PASSWORD = "a long password";
    private static final PasswordHash HASH = PasswordHash.of(PASSWORD);

    /** Takes some seconds, in which many calls can be made, to be found wrong. */
    private static final PasswordHash SLOW_HASH = new PasswordHash(6_000_000, HASH.salt(), HASH.hash());

    private static final String TOKEN = "the node's token";
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE AddAccount PARTITION ON TABLE account COLUMN id AS INSERT INTO account VALUES (?, ?);
            CREATE PROCEDURE FindAccount PARTITION ON TABLE account COLUMN id AS SELECT balance FROM account WHERE id = ?;
            """;

    @TempDir
    Path folder;

    private final AccessMeter meter = new AccessMeter();
    private UsersFile users;
    private NodeSecurity security;
    private Server server;

    @BeforeEach
    void open() {
        users = new UsersFile(folder.resolve("users"));
        users.change(none -> none.with(user("all", "call,sql,read,watch,administer", HASH))
                .with(user("caller", "call", HASH))
                .with(user("shop", "call:addaccount", HASH))
                .with(user("reader", "read", HASH))
                .with(user("writer", "sql", HASH))
                .with(user("slow", "call", SLOW_HASH))
                .with(user("watcher", "watch,administer", HASH)));
        server = serve(PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    private Server serve(PortSettings settings) {
        security = NodeSecurity.open(
                new NodeConfiguration.Security(
                        Optional.empty(), Optional.empty(), Optional.of(users.path()), Optional.empty()),
                "test",
                TOKEN,
                meter);
        return Server.open(
                Options.create().partitions(2).ddl(DDL).memoryPerPartition(64 << 20),
                settings.withProtection(
                        security.protection(settings.listen().protection().open())));
    }

    @AfterEach
    void close() {
        server.close();
        security.close();
    }

    private void allow(String name, String roles) {
        allow(name, roles, HASH);
    }

    private void allow(String name, String roles, PasswordHash hash) {
        users.change(known -> known.with(user(name, roles, hash)));
    }

    private static User user(String name, String roles, PasswordHash hash) {
        return new User(name, Rights.parse(List.of(roles.split(","))), Optional.of(hash));
    }

    private ClientSettings settings() {
        return PatientClient.of(server.address());
    }

    private Client client(String name) {
        return Client.connect(settings().withUser(name, PASSWORD));
    }

    private static ErrorCode failure(Runnable action) {
        try {
            action.run();
            return null;
        } catch (CallException e) {
            assertThat(e.retryIsSafe()).as("of " + e.getMessage()).isFalse();
            return e.code();
        }
    }

    @Test
    void shouldAllowEachUserWhatHisRolesSay() {
        String insert = "INSERT INTO account VALUES (?, 1)";
        String select = "SELECT COUNT(*) FROM account";
        ErrorCode no = ErrorCode.NOT_PERMITTED;
        try (Client all = client("all");
                Client caller = client("caller");
                Client shop = client("shop");
                Client reader = client("reader");
                Client writer = client("writer");
                Client watcher = client("watcher")) {
            assertThat(failure(() -> all.call("AddAccount", 1, 1))).isNull();
            assertThat(failure(() -> caller.call("AddAccount", 2, 1))).isNull();
            assertThat(failure(() -> shop.call("AddAccount", 3, 1))).isNull();
            assertThat(failure(() -> reader.call("AddAccount", 4, 1))).isEqualTo(no);
            assertThat(failure(() -> writer.call("AddAccount", 5, 1))).isEqualTo(no);
            assertThat(failure(() -> watcher.call("AddAccount", 6, 1))).isEqualTo(no);

            assertThat(failure(() -> caller.call("FindAccount", 1))).isNull();
            assertThat(failure(() -> shop.call("FindAccount", 1))).isEqualTo(no);
            assertThat(failure(() -> reader.call("FindAccount", 1))).isNull();
            assertThat(failure(() -> writer.call("FindAccount", 1))).isEqualTo(no);

            assertThat(failure(() -> all.sql(insert, 10))).isNull();
            assertThat(failure(() -> caller.sql(insert, 11))).isEqualTo(no);
            assertThat(failure(() -> shop.sql(insert, 12))).isEqualTo(no);
            assertThat(failure(() -> reader.sql(insert, 13))).isEqualTo(no);
            assertThat(failure(() -> writer.sql(insert, 14))).isNull();
            assertThat(failure(() -> watcher.sql(insert, 15))).isEqualTo(no);

            assertThat(failure(() -> caller.sql(select))).isEqualTo(no);
            assertThat(failure(() -> reader.sql(select))).isNull();
            assertThat(failure(() -> writer.sql(select))).isNull();
            assertThat(failure(() -> watcher.sql(select))).isEqualTo(no);

            assertThat(failure(() -> reader.sql("SELECT nothing FROM nowhere"))).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(failure(() -> shop.call("Nothing"))).isEqualTo(ErrorCode.INVALID_REQUEST);
            var rows = all.sql("SELECT id FROM account ORDER BY id").rows();
            assertThat(rows.count()).isEqualTo(5);
        }
        assertThat(meter.notPermitted()).isEqualTo(11);
        assertThat(meter.logins(LoginOutcome.Kind.ACCEPTED)).isEqualTo(6);
    }

    @Test
    void shouldLetOnlyAdministratorsChangeTheSchema() {
        try (Client all = client("all");
                Client writer = client("writer");
                Client watcher = client("watcher")) {
            assertThat(failure(() -> writer.ddl("CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY)")))
                    .isEqualTo(ErrorCode.NOT_PERMITTED);
            assertThat(failure(() -> watcher.ddl("CREATE TABLE b (id BIGINT NOT NULL PRIMARY KEY)")))
                    .isNull();
            assertThatThrownBy(() -> writer.deploy(new byte[3 << 20], "DROP TABLE b"))
                    .hasMessage("user writer may not do this; it needs the role administer");

            assertThat(failure(() -> all.sql("SELECT * FROM a"))).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(failure(() -> all.sql("SELECT * FROM b"))).isNull();
        }
        assertThat(meter.notPermitted()).isEqualTo(2);
    }

    @Test
    void shouldSayWhichRoleIsMissing() {
        try (Client reader = client("reader")) {
            assertThatThrownBy(() -> reader.call("AddAccount", 1, 1))
                    .hasMessage("user reader may not call ADDACCOUNT; it needs the role call, or call:ADDACCOUNT");
            assertThatThrownBy(() -> reader.sql("DELETE FROM account"))
                    .hasMessage("user reader may only run statements that read; it needs the role sql");
        }
    }

    @Test
    void shouldRefuseACallByANumberThatTheUserWasNotGiven() throws IOException {
        int handle;
        try (RawConnection all = greeted("all")) {
            handle = all.handle("AddAccount");
        }
        try (RawConnection reader = greeted("reader")) {
            assertThat(reader.handle("AddAccount")).isZero();

            Failure failure = reader.call(handle, 0, 0, 1, 1).getFailure();

            assertThat(failure.getCode()).isEqualTo(Failure.Code.NOT_PERMITTED);
            assertThat(failure.getRetryIsSafe()).isFalse();
        }
        assertThat(server.engine()
                        .stats()
                        .partitions()
                        .get(0)
                        .tables()
                        .get("ACCOUNT")
                        .rows())
                .isZero();
    }

    private RawConnection greeted(String name) throws IOException {
        RawConnection connection = new RawConnection(server.address());
        connection.sendFrame(Wire.HELLO, hello(name, PASSWORD));
        assertThat(connection.read().kind()).isEqualTo(Wire.WELCOME);
        return connection;
    }

    private static byte[] hello(String name, String password) {
        return Hello.newBuilder()
                .setLeastVersion(1)
                .setGreatestVersion(1)
                .setUser(name)
                .setPassword(password)
                .build()
                .toByteArray();
    }

    @Test
    void shouldRefuseWhoIsNotWhoHeSaysAtOnceAndInTheSameWords() {
        assertRefused(settings().withUser("all", "wrong password"), "there is no user of this name with this password");
        assertRefused(settings().withUser("nobody", PASSWORD), "there is no user of this name with this password");
        assertRefused(settings(), "this server wants a user and a password");
    }

    private static void assertRefused(ClientSettings settings, String why) {
        // This must not wait for the time for connecting.
        long beganNs = System.nanoTime();
        assertThatThrownBy(() -> Client.connect(settings).close())
                .isInstanceOfSatisfying(CallException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.NOT_AUTHENTICATED);
                    assertThat(e.retryIsSafe()).isFalse();
                })
                .hasMessageContaining(why);
        assertThat(Duration.ofNanos(System.nanoTime() - beganNs))
                .isLessThan(settings.connectTimeout().dividedBy(2));
    }

    @Test
    void shouldLetInWhoHasTheToken() {
        try (Client owner = Client.connect(settings().withUser(User.TOKEN_NAME, TOKEN))) {
            assertThat(owner.call("AddAccount", 1, 1).longValue()).isEqualTo(1);
        }
    }

    @Test
    void shouldTakeOverNewRolesWhileAConnectionIsOpen() {
        try (Client shop = client("shop")) {
            assertThat(failure(() -> shop.call("FindAccount", 1))).isEqualTo(ErrorCode.NOT_PERMITTED);

            allow("shop", "call:FindAccount");
            await(() -> failure(() -> shop.call("FindAccount", 1)) == null);

            assertThat(failure(() -> shop.call("AddAccount", 1, 1))).isEqualTo(ErrorCode.NOT_PERMITTED);
        }
    }

    @Test
    void shouldEndTheConnectionsOfWhoIsRemoved() {
        try (Client caller = client("caller");
                Client shop = client("shop")) {
            caller.call("AddAccount", 1, 1);

            users.change(known -> known.without("caller"));
            await(() -> {
                ErrorCode code = failure(() -> callOnce(caller));
                return code == ErrorCode.NOT_AUTHENTICATED;
            });

            assertThat(failure(() -> shop.call("AddAccount", 7, 1))).isNull();
        }
    }

    private static void callOnce(Client client) {
        try {
            client.call("FindAccount", 1);
        } catch (UnknownOutcomeException betweenTheTwo) {
            assertThat(betweenTheTwo).hasMessageContaining("was removed");
        }
    }

    @Test
    void shouldEndTheConnectionsOfWhoHasAnotherPasswordAndTakeTheNewOne() throws IOException {
        try (RawConnection caller = greeted("caller")) {
            allow("caller", "call", PasswordHash.of("another password"));

            Goodbye goodbye = caller.readGoodbye();

            assertThat(goodbye.getReason()).isEqualTo(Goodbye.Reason.NOT_AUTHENTICATED);
            assertThat(goodbye.getMessage()).contains("caller");
        }
        try (Client caller = Client.connect(settings().withUser("caller", "another password"))) {
            assertThat(failure(() -> caller.call("AddAccount", 1, 1))).isNull();
        }
    }

    @Test
    void shouldGoOnWithTheUsersThatThereWereWhenTheFileIsBroken() throws IOException {
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Logger log = (Logger) LoggerFactory.getLogger("io.reprise.access");
        log.addAppender(told);

        Files.writeString(users.path(), "this is no user\n");
        await(() -> List.copyOf(told.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .anyMatch(text -> text.contains("the users before stay: " + users.path() + ", line 1: ")));

        log.detachAppender(told);
        try (Client caller = client("caller")) {
            assertThat(failure(() -> caller.call("AddAccount", 1, 1))).isNull();
        }
    }

    @Test
    void shouldNotWaitForSlowHashesWhenCallsAreMade() throws IOException {
        try (Client caller = client("caller");
                RawConnection guessing = new RawConnection(server.address())) {
            guessing.sendFrame(Wire.HELLO, hello("slow", "a guess"));

            for (int i = 0; i < 50; i++) {
                caller.call("FindAccount", i);
            }

            assertThat(meter.logins(LoginOutcome.Kind.REFUSED))
                    .as("guesses that were looked at before the calls were answered")
                    .isZero();
        }
    }

    @Test
    void shouldLookAtFewOfManyGuessesAndLetInWhoWasThereBefore() throws IOException {
        try (Client caller = client("caller")) {
            caller.call("FindAccount", 1);
            RawConnection[] guessing = new RawConnection[30];
            for (int i = 0; i < guessing.length; i++) {
                guessing[i] = new RawConnection(server.address());
                guessing[i].sendFrame(Wire.HELLO, hello("all", "guess " + i));
            }

            int refused = 0;
            int turnedAway = 0;
            for (RawConnection connection : guessing) {
                Goodbye.Reason reason = connection.readGoodbye().getReason();
                refused += reason == Goodbye.Reason.NOT_AUTHENTICATED ? 1 : 0;
                turnedAway += reason == Goodbye.Reason.TOO_MANY_LOGINS ? 1 : 0;
                connection.close();
            }
            assertThat(refused).isBetween(5, 10);
            assertThat(refused + turnedAway).isEqualTo(guessing.length);
            try (Client again = client("caller")) {
                assertThat(failure(() -> again.call("FindAccount", 1))).isNull();
            }
        }
    }

    @Test
    void shouldEndAConnectionThatSendsMoreBeforeTheWelcome() throws IOException {
        try (RawConnection connection = new RawConnection(server.address())) {
            byte[] hello = RawConnection.frame(Wire.HELLO, hello("all", PASSWORD));
            byte[] more = RawConnection.callFrame(1, 1, 0, new ArgumentWriter());
            byte[] both = java.util.Arrays.copyOf(hello, hello.length + more.length);
            System.arraycopy(more, 0, both, hello.length, more.length);

            Goodbye goodbye = connection.send(both).readGoodbye();

            assertThat(goodbye.getReason()).isEqualTo(Goodbye.Reason.MALFORMED);
            assertThat(goodbye.getMessage()).contains("before the Welcome");
        }
    }

    @Test
    void shouldStandWhateverAHelloIs() throws IOException {
        long seed = 20_261_122;
        Random random = new Random(seed);
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        for (int i = 0; i < 300; i++) {
            byte[] hello = hello("x".repeat(random.nextInt(80)), "");
            for (int j = random.nextInt(4); j >= 0; j--) {
                hello[random.nextInt(hello.length)] = (byte) random.nextInt();
            }
            try (RawConnection connection = new RawConnection(server.address())) {
                connection.sendFrame(Wire.HELLO, hello);
                RawConnection.Frame answer = connection.read();
                assertThat(answer == null ? 0 : answer.kind())
                        .as("hello " + i + " of seed " + seed)
                        .isNotEqualTo(Wire.WELCOME);
            }
        }
        ResourceLeakDetector.setLevel(level);
        try (Client owner = Client.connect(settings().withUser(User.TOKEN_NAME, TOKEN))) {
            assertThat(owner.call("AddAccount", 1, 1).longValue()).isEqualTo(1);
        }
    }

    /** Its size is more than an array can have, so that there is no memory for it. */
    @Test
    void shouldTakeUsersAwayAfterAFileThatWasTooLong() throws Exception {
        try (RandomAccessFile huge = new RandomAccessFile(users.path().toFile(), "rw")) {
            huge.setLength(3L << 30);
        }
        Logger logger = (Logger) LoggerFactory.getLogger("io.reprise.access");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        await(() -> !log.list.isEmpty());
        logger.detachAppender(log);

        Files.delete(users.path());
        users.change(none -> none.with(user("caller", "call", HASH)));

        Logins logins = security.protection(false).logins().orElseThrow();
        await(() -> logins.users().find("all").isEmpty());
    }

    /** Several, so that one is on the network thread that looks after all. */
    @Test
    void shouldLookAfterConnectionsAgainWhenThatHasFailed() throws Exception {
        int count = 4;
        UnsteadyLogins logins = new UnsteadyLogins();
        PortSettings settings = PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withPatienceMs(1_000)
                .withProtection(new Protection(Optional.empty(), Optional.of(logins), false));
        RawConnection[] silent = new RawConnection[count];
        try (Server looking =
                Server.open(Options.create().partitions(1).ddl(DDL).memoryPerPartition(64 << 20), settings)) {
            for (int i = 0; i < count; i++) {
                silent[i] = new RawConnection(looking.address());
            }
            await(() -> logins.thrown.get() >= count);
            logins.steady = true;

            for (RawConnection connection : silent) {
                assertThat(connection.readGoodbye().getReason()).isEqualTo(Goodbye.Reason.TIMED_OUT);
                connection.close();
            }
        }
    }

    /** Fails whoever looks at the users until it does not any more. */
    private static final class UnsteadyLogins implements Logins {
        private final AtomicInteger thrown = new AtomicInteger();
        private volatile boolean steady;

        @Override
        public void login(Claim claim, Consumer<LoginOutcome> told) {
            throw new AssertionError("nobody logs in");
        }

        @Override
        public void start(Claim claim, Consumer<LoginStart> told) {
            throw new AssertionError("nobody logs in");
        }

        @Override
        public Users users() {
            if (!steady) {
                thrown.incrementAndGet();
                throw new OutOfMemoryError("as it was told to say");
            }
            return Users.NONE;
        }

        @Override
        public RevokedCertificates revoked() {
            return RevokedCertificates.NONE;
        }

        @Override
        public AccessMeter meter() {
            return new AccessMeter();
        }
    }

    @Test
    void shouldTellATlsClientThatThePortSpeaksNoTls() {
        assertThatThrownBy(() -> Client.connect(
                                settings().withUser("all", PASSWORD).withTls(ClientTls.trustingUsualAuthorities()))
                        .close())
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED))
                .hasMessageContaining("the server does not speak TLS on this port");
    }

    @Test
    void shouldNotSendAPasswordToAnotherMachineWithoutTls() throws Exception {
        Optional<InetAddress> outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        org.junit.jupiter.api.Assumptions.assumeTrue(outside.isPresent(), "this machine has only itself");
        close();
        assertThatThrownBy(() -> serve(PortSettings.at(new InetSocketAddress(outside.get(), 0))))
                .hasMessageContaining("there is no TLS");
        security.close();
        server = serve(PortSettings.at(new InetSocketAddress(outside.get(), 0)).withoutProtection());

        assertRefused(settings().withUser("caller", PASSWORD), "the password was not sent");
        try (Client caller =
                Client.connect(settings().withUser("caller", PASSWORD).withPasswordInTheClear())) {
            assertThat(failure(() -> caller.call("AddAccount", 1, 1))).isNull();
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long untilNs = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("it has not happened in a minute").isLessThan(untilNs);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
