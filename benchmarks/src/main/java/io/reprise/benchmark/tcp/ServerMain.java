package io.reprise.benchmark.tcp;

import io.reprise.log.LogSettings;
import io.reprise.net.client.ListenerSettings;
import io.reprise.node.Durability;
import io.reprise.node.Options;
import io.reprise.node.Server;
import io.reprise.snapshot.SnapshotSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/** The server process: listens on a port that it prints, until its standard input ends. */
public final class ServerMain {
    private static final long MEMORY = 8L << 30;
    private static final Duration ASYNCHRONOUS = Duration.ofMillis(100);

    private ServerMain() {}

    /** Arguments: workload, partitions, log, folder. */
    public static void main(String[] arguments) throws IOException {
        TcpWorkload workload = TcpWorkload.valueOf(arguments[0]);
        int partitions = Integer.parseInt(arguments[1]);
        Log log = Log.valueOf(arguments[2]);
        Options options = Options.create()
                .name("bench")
                .partitions(partitions)
                .memoryPerPartition(MEMORY / partitions)
                .ddl(workload.workload().ddl());
        if (log != Log.NONE) {
            LogSettings settings = log == Log.SYNCHRONOUS
                    ? LogSettings.DEFAULTS
                    : LogSettings.DEFAULTS.asynchronous(ASYNCHRONOUS.toNanos());
            options.directory(Path.of(arguments[3]))
                    .durability(Durability.standard()
                            .with(settings)
                            .withStateHash(false)
                            .with(SnapshotSettings.usual().onDemand()));
        }
        try (Server server =
                Server.open(options, ListenerSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))) {
            System.out.println("port " + server.address().getPort());
            System.out.flush();
            while (System.in.read() >= 0) {
                continue;
            }
        }
    }
}
