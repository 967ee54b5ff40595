package io.reprise.cluster.transaction;

import io.reprise.cluster.transaction.Coordinated.Phase;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rounds of a coordinator's procedures: takes the procedure's next step when all rows of the last one have come, and sends
 * its statements.
 *
 * <p>A first step that needs the home alone is taken at the home's turn. Its statements then arrive at the other participants before or
 * with their turns, which saves a round trip. The procedure does not end before all participants have opened at the final id.
 *
 * <p>The last statements carry the request for the vote. A participant that aborts them does not vote.
 */
final class CoordinatedRounds {
    private final Leading leading;
    private final Coordinator coordinator;

    CoordinatedRounds(Leading leading, Coordinator coordinator) {
        this.leading = leading;
        this.coordinator = coordinator;
    }

    /** The home has opened: takes the first step if that needs the home alone. */
    void homeRan(Coordinated of, long nowNs) {
        boolean isOpen = of.phase == Phase.PROPOSING || of.phase == Phase.RUNNING;
        if (isOpen && of.round < 0 && of.procedure.beginsAtHome() && of.hasRan(of.place(leading.partition))) {
            of.isEarly = true;
            of.rows = new TreeMap<>();
            int home = of.place(leading.partition);
            if (!of.results.get(home).isEmpty()) {
                of.rows.put(leading.partition, of.results.get(home).getFirst());
            }
            Procedure.Step step = next(of);
            if (step.kind() == Procedure.Step.Kind.STATEMENTS) {
                take(of, step, nowNs);
            } else {
                of.statements = new TreeMap<>();
                of.back = -1;
                of.ending = step;
            }
        }
    }

    /** All participants have run at the final id: takes the next step if all rows of the last one are here. */
    void advance(Coordinated of, long nowNs) {
        if (of.round >= 0 && of.rows.size() < expectedRows(of)) {
            return;
        }
        if (of.isEarly) {
            of.isEarly = false;
            if (!of.procedure.opened(openings(of))) {
                coordinator.abort(of, nowNs);
                return;
            }
        }
        if (of.ending != null) {
            Procedure.Step ending = of.ending;
            of.ending = null;
            take(of, ending, nowNs);
            return;
        }
        if (of.round < 0) {
            of.rows = openings(of);
        }
        take(of, next(of), nowNs);
    }

    private static SortedMap<Integer, Result> openings(Coordinated of) {
        SortedMap<Integer, Result> openings = new TreeMap<>();
        for (int i = 0; i < of.participants.length; i++) {
            if (!of.results.get(i).isEmpty()) {
                openings.put(of.participants[i], of.results.get(i).getFirst());
            }
        }
        return openings;
    }

    private static Procedure.Step next(Coordinated of) {
        Procedure.Step step = of.procedure.next(of.round + 1, of.rows);
        of.round++;
        of.rows = new TreeMap<>();
        return step;
    }

    private void take(Coordinated of, Procedure.Step step, long nowNs) {
        of.statements = step.statements();
        of.back = step.back();
        of.sentNs = nowNs;
        switch (step.kind()) {
            case STATEMENTS -> {
                for (int participant : of.participants) {
                    if (!runsAtHome(of, participant)) {
                        execute(of, participant);
                    }
                }
            }
            case COMMIT -> {
                if (of.mode == Mode.READ_ROUNDS) {
                    coordinator.confirm(of, Outcome.Kind.DONE, nowNs);
                } else {
                    of.phase = Phase.PREPARING;
                    for (int participant : of.participants) {
                        if (of.mode != Mode.OPENING_ONLY || participant == leading.partition) {
                            prepare(of, participant);
                        }
                    }
                }
            }
            case ABORT -> coordinator.abort(of, nowNs);
        }
    }

    /** A participant has answered the statements of a round. */
    void rows(Coordinated of, int from, TransactionMessage.Rows rows, long nowNs) {
        if (rows.id() != of.run.id() || rows.round() != of.round) {
            return;
        }
        if (of.phase == Phase.PREPARING) {
            if (rows.result().aborted() && of.statements.containsKey(from)) {
                of.procedure.refused(from, rows.result());
                coordinator.abort(of, nowNs);
            }
        } else if (of.phase == Phase.PROPOSING || of.phase == Phase.RUNNING) {
            of.rows.put(from, rows.result());
            coordinator.advance(of, nowNs);
        }
    }

    /** T8, while the procedure runs. */
    void repeat(Coordinated of, int to) {
        if (of.round >= 0 && !of.rows.containsKey(to) && !runsAtHome(of, to)) {
            execute(of, to);
        }
    }

    private boolean runsAtHome(Coordinated of, int participant) {
        return participant == leading.partition && of.procedure.runsAtHome();
    }

    private int expectedRows(Coordinated of) {
        int others = of.participants.length - (of.procedure.runsAtHome() ? 1 : 0);
        return of.back >= 0 ? others : of.statements.size();
    }

    private void execute(Coordinated of, int participant) {
        byte[] work = of.statements.get(participant);
        if (work != null || of.back >= 0) {
            send(of, participant, work == null ? Result.NONE.rows() : work, false);
        }
    }

    private void send(Coordinated of, int participant, byte[] work, boolean isLast) {
        coordinator.send(
                of, participant, new TransactionMessage.Execute(of.name, of.run.id(), of.round, of.back, isLast, work));
    }

    /** Asks for a vote, with the last work if there is some. */
    void prepare(Coordinated of, int participant) {
        byte[] work = of.statements.get(participant);
        if (work == null) {
            coordinator.send(of, participant, new TransactionMessage.Prepare(of.name, of.run));
        } else {
            send(of, participant, work, true);
        }
    }
}
