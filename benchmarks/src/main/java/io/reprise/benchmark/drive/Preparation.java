package io.reprise.benchmark.drive;

import io.reprise.client.CallAbortedException;
import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ErrorCode;
import io.reprise.workload.ArgumentList;
import io.reprise.workload.Database;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import io.reprise.workload.ycsb.YcsbOptions.Mix;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Gives a server a workload's tables, procedures and rows: they are made if there are none, taken as they are if they
 * are whole, and never touched if they are something else. A failure is an IllegalStateException for people.
 */
final class Preparation {
    private static final int TRIED_CALLS = 20;
    private static final long PATIENCE_NS = 600_000_000_000L;
    private static final long LOOK_MS = 200;
    private static final String ELSEWHERE = "; start a node with another data directory for it";

    private final Client client;
    private final Database database;
    private final NamedWorkload name;
    private final Mix mix;
    private final DriverShare share;
    private final Deployment deployment;
    private final Consumer<String> told;

    /** Sends DDL to the node. */
    @FunctionalInterface
    interface Deployment {
        /** Runs it, all or nothing; its exception tells the reason of a failure. */
        void run(String ddl) throws IOException, InterruptedException;
    }

    Preparation(
            Client client,
            NamedWorkload name,
            Mix mix,
            DriverShare share,
            Deployment deployment,
            Consumer<String> told) {
        this.share = share;
        this.client = client;
        this.database = new ClientDatabase(client);
        this.name = name;
        this.mix = mix;
        this.deployment = deployment;
        this.told = told;
    }

    /**
     * Prepares the server.
     *
     * @param size in the workload's unit; empty: the size of the existing rows, or the usual one
     */
    Workload prepare(OptionalInt size) throws IOException, InterruptedException {
        List<String> tables = name.tables();
        int wanted = size.orElse(name.usualSize());
        if (!share.isFirst()) {
            await("the schema of " + name, () -> tables.stream().allMatch(this::exists));
        }
        List<String> present = tables.stream().filter(this::exists).toList();
        if (present.isEmpty()) {
            told.accept("Deploying the schema and procedures of " + name);
            deployment.run(name.workload(wanted, mix).ddl());
        } else if (present.size() < tables.size()) {
            List<String> missing =
                    tables.stream().filter(table -> !present.contains(table)).toList();
            throw new IllegalStateException("the node has tables of another application: " + present
                    + " are there, but not " + missing + ", which belong to " + name + " too" + ELSEWHERE);
        }
        Workload workload = filled(wanted, size.isPresent());
        tryCalls(workload);
        return workload;
    }

    private boolean exists(String table) {
        try {
            client.sql("SELECT 1 FROM " + table + " LIMIT 1");
            return true;
        } catch (CallException failure) {
            if (failure.code() == ErrorCode.INVALID_REQUEST) {
                return false;
            }
            throw failure;
        }
    }

    private NamedWorkload.Content look(int wanted) {
        try {
            return name.look(database, wanted);
        } catch (CallException failure) {
            throw new IllegalStateException(
                    "the node has tables with the names of those of " + name + ", but they are others: "
                            + failure.getMessage() + ELSEWHERE,
                    failure);
        }
    }

    private Workload filled(int wanted, boolean asked) throws InterruptedException {
        NamedWorkload.Content content = look(wanted);
        if (!share.isAlone() && !isLoaded(content, wanted)) {
            // The rows that are there are those of other drivers.
            loaded(name.workload(wanted, mix));
            await("the rows of the other drivers", () -> isLoaded(look(wanted), wanted));
            return name.workload(wanted, mix);
        }
        if (content.size() == 0) {
            return loaded(name.workload(wanted, mix));
        }
        if (!content.whole()) {
            throw new IllegalStateException("the node does not have all rows of " + amount(content.size())
                    + ": they were loaded in part, or in another way" + ELSEWHERE);
        }
        if (asked && content.size() != wanted) {
            throw new IllegalStateException("the node has " + amount(content.size()) + ", not " + wanted + ": say --"
                    + name.unit() + " " + content.size() + " or nothing, or start a node with another data directory");
        }
        return name.workload((int) content.size(), mix);
    }

    private static boolean isLoaded(NamedWorkload.Content content, int wanted) {
        return content.whole() && content.size() >= wanted;
    }

    private void await(String what, BooleanSupplier isThere) throws InterruptedException {
        long beganNs = System.nanoTime();
        while (!isThere.getAsBoolean()) {
            if (System.nanoTime() - beganNs > PATIENCE_NS) {
                throw new IllegalStateException("ten minutes have passed without " + what + ": start all "
                        + share.parts() + " drivers with the same workload and size");
            }
            Thread.sleep(LOOK_MS);
        }
    }

    private Workload loaded(Workload workload) {
        told.accept("Loading " + workload.name());
        long beganNs = System.nanoTime();
        try {
            workload.load(database, share.part(), share.parts());
        } catch (CallException failure) {
            throw new IllegalStateException(
                    name + " could not be loaded: " + failure.getMessage() + ELSEWHERE, failure);
        }
        told.accept(String.format(Locale.ROOT, "Loaded in %.1f s", (System.nanoTime() - beganNs) / 1e9));
        return workload;
    }

    /** Finds out whether the procedures are those that will be called, before there are a million failures. */
    private void tryCalls(Workload workload) {
        Generator generator = workload.generator(System.nanoTime(), database.placement(), -1);
        ArgumentList arguments = new ArgumentList();
        for (int i = 0; i < TRIED_CALLS; i++) {
            String procedure = workload.procedures().get(generator.next(arguments));
            try {
                client.call(procedure, arguments.toArray());
            } catch (CallAbortedException rolledBack) {
                // As the workload has it.
            } catch (CallException failure) {
                if (failure.code() == ErrorCode.INVALID_REQUEST) {
                    throw new IllegalStateException(
                            "the node has the tables of " + name + ", but procedure " + procedure + " of "
                                    + workload.name() + " can't be called: " + failure.getMessage() + ELSEWHERE,
                            failure);
                }
                if (failure.code() == ErrorCode.NOT_CONNECTED || failure.code() == ErrorCode.OUTCOME_UNKNOWN) {
                    // Each of the others would wait as long.
                    throw failure;
                }
            }
        }
    }

    private String amount(long size) {
        return name.unit().isEmpty() ? name.toString() : size + " " + name.unit() + " of " + name;
    }
}
