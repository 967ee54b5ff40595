package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.Durability;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.snapshot.SnapshotSettings;
import java.nio.file.Path;
import java.util.Locale;

/** The logging of a run; the log is always synchronous. */
enum Logging {
    /** There is no directory. */
    NONE,
    /** Procedures and their arguments. */
    COMMAND,
    /** Procedures and their arguments, and the rows that each transaction read and wrote. */
    FOOTPRINT,
    /** Procedures or rows, as the node chooses at each commit, within its default budget. */
    ADAPTIVE,
    /** After-images of the changed columns. */
    PHYSIOLOGICAL,
    /** After-images of whole rows. */
    PHYSIOLOGICAL_FULL;

    /** As it is called in keys and files. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The durability settings; the only snapshots are those that a benchmark asks for. */
    Durability durability() {
        return Durability.standard()
                .with(method())
                .withFootprints(this == FOOTPRINT)
                .withDifferential(this != PHYSIOLOGICAL_FULL)
                .with(SnapshotSettings.usual().onDemand());
    }

    private LoggingMethod method() {
        return switch (this) {
            case NONE, PHYSIOLOGICAL, PHYSIOLOGICAL_FULL -> LoggingMethod.PHYSIOLOGICAL;
            case COMMAND, FOOTPRINT -> LoggingMethod.COMMAND;
            case ADAPTIVE -> LoggingMethod.ADAPTIVE;
        };
    }

    /** An engine that logs like this, in a folder of its own. */
    EngineRun load(EngineRun.Setup setup, Path folder) {
        return load(setup, folder, LogSettings.DEFAULTS.maxDelayNs());
    }

    /** The same, with forces at least so far apart while the sites are busy. */
    EngineRun load(EngineRun.Setup setup, Path folder, long pauseNs) {
        Durability durability = durability();
        return EngineRun.load(
                this == NONE
                        ? setup
                        : setup.in(
                                folder.resolve(key()),
                                durability.with(durability.log().withMaxDelayNs(pauseNs))));
    }
}
