package io.reprise.cluster.transaction;

import java.util.SortedMap;
import java.util.TreeMap;

/** A procedure whose work comes with the reservation. It commits unless a participant has aborted its part. */
final class OneShot implements Procedure {
    private final SortedMap<Integer, byte[]> works;
    private SortedMap<Integer, Result> rows = new TreeMap<>();

    /** The work of each participant. */
    OneShot(SortedMap<Integer, byte[]> works) {
        this.works = works;
    }

    /** The results of its last run. */
    SortedMap<Integer, Result> rows() {
        return rows;
    }

    @Override
    public boolean opens() {
        return true;
    }

    @Override
    public boolean opensOnly() {
        return true;
    }

    @Override
    public byte[] opening(int participant) {
        return works.get(participant);
    }

    @Override
    public Step next(int round, SortedMap<Integer, Result> openings) {
        rows = new TreeMap<>(openings);
        boolean aborts = rows.values().stream().anyMatch(Result::aborted);
        return new Step(aborts ? Step.Kind.ABORT : Step.Kind.COMMIT, new TreeMap<>(), -1);
    }
}
