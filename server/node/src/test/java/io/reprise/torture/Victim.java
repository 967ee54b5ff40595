package io.reprise.torture;

import io.reprise.engine.Options;
import io.reprise.engine.RecoveryProgress;
import io.reprise.engine.Reprise;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.Server;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.file.StorageException;
import io.reprise.torture.VictimSettings.Trait;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that is going to be killed: opens an engine, checks what it finds, and works until its standard input ends.
 *
 * <pre>
 *  arguments: directory, load, {@link VictimSettings}, seed, whether it was filled, acknowledged {@link WriteCounts}, those of
 *    them that must be there, the port for callers or 0
 *  standard output, line by line:
 *    recovering            the directory is being read
 *    found COUNTS          the database is full, and its writes are these, which is right; what comes counts from there
 *    ready                 clients are at work
 *    ack CLIENT KIND       a write was acknowledged; the last client is who changes the schema
 *    backing-up NAME       a backup is begun, in a folder beside the data directory
 *    backup NAME           it is complete
 *    wrong WHAT            something is not as it should be; the process ends with 1
 * </pre>
 */
final class Victim {
    /** The folder of backups, beside the data. */
    static final String BACKUPS = "backups";

    /** A change of the schema has all partitions wait, and the load should have some time, too. */
    private static final long CHANGE_PAUSE_NS = 20_000_000;

    private static final long BACKUP_PAUSE_NS = 50_000_000;

    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

    private final Path directory;
    private final VictimLoad load;
    private final VictimSettings settings;
    private final long seed;
    private final AtomicBoolean stop = new AtomicBoolean();

    private Victim(Path directory, VictimLoad load, VictimSettings settings, long seed) {
        this.directory = directory;
        this.load = load;
        this.settings = settings;
        this.seed = seed;
    }

    static VictimLoad load(String name) {
        return switch (name) {
            case "tpcc" -> new TpccLoad();
            case "smallbank" -> new SmallbankLoad();
            case "calls" -> new CallLoad();
            default -> new TransferLoad();
        };
    }

    /** Runs until the input ends, or until it is killed. */
    public static void main(String[] args) {
        Victim victim =
                new Victim(Path.of(args[0]), load(args[1]), VictimSettings.parse(args[2]), Long.parseLong(args[3]));
        try {
            victim.run(
                    Boolean.parseBoolean(args[4]),
                    WriteCounts.parse(args[5]),
                    WriteCounts.parse(args[6]),
                    Integer.parseInt(args[7]));
        } catch (Throwable e) {
            wrong(e);
        }
        Runtime.getRuntime().halt(0);
    }

    private void run(boolean wasFilled, WriteCounts acknowledged, WriteCounts kept, int port)
            throws IOException, InterruptedException {
        Options options =
                settings.options().ddl(load.ddl()).directory(directory).recoveryListener(Victim::recovering);
        if (load.isCalledFromOutside()) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            try (Server server = Server.open(options, PortSettings.at(address))) {
                live(server.engine(), wasFilled, acknowledged, kept);
            }
        } else {
            try (Reprise engine = options.open()) {
                live(engine, wasFilled, acknowledged, kept);
            }
        }
    }

    private void live(Reprise engine, boolean wasFilled, WriteCounts acknowledged, WriteCounts kept)
            throws IOException, InterruptedException {
        WriteCounts found = new VictimChecker(load, engine).checkAndFill(wasFilled, acknowledged, kept);
        say("found " + found);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < KilledDatabase.CLIENTS && !load.isCalledFromOutside(); i++) {
            int client = i;
            long[] from = found.of(i);
            threads.add(thread(() -> work(engine, client, from)));
        }
        if (settings.has(Trait.CHANGING_SCHEMA)) {
            long from = found.of(KilledDatabase.CLIENTS)[0];
            threads.add(thread(() -> changeSchema(engine, from)));
        }
        if (settings.has(Trait.BACKUPS)) {
            threads.add(thread(() -> backUp(engine)));
        }
        threads.forEach(Thread::start);
        say("ready");
        while (System.in.read() >= 0) {
            continue;
        }
        stop.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Not started. Its exception is a problem. */
    private static Thread thread(Runnable work) {
        return Thread.ofPlatform().unstarted(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                wrong(e);
            }
        });
    }

    private static void recovering(RecoveryProgress progress) {
        if (progress.phase() != RecoveryProgress.Phase.DONE) {
            say("recovering");
        }
    }

    private void work(Reprise engine, int number, long[] written) {
        VictimLoad.Client client = load.client(engine, number, seed);
        while (!stop.get()) {
            int kind = step(client, written);
            if (kind != VictimLoad.NOTHING) {
                written[kind]++;
                say("ack " + number + " " + kind);
            }
        }
    }

    private void changeSchema(Reprise engine, long from) {
        for (long number = from + 1; !stop.get(); number++) {
            SchemaChanges.make(engine, number, load.procedures());
            say("ack " + KilledDatabase.CLIENTS + " 0");
            LockSupport.parkNanos(CHANGE_PAUSE_NS);
        }
    }

    private void backUp(Reprise engine) {
        for (int number = 0; !stop.get(); number++) {
            String name = seed + "-" + number;
            say("backing-up " + name);
            try {
                engine.backup(directory.resolveSibling(BACKUPS).resolve(name));
                say("backup " + name);
            } catch (StorageException | IllegalStateException e) {
                if (!mayBe(e)) {
                    throw e;
                }
            }
            LockSupport.parkNanos(BACKUP_PAUSE_NS);
        }
    }

    /** Writers can be too fast for the small snapshots that victims make, and snapshots for who copies one. */
    private static boolean mayBe(RuntimeException noBackup) {
        String why = noBackup.getMessage();
        return why.contains("because the snapshot failed") || why.contains("because it has newer ones");
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
