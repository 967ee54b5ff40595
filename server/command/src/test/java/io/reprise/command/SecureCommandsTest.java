package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.configuration.ConfigurationFile;
import io.reprise.node.process.NodeProcess;
import io.reprise.node.process.RunFile;
import io.reprise.node.security.Certificates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands about users, and the others at a node with TLS and users. */
final class SecureCommandsTest {
    @TempDir
    Path folder;

    private record Run(int code, String out, String err) {}

    private static Run reprise(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = RepriseCommand.run(out, err, arguments);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /**
     * With its first connection a process loads all that TLS and a client consist of, which may take longer than connecting may where
     * others want the processor: then it is made again.
     */
    private static Run reached(String... arguments) {
        Run first = reprise(arguments);
        return first.err().contains("did not answer within") ? reprise(arguments) : first;
    }

    private String passwordFile(String password) throws IOException {
        return Files.writeString(folder.resolve(password.hashCode() + ".password"), password + "\n")
                .toString();
    }

    private Run user(String command, String... arguments) {
        String[] all = new String[arguments.length + 4];
        all[0] = "user";
        all[1] = command;
        all[2] = "--file";
        all[3] = folder.resolve("users").toString();
        System.arraycopy(arguments, 0, all, 4, arguments.length);
        return reprise(all);
    }

    @Test
    void shouldShowACertificateInsteadOfAPassword() throws Exception {
        Certificates certificates = new Certificates();
        String authority = certificates.authority(folder.resolve("ca.crt")).toString();
        String own = folder.resolve("billing.crt").toString();
        String key = folder.resolve("billing.key").toString();
        certificates.issue("localhost", folder.resolve("node.crt"), folder.resolve("node.key"));
        certificates.issueClient("CN=billing", Instant.now().plus(Duration.ofDays(1)), Path.of(own), Path.of(key));
        assertThat(user("add", "billing", "--roles", "read", "--without-password")
                        .code())
                .isZero();
        try (NodeProcess node = NodeProcess.start(ConfigurationFile.parse("""
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                security:
                  certificate: node.crt
                  key: node.key
                  users: users
                  clientCertificates: {authorities: ca.crt, nameUsers: true}
                clients: {port: 0}
                http: {port: 0}
                """, "test", folder))) {
            String server = "localhost:" + node.clients().orElseThrow().getPort();
            String[] explain = {"sql", "-e", "EXPLAIN SELECT 1 FROM nothing", "--server", server};

            Run shown = reached(with(explain, "--tls-ca", authority, "--tls-cert", own, "--tls-key", key));
            Run none = reprise(with(explain, "--tls-ca", authority));
            Run half = reprise(with(explain, "--tls-ca", authority, "--tls-cert", own));
            Run clear = reprise(with(explain, "--tls-cert", own, "--tls-key", key));
            Run home = reprise(
                    "sql",
                    "-e",
                    "EXPLAIN SELECT 1 FROM nothing",
                    "--data",
                    folder.resolve("data").toString());

            // A user with access is told that there is no such table.
            assertThat(shown.err()).containsIgnoringCase("nothing");
            assertThat(home.err()).containsIgnoringCase("nothing");
            assertThat(none.err()).contains("wants a certificate of its clients");
            assertThat(half.err()).contains("--tls-cert and --tls-key belong together");
            assertThat(clear.err()).contains("over TLS only");
        }
    }

    private NodeProcess nodeWithCertificate() {
        return NodeProcess.start(ConfigurationFile.parse("""
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                security: {certificate: node.crt, key: node.key}
                clients: {port: 0}
                http: {port: 0}
                """, "test", folder));
    }

    /** It wrote where its certificate is, and not the fingerprint. */
    @Test
    void shouldKnowANodeOfAnEarlierVersionByTheFileOfItsCertificate() throws Exception {
        new Certificates().issue("localhost", folder.resolve("node.crt"), folder.resolve("node.key"));
        new Certificates().issue("localhost", folder.resolve("other.crt"), folder.resolve("other.key"));
        try (NodeProcess node = nodeWithCertificate()) {
            assertThat(node.clients()).isPresent();
            String data = folder.resolve("data").toString();
            String[] explain = {"sql", "-e", "EXPLAIN SELECT 1 FROM nothing", "--data", data};
            Path file = RunFile.path(folder.resolve("data"));
            String now = Files.readString(file);

            Files.writeString(file, withCertificate(now, "node.crt"));
            Run status = reprise("status", data);
            Run sql = reprise(explain);
            Files.writeString(file, withCertificate(now, "other.crt"));
            Run other = reprise(explain);
            Files.writeString(file, now);

            assertThat(status.code()).as(status.err()).isZero();
            // A user with access is told that there is no such table.
            assertThat(sql.err()).containsIgnoringCase("nothing");
            assertThat(other.err()).contains("another certificate");
        }
    }

    private String withCertificate(String runFile, String name) {
        return runFile.replaceFirst("certificate=\\p{XDigit}{64}", "certificate=" + folder.resolve(name));
    }

    private static String[] with(String[] words, String... more) {
        return Stream.concat(Stream.of(words), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void shouldKeepTheFileOfUsers() throws IOException {
        String password = passwordFile("correct horse");

        Run add = user("add", "ann", "--roles", "call,sql", "--password-file", password);
        Run twice = user("add", "ann", "--roles", "call", "--password-file", password);
        Run shop = user("add", "shop", "--roles", "call:Deposit", "--password-file", password);
        Run roles = user("roles", "ann", "read,watch");
        String before = Files.readString(folder.resolve("users"));
        Run changed = user("password", "ann", "--password-file", passwordFile("battery staple"));
        Run list = user("list");
        Run remove = user("remove", "shop");

        assertThat(add.out()).isEqualTo("User ann may call,sql.\n");
        assertThat(add.code() + shop.code() + roles.code() + changed.code() + remove.code())
                .isZero();
        assertThat(twice.code()).isEqualTo(3);
        assertThat(twice.err()).contains("there is a user ann already");
        assertThat(list.out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly("ann read,watch", "shop call:Deposit");
        assertThat(Files.readString(folder.resolve("users")))
                .isNotEqualTo(before)
                .contains("ann read,watch pbkdf2-sha512:")
                .doesNotContain("shop", "horse", "staple");
    }

    @Test
    void shouldSayWhatIsWrongWithACommandAboutUsers() throws IOException {
        String password = passwordFile("correct horse");
        Path configuration = Files.writeString(folder.resolve("node.yaml"), "http: {port: 0}\n");

        assertThat(user("add", "a b", "--roles", "call", "--password-file", password)
                        .err())
                .contains("can't be a user's name");
        assertThat(user("add", "ann", "--roles", "fly", "--password-file", password)
                        .err())
                .contains("'fly' is no role; there are call, read, sql, watch, administer");
        assertThat(user("add", "ann", "--roles", "call", "--password-file", passwordFile("short"))
                        .err())
                .contains("at least 8 characters");
        assertThat(user("add", "ann", "--roles", "call").err())
                .contains("there is no terminal to ask for the password at", "--password-file", "REPRISE_PASSWORD");
        assertThat(user("remove", "bob").err()).contains("there is no user bob");
        assertThat(reprise("user", "list").err()).contains("--file").contains("--config");
        assertThat(reprise("user", "list", "--config", configuration.toString()).err())
                .contains("users: users");
        assertThat(user("list").err()).contains("there is no users' file");
        assertThat(reprise("user").code()).isEqualTo(2);
        assertThat(reprise("user", "--help").out()).contains("Examples", "reprise user add");
        assertThat(folder.resolve("users")).doesNotExist();
    }

    @Test
    void shouldReachANodeWithoutTlsFromItsMachineWhateverItsAddressIs() throws Exception {
        Optional<InetAddress> outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        assumeTrue(outside.isPresent(), "this machine has only itself");
        try (NodeProcess node = NodeProcess.start(
                ConfigurationFile.parse("""
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                clients: {port: 0, allowRemote: true, address: %s}
                http: {port: 0}
                """.formatted(outside.get().getHostAddress()), "test", folder))) {
            Run run = reprise("sql", "--data", folder.resolve("data").toString(), "-e", "VALUES (1)");

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(node.clients()).isPresent();
        }
    }

    /** Two files can't be replaced at once: until both are, the node goes on with the certificate that it had. */
    @Test
    void shouldReachANodeWhileItsCertificateIsBeingRenewedAndAfterwards() throws Exception {
        Certificates certificates = new Certificates();
        certificates.issue("localhost", folder.resolve("node.crt"), folder.resolve("node.key"));
        Path data = folder.resolve("data");
        try (NodeProcess node = nodeWithCertificate()) {
            assertThat(node.clients()).isPresent();
            String before = RunFile.read(data).orElseThrow().certificate();
            certificates.issue("localhost", folder.resolve("node.crt"), folder.resolve("new.key"));

            Run between = reprise("status", data.toString());
            Run call = reprise("sql", "--data", data.toString(), "-e", "VALUES (1)");
            Files.move(folder.resolve("new.key"), folder.resolve("node.key"), StandardCopyOption.REPLACE_EXISTING);
            for (int look = 0; RunFile.read(data).orElseThrow().certificate().equals(before); look++) {
                assertThat(look).as("looks at the run file").isLessThan(600);
                TimeUnit.MILLISECONDS.sleep(50);
            }
            Run after = reprise("status", data.toString());

            assertThat(between.code()).as(between.err()).isZero();
            assertThat(call.code()).as(call.err()).isZero();
            assertThat(after.code()).as(after.err()).isZero();
        }
    }

    @Test
    void shouldReachASecureNodeFromItsMachineAndFromElsewhere() throws Exception {
        Certificates certificates = new Certificates();
        String authority = certificates.authority(folder.resolve("ca.crt")).toString();
        certificates.issue("localhost", folder.resolve("node.crt"), folder.resolve("node.key"));
        String password = passwordFile("correct horse");
        user("add", "ann", "--roles", "read", "--password-file", password);
        user("add", "root", "--roles", "administer", "--password-file", password);
        String data = folder.resolve("data").toString();
        try (NodeProcess node = NodeProcess.start(ConfigurationFile.parse("""
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                log: {segment: 1MiB, largestRecord: 256KiB}
                snapshot: {onStop: false}
                security: {certificate: node.crt, key: node.key, users: users}
                clients: {port: 0}
                http: {port: 0}
                """, "test", folder))) {
            String server = "localhost:" + node.clients().orElseThrow().getPort();

            Run create = reprise(
                    "sql",
                    "--data",
                    data,
                    "-e",
                    "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); INSERT INTO t VALUES (5)");
            Run status = reprise("status", data);
            Run snapshot = reprise("snapshot", data);
            Run asAnn =
                    reprise("sql", "--data", data, "--user", "ann", "--password-file", password, "-e", "DELETE FROM t");
            Run dropAsAnn =
                    reprise("sql", "--data", data, "--user", "ann", "--password-file", password, "-e", "DROP TABLE t");
            Run deployAsAnn = reprise(
                    "deploy",
                    "--data",
                    data,
                    "--user",
                    "ann",
                    "--password-file",
                    password,
                    "--ddl",
                    Files.writeString(folder.resolve("drop.sql"), "DROP TABLE t")
                            .toString());
            Run createAsRoot = reprise(
                    "sql",
                    "--data",
                    data,
                    "--user",
                    "root",
                    "--password-file",
                    password,
                    "-e",
                    "CREATE TABLE u (id BIGINT NOT NULL PRIMARY KEY)");
            String grow = Files.writeString(
                            folder.resolve("grow.sql"), "CREATE TABLE v (id BIGINT NOT NULL PRIMARY KEY)")
                    .toString();
            Run remoteAsAnn = reached(
                    "deploy",
                    "--server",
                    server,
                    "--tls-ca",
                    authority,
                    "--user",
                    "ann",
                    "--password-file",
                    password,
                    "--ddl",
                    grow);
            Run remoteAsRoot = reached(
                    "deploy",
                    "--server",
                    server,
                    "--tls-ca",
                    authority,
                    "--user",
                    "root",
                    "--password-file",
                    password,
                    "--ddl",
                    grow);
            Run remoteDdl = reached(
                    "sql",
                    "--server",
                    server,
                    "--tls-ca",
                    authority,
                    "--user",
                    "root",
                    "--password-file",
                    password,
                    "-e",
                    "DROP TABLE v");
            Run remote = reached(
                    "sql",
                    "--server",
                    server,
                    "--tls-ca",
                    authority,
                    "--user",
                    "ann",
                    "--password-file",
                    password,
                    "--format",
                    "csv",
                    "-e",
                    "SELECT id FROM t");
            Run untrusted = reprise("sql", "--server", server, "--tls", "-e", "SELECT id FROM t");
            Run nobody = reprise("sql", "--server", server, "--tls-ca", authority, "-e", "SELECT id FROM t");

            assertThat(create.code()).as(create.err()).isZero();
            assertThat(status.code()).as(status.err()).isZero();
            assertThat(status.out()).contains("https://");
            assertThat(snapshot.code()).as(snapshot.err()).isZero();
            assertThat(asAnn.code()).isEqualTo(3);
            assertThat(asAnn.err()).contains("NOT_PERMITTED: user ann may only run statements that read");
            assertThat(dropAsAnn.code()).isEqualTo(3);
            assertThat(deployAsAnn.code()).isEqualTo(3);
            assertThat(dropAsAnn.err())
                    .isEqualTo(deployAsAnn.err())
                    .isEqualTo("reprise: NOT_PERMITTED: user ann may not do this; it needs the role administer\n");
            assertThat(createAsRoot.code()).as(createAsRoot.err()).isZero();
            assertThat(remoteAsAnn.err()).isEqualTo(deployAsAnn.err());
            assertThat(remoteAsRoot.code()).as(remoteAsRoot.err()).isZero();
            assertThat(remoteDdl.code()).as(remoteDdl.err()).isZero();
            assertThat(remote.code()).as(remote.err()).isZero();
            assertThat(remote.out()).isEqualTo("ID\r\n5\r\n");
            assertThat(untrusted.err())
                    .startsWith("reprise: no server can be reached")
                    .contains("the server's certificate is not accepted");
            assertThat(nobody.err()).startsWith("reprise: this server wants a user and a password");
        }
    }
}
