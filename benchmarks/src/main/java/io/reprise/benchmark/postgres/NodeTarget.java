package io.reprise.benchmark.postgres;

import io.reprise.benchmark.tcp.ServerProcess;
import io.reprise.engine.EngineMetrics;
import io.reprise.engine.Options;
import io.reprise.net.listen.ListenSettings;
import io.reprise.net.postgres.PostgresSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A node of Reprise in a process of its own, without tables, with a synchronous log. */
public final class NodeTarget implements Target {
    private static final long BYTES = 4L << 30;

    private final ServerProcess process;
    private final int nativePort;

    private NodeTarget(ServerProcess process, int nativePort) {
        this.process = process;
        this.nativePort = nativePort;
    }

    /** Starts a node with its data in a folder. */
    static NodeTarget start(Path folder, int partitions) throws IOException {
        ServerProcess process = ServerProcess.start(
                NodeTarget.class, List.of(folder.resolve("data").toString(), String.valueOf(partitions)));
        try {
            return new NodeTarget(process, Integer.parseInt(process.line().substring("native ".length())));
        } catch (IOException | RuntimeException failure) {
            process.close();
            throw failure;
        }
    }

    /**
     * The process of the node. Arguments: the folder of its data, the number of partitions. It answers each line with the time for which
     * its partitions were busy, and ends with its standard input.
     */
    public static void main(String[] arguments) throws IOException {
        int partitions = Integer.parseInt(arguments[1]);
        Options options = Options.create()
                .name("bench")
                .partitions(partitions)
                .memoryPerPartition(BYTES / partitions)
                .directory(Path.of(arguments[0]));
        PortSettings port = PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ListenSettings listen = port.listen();
        PostgresSettings postgres = new PostgresSettings(listen, port.limits());
        try (Server server = Server.open(options, port, Optional.of(postgres), () -> {})) {
            System.out.println("port " + server.postgresAddress().orElseThrow().getPort());
            System.out.println("native " + server.address().getPort());
            System.out.flush();
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                System.out.println(busyNs(server));
                System.out.flush();
            }
        }
    }

    private static long busyNs(Server server) {
        return server.engine().metrics().partitions().stream()
                .mapToLong(EngineMetrics.PartitionMetrics::busyNs)
                .sum();
    }

    /** The time for which the threads of all partitions have been doing something. */
    Duration busy() throws IOException {
        return Duration.ofNanos(Long.parseLong(process.ask("busy")));
    }

    /** The port for clients of Reprise. */
    int nativePort() {
        return nativePort;
    }

    @Override
    public boolean isPostgres() {
        return false;
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + process.address().getPort() + "/bench?user=bench";
    }

    @Override
    public Duration cpu() {
        return process.cpu();
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
