package io.reprise.simulation.engines;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.procedure.Rows;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedLinks;
import io.reprise.simulation.Simulation;
import io.reprise.snapshot.SnapshotSettings;

/** A simulated machine with one engine, which can be killed and started again on what its disk has kept. */
final class EngineNode {
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE Deposit PARTITION ON TABLE account COLUMN id PARAMETER 1 AS
                UPDATE account SET balance = balance + ? WHERE id = ?;
            CREATE PROCEDURE Balance PARTITION ON TABLE account COLUMN id PARAMETER 0 AS
                SELECT balance FROM account WHERE id = ?;
            """;

    private static final long FORCE_EVERY_NS = 1_000_000_000;

    private final Simulation simulation;
    private final SimulatedLinks network;
    private final String name;
    private final int accounts;
    private final int partitions;
    private final LoggingMethod method;
    private final LogSettings log;
    private SimulatedFileStore disk;
    private Reprise engine;

    /** A machine with an empty disk; a log that is not synchronous acknowledges what a power cut may take. */
    EngineNode(
            Simulation simulation,
            SimulatedLinks network,
            String name,
            int accounts,
            Randomness random,
            boolean synchronous) {
        this.simulation = simulation;
        this.network = network;
        this.name = name;
        this.accounts = accounts;
        partitions = 1 + random.nextInt(2);
        method = random.chance(0.5) ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
        LogSettings small = LogSettings.DEFAULTS
                .withSizes(4096, 16 << 10, 1 << 16, 128 << 10)
                .withSegmentBytes(256 << 10);
        log = synchronous ? small : small.asynchronous(FORCE_EVERY_NS);
        disk = simulation.disk();
    }

    String name() {
        return name;
    }

    boolean isUp() {
        return engine != null;
    }

    /** Slow forces from now on. */
    void slow(long leastNs, long mostNs) {
        disk.faults().forceLatency(leastNs, mostNs);
    }

    void start() {
        engine = Options.create()
                .name(name)
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(simulation.clock(name))
                .memoryPerPartition(1 << 20)
                .ddl(DDL)
                .files(disk)
                .replies(Runnable::run)
                .durability(Durability.standard()
                        .with(method)
                        .with(log)
                        .with(new SnapshotSettings(0, 0, 2, 1, 1, 50_000, 1024, 2, 1 << 20, 1 << 20, 0)))
                .open();
        for (int i = 0; i < accounts; i++) {
            if (!engine.call("Balance", i).rows().next()) {
                engine.sql("INSERT INTO account VALUES (?, 0)", i);
            }
        }
        for (Agent agent : engine.agents()) {
            simulation.add(name, agent);
        }
        simulation.add(name, new Door(engine, network.of(name)));
    }

    /** Ends the process, with the power of its machine or alone. */
    void kill(boolean power) {
        simulation.crash(name);
        end(power);
    }

    /** After the simulation has dropped the node's agents. */
    void end(boolean power) {
        network.crash(name);
        SimulatedFileStore next = power ? disk.crash() : disk.kill();
        giveBack();
        disk = next;
    }

    /** After a verdict: gives the memory back, whatever state the engine is in. */
    void abandon() {
        if (engine != null) {
            giveBack();
        }
    }

    private void giveBack() {
        Reprise ended = engine;
        engine = null;
        try {
            ended.close();
        } catch (RuntimeException e) {
            // The disk of an ended process answers nothing; the memory is given back all the same.
        }
    }

    long balance(int account) {
        Rows rows = engine.call("Balance", account).rows();
        rows.next();
        return rows.longAt(0);
    }

    /** Closes the engine in good order. */
    void close() {
        if (engine != null) {
            Reprise ended = engine;
            engine = null;
            ended.close();
        }
    }
}
