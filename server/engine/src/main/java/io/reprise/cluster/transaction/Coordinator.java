package io.reprise.cluster.transaction;

import io.reprise.cluster.transaction.Coordinated.Phase;
import io.reprise.id.TransactionId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * The coordinator of the transactions whose home this partition is. Rules T3, T6 to T9 and T13.
 *
 * <p>The home takes part like all others: messages to itself come at once.
 */
final class Coordinator {
    private final Leading leading;
    private final TreeMap<TransactionName, Coordinated> open = new TreeMap<>();
    private final CoordinatedRounds rounds;
    private final Foresight foresight = new Foresight();
    private long number;

    Coordinator(Leading leading) {
        this.leading = leading;
        rounds = new CoordinatedRounds(leading, this);
    }

    // ---- Calls

    void run(Procedure procedure, int[] participants, boolean isRead, Reply reply, long nowNs) {
        Mode mode = isRead ? Mode.READ_ROUNDS : procedure.opensOnly() ? Mode.OPENING_ONLY : Mode.ROUNDS;
        TransactionName name = new TransactionName(leading.partition, leading.term, ++number);
        Coordinated begun = new Coordinated(name, mode, participants, procedure, reply, nowNs);
        begun.run = new Run(leading.stampAhead(0, begun.ids(), foresight.micros()));
        for (int i = 0; i < participants.length; i++) {
            begun.terms[i] = leading.termOf(participants[i]);
        }
        open.put(name, begun);
        for (int i = 0; i < participants.length; i++) {
            reserve(begun, i);
        }
    }

    // ---- Messages of participants

    void receive(int from, long fromTerm, TransactionMessage message, long nowNs) {
        switch (message) {
            case TransactionMessage.Proposed proposed -> {
                Coordinated of = of(proposed.name(), from, fromTerm);
                if (of != null && of.phase == Phase.PROPOSING) {
                    of.proposals[of.place(from)] = proposed.id();
                    proposed(of, nowNs);
                }
            }
            case TransactionMessage.Ran ran -> {
                Coordinated of = of(ran.name(), from, fromTerm);
                if (of != null) {
                    of.ran[of.place(from)] = ran.run();
                    of.results.set(of.place(from), ran.results());
                    if (from == leading.partition) {
                        rounds.homeRan(of, nowNs);
                    }
                    advance(of, nowNs);
                }
            }
            case TransactionMessage.Prepared prepared -> {
                Coordinated of = of(prepared.name(), from, fromTerm);
                if (of != null) {
                    of.votes[of.place(from)] = prepared.run();
                    advance(of, nowNs);
                }
            }
            case TransactionMessage.Rows rows -> {
                Coordinated of = of(rows.name(), from, fromTerm);
                if (of != null) {
                    rounds.rows(of, from, rows, nowNs);
                }
            }
            case TransactionMessage.Confirmed confirmed -> {
                Coordinated of = of(confirmed.name(), from, fromTerm);
                if (of != null) {
                    of.confirmed[of.place(from)] = true;
                    advance(of, nowNs);
                }
            }
            case TransactionMessage.Done done -> {
                Coordinated of = open.get(done.name());
                if (of != null && of.phase == Phase.ENDING && of.place(from) >= 0) {
                    of.done[of.place(from)] = true;
                }
            }
            default -> throw new IllegalArgumentException("no message to a coordinator: " + message);
        }
    }

    /** The transaction, if the sender leads in the term that got its reservation. */
    private Coordinated of(TransactionName name, int from, long fromTerm) {
        Coordinated of = open.get(name);
        boolean counts = of != null && of.place(from) >= 0 && of.terms[of.place(from)] == fromTerm;
        return counts ? of : null;
    }

    /** T3. */
    private void proposed(Coordinated of, long nowNs) {
        long highest = 0;
        boolean equal = true;
        for (long proposal : of.proposals) {
            if (proposal == 0) {
                return;
            }
            highest = Math.max(highest, proposal);
            equal &= proposal == of.run.id();
        }
        learn(of, equal, highest);
        of.phase = Phase.RUNNING;
        if (!equal) {
            of.moveTo(leading.stampSeveral(highest, of.ids()));
            sendAll(of, new TransactionMessage.Move(of.name, of.run.id()), nowNs);
        }
        advance(of, nowNs);
    }

    private void learn(Coordinated of, boolean equal, long highest) {
        if (equal) {
            foresight.inTime();
        } else {
            foresight.late(TransactionId.epochMicros(highest) - TransactionId.epochMicros(of.run.id()));
        }
    }

    void advance(Coordinated of, long nowNs) {
        switch (of.phase) {
            case RUNNING -> {
                if (haveRun(of)) {
                    rounds.advance(of, nowNs);
                }
            }
            case PREPARING -> commitIfVoted(of, nowNs);
            case CONFIRMING -> confirming(of, nowNs);
            default -> {}
        }
    }

