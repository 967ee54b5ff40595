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
import java.util.stream.Stream;

/**
 * A process that is going to be killed: opens an engine, checks what it finds, and works until its standard input ends.
 *
 * <pre>
 *  arguments: directory, load, logging method, partitions, seed, acknowledged writes of each client, with commas
 *  standard output, line by line:
 *    recovering            the directory is being read
 *    base CLIENT NUMBER    what was found and is right; what comes counts from there
 *    ready                 clients are at work
 *    ack CLIENT NUMBER     a write was acknowledged
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
        long[] acknowledged =
                Stream.of(args[5].split(",")).mapToLong(Long::parseLong).toArray();
        try {
            victim.run(Path.of(args[0]), LoggingMethod.valueOf(args[2]), Integer.parseInt(args[3]), acknowledged);
        } catch (Throwable e) {
            wrong(e);
        }
        Runtime.getRuntime().halt(0);
    }

    private void run(Path directory, LoggingMethod method, int partitions, long[] acknowledged)
            throws IOException, InterruptedException {
        Options options = Options.create()
                .partitions(partitions)
                .memoryPerPartition(256 << 20)
                .ddl(load.ddl())
                .directory(directory)
                .recoveryListener(Victim::recovering)
                .durability(Durability.standard().with(method).with(LOG).with(SNAPSHOTS));
        try (Reprise engine = options.open()) {
            List<String> problems = load.check(engine, acknowledged);
            if (!problems.isEmpty()) {
                throw new IllegalStateException(problems.toString());
            }
            load.fill(engine);
            load.check(engine, acknowledged);
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < acknowledged.length; i++) {
                say("base " + i + " " + acknowledged[i]);
                int client = i;
                long from = acknowledged[i];
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

    private void work(Reprise engine, int number, long from) {
        try {
            VictimLoad.Client client = load.client(engine, number, seed);
            long next = from + 1;
            while (!stop.get()) {
                if (step(client, next)) {
                    say("ack " + number + " " + next);
                    next++;
                }
            }
        } catch (Throwable e) {
            wrong(e);
        }
    }

    private static boolean step(VictimLoad.Client client, long next) {
        try {
            return client.step(next);
        } catch (ProcedureException e) {
            if (e.code() == ErrorCode.USER_ABORT || e.code() == ErrorCode.OVERLOADED) {
                return false;
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
