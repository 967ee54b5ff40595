package io.reprise.command;

import io.reprise.access.User;
import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ClientTls;
import io.reprise.node.process.RunFile;
import io.reprise.wire.Wire;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The node that a command calls: the one at an address, the nodes of a cluster, or the one at work in a data directory. */
public final class ServerChoice {
    private static final long USUAL_SECONDS = 30;

    @Option(
            names = {"-s", "--server", "--nodes"},
            paramLabel = "HOST[:PORT][,...]",
            description = "The node's address, with port " + Wire.USUAL_PORT
                    + " if none is given, or those of some nodes of a cluster; without this the node that is at work in"
                    + " the data directory.")
    private String server;

    @Option(
            names = {"-d", "--data"},
            paramLabel = "DIR",
            description = "The data directory; without it that of the configuration, or else the folder data.")
    private Path directory;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "The node's configuration, in YAML.")
    private Path file;

    @Option(
            names = {"-u", "--user"},
            paramLabel = "NAME",
            description = "The user's name. Without it no login, or that of the data directory's token.")
    private String user;

    @Mixin
    private Password password = new Password();

    /** The typed password, so that it is asked for once. */
    private String known;

    @Option(names = "--tls", description = "With --server: over TLS, trusting the authorities that the JVM trusts.")
    private boolean tls;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "With --server: over TLS, trusting the certificates in this file, in PEM.")
    private Path authorities;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "With --tls or --tls-ca: the certificate to show, in PEM.")
    private Path certificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The private key of --tls-cert, in PEM.")
    private Path key;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "Longest wait for an answer; 0: for ever. Default: " + USUAL_SECONDS
                    + ", and for ever for a change of the schema.")
    private Long timeoutSeconds;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** The data directory where it was given in another way; null if it was not. */
    void in(Path given) {
        directory = DirectoryChoice.only(command, given, directory);
    }

    /** The node on this machine, if that is what was chosen. */
    Optional<RunFile> localIfAny() {
        check();
        return server == null ? NodeChoice.of(directory, file).running() : Optional.empty();
    }

    /** Connects. */
    Client connect() throws IOException {
        try {
            return Client.connect(settings());
        } catch (CallException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Whether the node is at an address, and not that of a data directory. */
    boolean isAtAddress() {
        check();
        return server != null;
    }

    /** The timeout of a change of the schema; empty: none. */
    Optional<Duration> changeTimeout() {
        return Optional.ofNullable(timeoutSeconds)
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds);
    }

    /** The settings of a connection. Asks for the password if there is a user. */
    public ClientSettings settings() throws IOException {
        check();
        ClientSettings settings = server == null ? atHome(local()) : elsewhere();
        if (user != null) {
            settings = settings.withUser(user, password());
        }
        if (server == null) {
            // Bytes to an address of this machine don't leave it.
            settings = settings.withPasswordInTheClear();
        }
        return settings.withCallTimeout(Duration.ofSeconds(timeoutSeconds == null ? USUAL_SECONDS : timeoutSeconds));
    }

    /** Options that would be accepted and mean nothing are mistakes. */
    private void check() {
        if (server == null && (tls || authorities != null || certificate != null || key != null)) {
            throw wrong(
                    "--tls and its like are for --server; the node of a data directory is known by its certificate");
        }
        if (server != null && (directory != null || file != null)) {
            throw wrong("--server is another node than that of a data directory or a configuration; name one");
        }
        if ((certificate == null) != (key == null)) {
            throw wrong("--tls-cert and --tls-key belong together; name both");
        }
        if (certificate != null && authorities == null && !tls) {
            throw wrong("a certificate is shown over TLS only; say by --tls or --tls-ca which servers to trust");
        }
        if (user == null && password.hasFile()) {
            throw wrong("--password-file is for --user; say whose password it is");
        }
        if (timeoutSeconds != null && timeoutSeconds < 0) {
            throw wrong("--timeout takes seconds, not " + timeoutSeconds);
        }
    }

    private ParameterException wrong(String why) {
        return new ParameterException(command.commandLine(), why);
    }

    private String password() throws IOException {
        if (known == null) {
            known = password.of(user);
        }
        return known;
    }

    private ClientSettings elsewhere() {
        ClientSettings settings = ClientSettings.to(addresses());
        if (authorities == null && !tls) {
            return settings;
        }
        ClientTls trust = authorities == null ? ClientTls.trustingUsualAuthorities() : ClientTls.trusting(authorities);
        return settings.withTls(certificate == null ? trust : trust.withCertificate(certificate, key));
    }

    private InetSocketAddress[] addresses() {
        try {
            return Arrays.stream(server.split(",", -1)).map(ServerChoice::parse).toArray(InetSocketAddress[]::new);
        } catch (IllegalArgumentException e) {
            throw wrong("--server: " + e.getMessage());
        }
    }

    /** The settings for a node on this machine: the run file has the node's certificate and a token to log in. */
    static ClientSettings atHome(RunFile node) {
        if (node.clients().isEmpty()) {
            throw new IllegalStateException("the node, process " + node.pid()
                    + ", takes no calls from outside: it is still starting, which \"reprise status\" shows, or its"
                    + " configuration has clients.enabled: false");
        }
        // It is known to be at work: while both it and this program lack processors, it is waited for longer than
        // one elsewhere.
        ClientSettings settings = ClientSettings.to(parse(node.clients()))
                .withConnectTimeout(Duration.ofSeconds(30))
                .withUser(User.TOKEN_NAME, node.token());
        return NodeClient.tls(node).map(settings::withTls).orElse(settings);
    }

    /** A client that administers the node on this machine, by the token of the data directory or as the named user. */
    public NodeClient node() throws IOException {
        check();
        RunFile local = local();
        NodeClient node = user == null ? new NodeClient(local) : new NodeClient(local, user, password());
        return changeTimeout().map(node::waitingAtMost).orElse(node);
    }

    private RunFile local() {
        if (server != null) {
            throw new IllegalStateException(
                    "this is only for who may read the node's data directory: name that by --data"
                            + " instead of --server, on its machine");
        }
        Optional<RunFile> running = NodeChoice.of(directory, file).running();
        return running.orElseThrow(() -> new IllegalStateException("no node is at work in "
                + NodeChoice.of(directory, file).where() + "; start one, or name another by --data or" + " --server"));
    }

    /** HOST, HOST:PORT, [ADDRESS]:PORT. */
    static InetSocketAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        boolean withPort = colon > text.lastIndexOf(']') && text.indexOf(':') == colon
                || text.startsWith("[") && colon > text.indexOf(']');
        String host = withPort ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            return new InetSocketAddress(
                    host, withPort ? Integer.parseInt(text.substring(colon + 1)) : Wire.USUAL_PORT);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(text + " is no address: write HOST or HOST:PORT", e);
        }
    }
}
