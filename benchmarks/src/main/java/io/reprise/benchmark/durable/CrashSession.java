package io.reprise.benchmark.durable;

import io.reprise.benchmark.fork.Fork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A database that lives in one process after another: each is killed, and the next recovers what it has left in a JVM in
 * which nothing has run, as it is after a crash. A hash over all rows compares the recovered rows with those before.
 */
final class CrashSession implements AutoCloseable {
    private final List<String> flags;
    private final String[] words;
    private Fork life;

    /**
     * Makes a database in a folder that does not exist.
     *
     * @param flags more of them for each process's JVM
     */
    CrashSession(List<String> flags, Load load, int warehouses, Logging logging, Path folder) {
        this(flags, load, warehouses, logging, folder, false, false);
    }

    /**
     * Makes a database in a folder that does not exist.
     *
     * @param sorts whether the log is sorted into runs by bucket
     * @param images whether runs have images of commands
     */
    CrashSession(
            List<String> flags,
            Load load,
            int warehouses,
            Logging logging,
            Path folder,
            boolean sorts,
            boolean images) {
        this.flags = flags;
        words = new String[] {
            load.name(),
            logging.name(),
            Integer.toString(warehouses),
            folder.toString(),
            Boolean.toString(sorts),
            Boolean.toString(images)
        };
        life = Fork.start(flags, CrashTask.class, words);
    }

    /** Lets the clients run for so long, without a report of their speed. */
    void warmUp(double seconds) {
        life.ask("warm-up", Double.toString(seconds));
    }

    /** A snapshot, from which the next recovery begins. */
    void snapshot() {
        life.ask("snapshot");
    }

    /** Deploys more procedures, which get no calls. */
    void deploy(int procedures) {
        life.ask("deploy", Integer.toString(procedures));
    }

    /** Transactions at full speed for so long, and a report of them. */
    Map<String, Double> run(double seconds) {
        return life.ask("run-for", Double.toString(seconds));
    }

    /** Runs at least so many transactions that write something. Returns how many there were. */
    long runAtLeast(long transactions) {
        return life.ask("run-at-least", Long.toString(transactions))
                .get("transactions")
                .longValue();
    }

    /** A step between the kill of a process and the next one's recovery. */
    interface Between {
        void run() throws Exception;
    }

    /** Kills the process and recovers in another one, with a report of the recovery. */
    Map<String, Double> crash() throws Exception {
        return crash(() -> {});
    }

    /** The same with something between, which has to leave the data as they were. */
    Map<String, Double> crash(Between between) throws Exception {
        Map<String, Double> before = life.ask("content");
        life.close();
        between.run();
        life = Fork.start(flags, CrashTask.class, words);
        Map<String, Double> recovery = life.ask("recovery");
        if (!life.ask("content").equals(before)) {
            throw new IllegalStateException("what was recovered is not what was there");
        }
        return recovery;
    }

    @Override
    public void close() {
        life.close();
    }
}
