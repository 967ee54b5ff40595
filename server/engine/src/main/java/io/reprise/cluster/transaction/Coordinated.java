package io.reprise.cluster.transaction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A transaction at its coordinator. Arrays are by the participant's place in {@link #participants}. Owned by the {@link
 * Coordinator}.
 *
 * <pre>
 *  PROPOSING -> RUNNING -> PREPARING -> COMMITTED -> (stable everywhere)
 *  PROPOSING -> RUNNING -> CONFIRMING -> ENDING                     reads
 *  any undecided -> ENDING                                          aborted or given up
 *  any undecided -> CONFIRMING -> ENDING                            aborted by the user
 * </pre>
 */
final class Coordinated {
    /** The progress of a transaction at its coordinator. */
    enum Phase {
        /** Proposals are awaited. */
        PROPOSING,
        /** The id is final; results, rows and votes are awaited. */
        RUNNING,
        /** The rounds are over; votes are awaited. */
        PREPARING,
        /** Confirmations of what was read are awaited. */
        CONFIRMING,
        /** Reports of stability are awaited. */
        COMMITTED,
        /** The outcome is told; participants still hold something. */
        ENDING
    }

    final TransactionName name;
    final Mode mode;
    final int[] participants;
    /** Null if an earlier leader has committed it. */
    final Procedure procedure;

    final Reply reply;
    final long beganNs;

    /** The term of each participant that got the reservation. */
    final long[] terms;

    final long[] proposals;
    final Run[] ran;
    final List<List<Result>> results;
    final Run[] votes;
    final boolean[] confirmed;
    final boolean[] done;
    final boolean[] stable;

    Phase phase = Phase.PROPOSING;
    Run run;
    Verdict verdict = Verdict.UNDECIDED;
    Outcome.Kind outcome;

    /** The running round, the participants whose rows it awaits, and their rows. */
    int round = -1;

    SortedMap<Integer, byte[]> statements = new TreeMap<>();
    int back;

    /** Whether the first step was taken before all participants had opened. */
    boolean isEarly;

    /** A first step that ends the procedure and waits until all participants have opened, or null. */
    Procedure.Step ending;

    SortedMap<Integer, Result> rows = new TreeMap<>();

    long sentNs;

    Coordinated(TransactionName name, Mode mode, int[] participants, Procedure procedure, Reply reply, long nowNs) {
        this.name = name;
        this.mode = mode;
        this.participants = participants;
        this.procedure = procedure;
        this.reply = reply;
        beganNs = nowNs;
        sentNs = nowNs;
        int count = participants.length;
        terms = new long[count];
        proposals = new long[count];
        ran = new Run[count];
        results = new ArrayList<>(Collections.nCopies(count, null));
        votes = new Run[count];
        confirmed = new boolean[count];
        done = new boolean[count];
        stable = new boolean[count];
    }

    int place(int participant) {
        return Arrays.binarySearch(participants, participant);
    }

    boolean isUndecided() {
        return phase != Phase.COMMITTED && phase != Phase.ENDING;
    }

    /** The number of ids that it needs. */
    int ids() {
        return procedure.ids();
    }

    /** After so many times the usual patience it is given up. */
    int patience() {
        return procedure.patience();
    }

    /** The opening of one participant, if there is one. */
    List<byte[]> opening(int participant) {
        return procedure.opens() ? List.of(procedure.opening(participant)) : List.of();
    }

    /** Takes another id. Parts that have run and votes are void. */
    void moveTo(long id) {
        run = new Run(id);
        Arrays.fill(ran, null);
        Collections.fill(results, null);
        Arrays.fill(votes, null);
        rows = new TreeMap<>();
        round = -1;
        isEarly = false;
        ending = null;
    }

    boolean hasRan(int place) {
        return run.equals(ran[place]);
    }

    boolean all(boolean[] flags) {
        for (boolean flag : flags) {
            if (!flag) {
                return false;
            }
        }
        return true;
    }
}
