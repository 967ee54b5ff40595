package io.reprise.cluster.transaction;

import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The questions about transactions whose coordinator may be gone. Rules T10 and T11.
 *
 * <p>A new leader of the home asks all participants about its open part. By the fence a participant without a decision
 * gets none of an earlier leader any more, and keeps its part until the verdict: another participant may have committed.
 * A participant asks the home.
 */
final class Enquiry {
    private static final int PATIENT_ASKS = 2;

    private final Leading leading;
    private final TreeMap<TransactionName, Long> askedNs = new TreeMap<>();
    private final TreeSet<Integer> undecided = new TreeSet<>();

    /** The open part of this home, which an earlier leader left; or null. */
    private TransactionName own;

    private Run ownRun;
    private int[] ownParticipants;
    private long ownAskedNs;
    private int ownAsks;

    Enquiry(Leading leading) {
        this.leading = leading;
    }

    void askAll(TransactionName name, Run run, int[] participants) {
        own = name;
        ownRun = run;
        ownParticipants = participants;
        ownAskedNs = Long.MIN_VALUE / 2;
        ownAsks = 0;
        undecided.clear();
    }

    void asked(int from, TransactionName name) {
        Verdict verdict;
        if (leading.state.committed(name) != null) {
            verdict = Verdict.COMMIT;
        } else if (name.home() == from) {
            if (!leading.holds(TransactionRule.KEEP_UNTIL_VERDICT)) {
                leading.executor.abort(name);
            }
            verdict = Verdict.UNDECIDED;
        } else if (name.equals(own)) {
            verdict = Verdict.UNDECIDED;
        } else {
            Verdict known = leading.coordinator.verdict(name);
            verdict = known == null ? Verdict.ABORT : known;
        }
        leading.send(from, new TransactionMessage.Answer(name, verdict));
    }

    void answered(int from, TransactionMessage.Answer answer) {
        TransactionName name = answer.name();
        if (name.equals(own)) {
            answeredOwn(from, answer.verdict());
        } else if (name.home() == from && answer.verdict() == Verdict.COMMIT) {
            Held place = leading.executor.of(name);
            if (place != null && place.partIndex > 0) {
                leading.executor.commit(name, place.run);
            }
        } else if (name.home() == from && answer.verdict() != Verdict.UNDECIDED) {
            leading.executor.abort(name);
            leading.telling.release(name);
        }
    }

    private void answeredOwn(int from, Verdict verdict) {
        if (verdict == Verdict.COMMIT) {
            leading.executor.commit(own, ownRun);
            leading.coordinator.gatherStable(own, ownRun, ownParticipants);
            own = null;
            return;
        }
        undecided.add(from);
        if (undecided.size() == ownParticipants.length - 1) {
            abortOwn();
        }
    }

    private void abortOwn() {
        leading.executor.abort(own);
        for (int participant : ownParticipants) {
            if (participant != leading.partition) {
                leading.send(participant, new TransactionMessage.Decide(own, ownRun, Verdict.ABORT));
            }
        }
        own = null;
    }

    int step(long nowNs) {
        int work = own == null ? 0 : askAll(nowNs);
        for (Held place : leading.executor.all()) {
            work += ask(place, nowNs);
        }
        for (Held place : leading.telling.open()) {
            work += ask(place, nowNs);
        }
        return work;
    }

    private int askAll(long nowNs) {
        if (ownParticipants.length == 1) {
            abortOwn();
            return 1;
        }
        if (nowNs - ownAskedNs < leading.settings.repeatNs()) {
            return 0;
        }
        if (ownAsks++ > PATIENT_ASKS && !leading.holds(TransactionRule.ASK_ALL)) {
            abortOwn();
            return 1;
        }
        ownAskedNs = nowNs;
        for (int participant : ownParticipants) {
            if (participant != leading.partition && !undecided.contains(participant)) {
                leading.send(participant, new TransactionMessage.Ask(own));
            }
        }
        return 1;
    }

    private int ask(Held place, long nowNs) {
        TransactionName name = place.name;
        boolean isPassed = leading.termOf(name.home()) > name.term();
        boolean isLate = nowNs - place.sinceNs > leading.settings.patienceNs();
        boolean isDue = nowNs - askedNs.getOrDefault(name, Long.MIN_VALUE / 2) >= leading.settings.repeatNs();
        if (name.home() == leading.partition || !(isPassed || isLate) || !isDue) {
            return 0;
        }
        askedNs.put(name, nowNs);
        leading.send(name.home(), new TransactionMessage.Ask(name));
        return 1;
    }
}