    private boolean haveRun(Coordinated of) {
        for (int i = 0; i < of.participants.length; i++) {
            if (!of.hasRan(i)) {
                return false;
            }
        }
        return true;
    }

    /** T6. */
    private void commitIfVoted(Coordinated of, long nowNs) {
        for (int i = 0; i < of.participants.length; i++) {
            boolean isHome = of.participants[i] == leading.partition;
            boolean voted =
                    leading.holds(TransactionRule.VOTE_FOR_RUN) ? of.run.equals(of.votes[i]) : of.votes[i] != null;
            if (!voted && !(isHome && !leading.holds(TransactionRule.HOME_VOTES))) {
                return;
            }
        }
        if (leading.executor.isHeld(of.name, of.run)) {
            leading.executor.commit(of.name, of.run);
            of.verdict = Verdict.COMMIT;
            of.phase = Phase.COMMITTED;
            sendOthers(of, new TransactionMessage.Decide(of.name, of.run, Verdict.COMMIT), nowNs);
        }
    }

    // ---- Confirmation

    /** The user's code has aborted it: its changes go, and what it saw is confirmed. */
    void abort(Coordinated of, long nowNs) {
        of.verdict = Verdict.ABORT_AND_CONFIRM;
        confirm(of, Outcome.Kind.USER_ABORT, nowNs);
    }

    /** T13: all parts have run. Each participant, and so the home too, shows that it still leads. */
    void confirm(Coordinated of, Outcome.Kind outcome, long nowNs) {
        of.phase = Phase.CONFIRMING;
        of.outcome = outcome;
        sendAll(of, confirmation(of), nowNs);
    }

    private void confirming(Coordinated of, long nowNs) {
        if (of.phase == Phase.CONFIRMING && of.all(of.confirmed)) {
            end(of, of.outcome, nowNs);
        }
    }

    // ---- T9

    /** Committed transactions of this home that are not known to be stable: an earlier leader may not have ended them. */
    void takeCommitted() {
        for (TransactionState.Committed each : leading.state.committed()) {
            if (each.name().home() == leading.partition
                    && !leading.telling.isStable(each.name(), each.run().id())) {
                gatherStable(each.name(), each.run(), each.participants());
            }
        }
    }

    /** Gathers the stability of a transaction that an earlier leader ran. */
    void gatherStable(TransactionName name, Run run, int[] participants) {
        if (open.containsKey(name)) {
            return;
        }
        Coordinated of = new Coordinated(name, Mode.ROUNDS, participants, null, null, 0);
        of.run = run;
        of.phase = Phase.COMMITTED;
        of.verdict = Verdict.COMMIT;
        of.sentNs = Long.MIN_VALUE / 2;
        open.put(name, of);
    }

    void stable(int from, TransactionMessage.Stable stable) {
        Coordinated of = open.get(stable.name());
        if (of == null || of.phase != Phase.COMMITTED || of.place(from) < 0) {
            if (leading.telling.isStable(stable.name(), stable.id())) {
                leading.send(from, new TransactionMessage.StableAll(stable.name(), stable.id()));
            }
            return;
        }
        of.stable[of.place(from)] = true;
        boolean everywhere = leading.holds(TransactionRule.STABLE_EVERYWHERE)
                ? of.all(of.stable)
                : of.stable[of.place(leading.partition)];
        if (everywhere) {
            stableEverywhere(of);
        }
    }

    private void stableEverywhere(Coordinated of) {
        for (int participant : of.participants) {
            leading.send(participant, new TransactionMessage.StableAll(of.name, of.run.id()));
        }
        open.remove(of.name);
        told(of, Outcome.Kind.DONE);
    }

    // ---- The end

    /** Ends an undecided transaction: participants release what they hold. */
    private void end(Coordinated of, Outcome.Kind outcome, long nowNs) {
        of.phase = Phase.ENDING;
        of.verdict = Verdict.ABORT;
        sendAll(of, new TransactionMessage.Decide(of.name, of.run, Verdict.ABORT), nowNs);
        told(of, outcome);
    }

    private static void told(Coordinated of, Outcome.Kind kind) {
        if (of.reply != null) {
            of.reply.told(Outcome.without(kind));
        }
    }

    /** The leadership has ended. */
    void end() {
        for (Coordinated of : open.values()) {
            if (of.phase != Phase.ENDING) {
                told(of, Outcome.Kind.UNKNOWN);
            }
        }
    }

