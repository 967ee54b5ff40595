package io.reprise.benchmark.tcp;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.Server;
import io.reprise.snapshot.SnapshotSettings;
import io.reprise.snapshot.SnapshotStats;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The server process: listens on a port that it prints, and answers a line with a line until its standard input ends. */
public final class ServerMain {
    /** Asks for the memory as it is. */
    static final String MEMORY = "memory";

    /** Asks for the memory after a garbage collection. */
    static final String COLLECTED_MEMORY = "collected memory";

    /** Asks for how many snapshots there have been, and how many of them failed. */
    static final String SNAPSHOTS = "snapshots";

    private static final long BYTES = 8L << 30;
    private static final Duration ASYNCHRONOUS = Duration.ofMillis(100);

    private ServerMain() {}

    /** Arguments: the folder, then the setup's words. */
    public static void main(String[] arguments) throws IOException {
        List<String> words = Arrays.asList(arguments);
        ServerSetup setup = ServerSetup.of(words.subList(1, words.size()));
        Path folder = Path.of(words.getFirst());
        PortSettings usual = PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        PortSettings settings =
                setup.encrypted() ? usual.withProtection(new RunCertificate(folder.getParent()).protection()) : usual;
        try (Server server = Server.open(options(setup, folder), settings)) {
            say("port " + server.address().getPort());
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                say(answer(line, server));
            }
        }
    }

    private static Options options(ServerSetup setup, Path folder) {
        Options options = Options.create()
                .name("bench")
                .partitions(setup.partitions())
                .memoryPerPartition(BYTES / setup.partitions())
                .ddl(setup.instance().ddl());
        if (setup.log() != Log.NONE) {
            LogSettings settings = setup.log() == Log.ASYNCHRONOUS
                    ? LogSettings.DEFAULTS.asynchronous(ASYNCHRONOUS.toNanos())
                    : LogSettings.DEFAULTS;
            options.directory(folder)
                    .durability(Durability.standard()
                            .with(settings)
                            .with(
                                    setup.log() == Log.SYNCHRONOUS_DATA
                                            ? LoggingMethod.PHYSIOLOGICAL
                                            : LoggingMethod.COMMAND)
                            .withStateHash(false)
                            .with(SnapshotSettings.usual().every(setup.snapshotSeconds() * 1000L, 0)));
        }
        return options;
    }

    private static String answer(String line, Server server) throws IOException {
        switch (line) {
            case MEMORY:
                return ServerMemory.read(server).line();
            case COLLECTED_MEMORY:
                System.gc();
                return ServerMemory.read(server).line();
            case SNAPSHOTS:
                SnapshotStats stats = server.engine()
                        .durabilityStats()
                        .orElseThrow()
                        .snapshots()
                        .now();
                return stats.completed() + " " + stats.failed();
            default:
                throw new IllegalArgumentException(line);
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
