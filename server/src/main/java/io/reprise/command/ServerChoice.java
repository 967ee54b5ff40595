package io.reprise.command;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.node.process.RunFile;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which node a command calls: the one at an address, or the one at work in a data directory. */
final class ServerChoice {
    private static final int USUAL_PORT = 21212;

    @Option(
            names = {"-s", "--server"},
            paramLabel = "HOST[:PORT]",
            description = "The node's address, with port " + USUAL_PORT
                    + " if none is given; without this the node that is" + " at work in the data directory.")
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
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long to wait for an answer; 0: for ever. Default: ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    /** The data directory where it was given in another way; null if it was not. */
    void in(Path given) {
        if (given != null && directory != null && !given.equals(directory)) {
            throw new IllegalArgumentException(
                    "two data directories are named, " + given + " and, by --data, " + directory + "; name one");
        }
        directory = given == null ? directory : given;
    }

    /** The node on this machine, if that is what was chosen. */
    Optional<RunFile> localIfAny() {
        return server == null ? NodeChoice.of(directory, file).running() : Optional.empty();
    }

    /** Connects. */
    Client connect() {
        return Client.connect(ClientSettings.to(address()).withCallTimeout(Duration.ofSeconds(timeoutSeconds)));
    }

    private InetSocketAddress address() {
        if (server != null) {
            return parse(server);
        }
        RunFile node = local();
        if (node.clients().isEmpty()) {
            throw new IllegalStateException("the node, process " + node.pid()
                    + ", takes no calls from outside; its configuration has clients.enabled: false");
        }
        return parse(node.clients());
    }

    /** The node on this machine, which can be administered by who may read its data directory. */
    RunFile local() {
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
            return new InetSocketAddress(host, withPort ? Integer.parseInt(text.substring(colon + 1)) : USUAL_PORT);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(text + " is no address: write HOST or HOST:PORT", e);
        }
    }
}