    /** The end of a transaction as this coordinator knows it; null if it does not know the transaction. */
    Verdict verdict(TransactionName name) {
        Coordinated of = open.get(name);
        return of == null ? null : of.isUndecided() ? Verdict.UNDECIDED : of.verdict;
    }

    /** All that has not ended. */
    Iterable<Coordinated> all() {
        return open.values();
    }

    // ---- Time

    int step(long nowNs) {
        int work = 0;
        for (Coordinated of : List.copyOf(open.values())) {
            work += step(of, nowNs);
        }
        return work;
    }

    private int step(Coordinated of, long nowNs) {
        if (of.isUndecided() && isHopeless(of, nowNs)) {
            end(of, Outcome.Kind.NOT_RUN, nowNs);
            return 1;
        }
        if (of.phase == Phase.ENDING && hasEnded(of)) {
            open.remove(of.name);
            return 1;
        }
        if (of.phase == Phase.COMMITTED && leading.telling.isStable(of.name, of.run.id())) {
            // An earlier leader has gathered it, and a later transaction has told this one: participants report it no
            // more.
            stableEverywhere(of);
            return 1;
        }
        if (nowNs - of.sentNs >= leading.settings.repeatNs()) {
            of.sentNs = nowNs;
            for (int i = 0; i < of.participants.length; i++) {
                repeat(of, i);
            }
            return 1;
        }
        return 0;
    }

    /** T7: a participant's term has changed and no vote of it has come, or it takes too long. */
    private boolean isHopeless(Coordinated of, long nowNs) {
        if (nowNs - of.beganNs > of.patience() * leading.settings.patienceNs()) {
            return true;
        }
        for (int i = 0; i < of.participants.length; i++) {
            if (leading.termOf(of.participants[i]) > of.terms[i] && !of.run.equals(of.votes[i])) {
                return true;
            }
        }
        return false;
    }

    private boolean hasEnded(Coordinated of) {
        for (int i = 0; i < of.participants.length; i++) {
            if (!of.done[i] && leading.termOf(of.participants[i]) == of.terms[i]) {
                return false;
            }
        }
        return true;
    }

    /** T8. */
    private void repeat(Coordinated of, int place) {
        int to = of.participants[place];
        switch (of.phase) {
            case PROPOSING -> {
                if (of.proposals[place] == 0) {
                    reserve(of, place);
                }
                rounds.repeat(of, to);
            }
            case RUNNING -> {
                if (of.round < 0 || !of.hasRan(place)) {
                    send(of, to, new TransactionMessage.Move(of.name, of.run.id()));
                }
                rounds.repeat(of, to);
            }
            case PREPARING -> {
                if (!of.run.equals(of.votes[place])) {
                    rounds.prepare(of, to);
                }
            }
            case CONFIRMING -> {
                if (!of.confirmed[place]) {
                    send(of, to, confirmation(of));
                }
            }
            case COMMITTED -> {
                if (!of.stable[place] && to != leading.partition) {
                    send(of, to, new TransactionMessage.Decide(of.name, of.run, Verdict.COMMIT));
                }
            }
            case ENDING -> {
                if (!of.done[place]) {
                    send(of, to, new TransactionMessage.Decide(of.name, of.run, Verdict.ABORT));
                }
            }
        }
    }

    private static TransactionMessage confirmation(Coordinated of) {
        if (of.verdict == Verdict.ABORT_AND_CONFIRM) {
            return new TransactionMessage.Decide(of.name, of.run, of.verdict);
        }
        return new TransactionMessage.Finish(of.name);
    }

    private void reserve(Coordinated of, int place) {
        int to = of.participants[place];
        send(of, to, new TransactionMessage.Reserve(of.name, of.run.id(), of.mode, of.participants, of.opening(to)));
    }

    private void sendAll(Coordinated of, TransactionMessage message, long nowNs) {
        of.sentNs = nowNs;
        for (int participant : of.participants) {
            send(of, participant, message);
        }
    }

    private void sendOthers(Coordinated of, TransactionMessage message, long nowNs) {
        of.sentNs = nowNs;
        for (int participant : of.participants) {
            if (participant != leading.partition) {
                send(of, participant, message);
            }
        }
    }

    /** To the leader that got the reservation; a decision goes to its successor too. */
    void send(Coordinated of, int participant, TransactionMessage message) {
        if (of.phase == Phase.COMMITTED) {
            leading.send(participant, message);
        } else {
            leading.sendTo(participant, of.terms[of.place(participant)], message);
        }
    }

    /** The transactions under way, for a person. */
    List<String> describe() {
        List<String> lines = new ArrayList<>();
        open.values()
                .forEach(of -> lines.add("coordinates " + of.name + " at " + of.run + " " + of.mode + " " + of.phase
                        + " over " + Arrays.toString(of.participants)));
        return lines;
    }
}
