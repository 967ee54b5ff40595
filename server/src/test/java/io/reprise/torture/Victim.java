package io.reprise.torture;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.node.Durability;
import io.reprise.node.Options;
import io.reprise.node.RecoveryProgress;
import io.reprise.node.Reprise;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.snapshot.SnapshotSettings;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A process that is going to be killed: opens an engine, checks what it finds, and works until its standard input ends.
 *
 * <pre>
 *  arguments: directory, load, logging method, partitions, seed, whether it was filled, acknowledged {@link WriteCounts}
 *  standard output, line by line:
 *    recovering            the directory is being read
 *    found COUNTS          the database is full, and its writes are these, which is right; what comes counts from there
 *    ready                 clients are at work
 *    ack CLIENT KIND       a write was acknowledged
 *    wrong WHAT            something is not as it should be; the process ends with 1
 * </pre>
 */
final class Victim {
    private static final SnapshotSettings SNAPSHOTS =
            new SnapshotSettings(400, 0, 2, 0.2, 0.5, 50_000, 16 << 10, 4, 8L << 20, 1L << 20, 0);
    private static final LogSettings LOG = LogSettings.DEFAULTS
            .withSizes(16 << 10, 128 << 10, 1 << 18, 512 << 10)
            .withSegmentBytes(1 << 20);

    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private final VictimLoad load;
    private final long seed;
    private final AtomicBoolean stop = new AtomicBoolean();

    private Victim(VictimLoad load, long seed) {
        this.load = load;
        this.seed = seed;
    }

    static VictimLoad load(String name) {
        return switch (name) {
            case "tpcc" -> new TpccLoad();
            case "smallbank" -> new SmallbankLoad();
            default -> new TransferLoad();
        };
    }

    /** Runs until the input ends, or until it is killed. */
    public static void main(String[] args) {
        Victim victim = new Victim(load(args[1]), Long.parseLong(args[4]));
        try {
            victim.run(
                    Path.of(args[0]),
                    LoggingMethod.valueOf(args[2]),
                    Integer.parseInt(args[3]),
                    Boolean.parseBoolean(args[5]),
                    WriteCounts.parse(args[6]));
        } catch (Throwable e) {
            wrong(e);
        }
        Runtime.getRuntime().halt(0);
    }

    private void run(Path directory, LoggingMethod method, int partitions, boolean wasFilled, WriteCounts acknowledged)
            throws IOException, InterruptedException {
        Options options = Options.create()
                .partitions(partitions)
                .memoryPerPartition(256 << 20)
                .ddl(load.ddl())
                .directory(directory)
                .recoveryListener(Victim::recovering)
                .durability(Durability.standard().with(method).with(LOG).with(SNAPSHOTS));
        try (Reprise engine = options.open()) {
            WriteCounts found = new VictimChecker(load, engine).checkAndFill(wasFilled, acknowledged);
            say("found " + found);
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < found.clients(); i++) {
                int client = i;
                long[] from = found.of(i);
                clients.add(Thread.ofPlatform().unstarted(() -> work(engine, client, from)));
            }
            clients.forEach(Thread::start);
            say("ready");
            while (System.in.read() >= 0) {
                continue;
            }
            stop.set(true);
            for (Thread client : clients) {
                client.join();
            }
        }
    }

    private static void recovering(RecoveryProgress progress) {
        if (progress.phase() != RecoveryProgress.Phase.DONE) {
            say("recovering");
        }
    }

    private void work(Reprise engine, int number, long[] written) {
        try {
            VictimLoad.Client client = load.client(engine, number, seed);
            while (!stop.get()) {
                int kind = step(client, written);
                if (kind != VictimLoad.NOTHING) {
                    written[kind]++;
                    say("ack " + number + " " + kind);
                }
            }
        } catch (Throwable e) {
            wrong(e);
        }
    }

    private static int step(VictimLoad.Client client, long[] written) {
        try {
            return client.step(written);
        } catch (ProcedureException e) {
            if (e.code() == ErrorCode.USER_ABORT || e.code() == ErrorCode.OVERLOADED) {
                return VictimLoad.NOTHING;
            }
            throw e;
        }
    }

    private static void wrong(Throwable e) {
        e.printStackTrace();
        say("wrong " + e.toString().replace('\n', ' '));
        Runtime.getRuntime().halt(1);
    }

    /** In one piece: a pipe takes a line as a whole. */
    private static void say(String line) {
        try {
            OUT.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
