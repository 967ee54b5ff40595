package io.reprise.cluster.transaction;

import java.util.ArrayList;
import java.util.List;

/** A transaction's place at a participant: reserved first, then run and held. Owned by the {@link Executor}. */
final class Held {
    final TransactionName name;
    final Mode mode;
    final int[] participants;
    final List<byte[]> works;
    final long sinceNs;

    /** The id that was answered to the reservation. */
    final long proposed;

    Run run;

    /** Whether the id is higher than the reserved one, so that the coordinator names another. */
    boolean isRaised;

    /** Whether the coordinator has named the id as the final one. */
    boolean isFinal;

    /** The result of the opening, if there is one, and results and savepoints of the rounds. */
    final List<Result> results = new ArrayList<>();

    final List<Integer> savepoints = new ArrayList<>();

    /** The index of the part's record, or 0. */
    long partIndex;

    boolean voted;

    /** Whether an earlier leader left it open: this one has not run it and does not vote. */
    boolean isInherited;

    /** The last round, and to which savepoint each executed round belongs. */
    int round = -1;

    final List<Integer> rounds = new ArrayList<>();

    /** Statements that have come before the turn, or null. */
    TransactionMessage.Execute early;

    Held(TransactionName name, Mode mode, int[] participants, List<byte[]> works, long proposed, long sinceNs) {
        this.name = name;
        this.mode = mode;
        this.participants = participants;
        this.works = works;
        this.proposed = proposed;
        this.sinceNs = sinceNs;
        run = new Run(proposed);
    }

    /** The result of the work that came with the reservation. */
    List<Result> opening() {
        return works.isEmpty() || results.isEmpty() ? List.of() : List.of(results.getFirst());
    }

    /** Forgets what has run; the reservation begins again at an id. */
    void moveTo(long id) {
        run = new Run(id);
        isFinal = true;
        results.clear();
        savepoints.clear();
        rounds.clear();
        round = -1;
        early = null;
        partIndex = 0;
        voted = false;
    }
}
