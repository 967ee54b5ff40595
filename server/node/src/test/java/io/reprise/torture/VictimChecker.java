package io.reprise.torture;

import io.reprise.engine.Reprise;
import java.util.ArrayList;
import java.util.List;

/** Compares what is in a database with what its former processes have said of it. */
final class VictimChecker {
    private final VictimLoad load;
    private final Reprise engine;

    VictimChecker(VictimLoad load, Reprise engine) {
        this.load = load;
        this.engine = engine;
    }

    /**
     * Checks all, fills the database if that was not done, and checks again.
     *
     * @param wasFilled whether a process has said that it was: then nothing of it may be missing
     * @param acknowledged before the last kill
     * @param kept the part of it that must be there; with a synchronous log that is all
     * @return the writes that are there, which from now on must be
     * @throws IllegalStateException if something is wrong; the database is as it was found
     */
    WriteCounts checkAndFill(boolean wasFilled, WriteCounts acknowledged, WriteCounts kept) {
        List<String> problems = new ArrayList<>();
        if (wasFilled && !load.isFilled(engine)) {
            problems.add("the database was filled, and is not any more");
        }
        problems.addAll(load.check(engine));
        WriteCounts found = found(load, engine, problems);
        problems.addAll(acknowledged.problems(kept, found, load.kinds()));
        refuse(problems);
        if (!load.isFilled(engine)) {
            load.fill(engine);
            checkFilled(found);
        }
        return found;
    }

    /** The writes that are there, of the clients and of who changes the schema. */
    static WriteCounts found(VictimLoad load, Reprise engine, List<String> problems) {
        WriteCounts found = load.found(engine);
        found.set(KilledDatabase.CLIENTS, 0, SchemaChanges.found(engine, problems));
        return found;
    }

    private void checkFilled(WriteCounts before) {
        List<String> problems = load.check(engine);
        if (!load.isFilled(engine)) {
            problems.add("the database is not full after it was filled");
        }
        WriteCounts found = found(load, engine, problems);
        if (!found.toString().equals(before.toString())) {
            problems.add("there were " + before + " writes before the database was filled, and " + found + " after it");
        }
        refuse(problems);
    }

    private static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new IllegalStateException(problems.toString());
        }
    }
}
