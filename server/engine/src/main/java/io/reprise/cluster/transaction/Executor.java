package io.reprise.cluster.transaction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A participant: the door, through which transactions of other partitions enter the order, and the execution in that
 * order. The lowest reservation runs and is held until its end; meanwhile nothing else runs. Rules T2 and T4 to T7.
 *
 * <pre>
 *  reserved -> held -> decided            ROUNDS, OPENING_ONLY
 *  reserved -> held -> released           READ_ROUNDS
 *  held -> reserved                       moved to another id
 * </pre>
 */
final class Executor {
    private static final int CALLS_A_STEP = 16;

    /** A participant with a slow clock waits no longer for it to reach an id, because the home stands still meanwhile. */
    private static final long MOST_AHEAD_MICROS = 1_000;

    private final Leading leading;
    private final TreeMap<Long, Held> reserved = new TreeMap<>();
    private final TreeMap<TransactionName, Held> byName = new TreeMap<>();
    private final ArrayDeque<LocalCall> calls = new ArrayDeque<>();

    /** The transaction that has run and awaits its end, or null. */
    private Held held;

    Executor(Leading leading) {
        this.leading = leading;
    }

    // ---- Beginning and end of the leadership

    /** A part that an earlier leader left open is held until its end is known. */
    void takeOpenPart() {
        TransactionRecord.Part open = leading.state.open();
        if (open == null) {
            return;
        }
        held = new Held(
                open.name(),
                Mode.ROUNDS,
                open.participants(),
                List.of(),
                open.run().id(),
                Long.MIN_VALUE / 2);
        held.isInherited = true;
        held.run = open.run();
        held.partIndex = leading.state.openIndex();
        byName.put(held.name, held);
        if (held.name.home() == leading.partition) {
            leading.enquiry.askAll(held.name, held.run, held.participants);
        }
    }

    /** The leadership has ended. */
    void end() {
        calls.forEach(call -> call.reply().told(Outcome.without(Outcome.Kind.NOT_RUN)));
    }

    // ---- The door

    boolean isHolding() {
        return held != null;
    }

    long lowestReserved() {
        return reserved.isEmpty() ? Long.MAX_VALUE : reserved.firstKey();
    }

    long highestReserved() {
        return reserved.isEmpty() ? 0 : reserved.lastKey();
    }

    /** A transaction that is reserved or held here, or null. */
    Held of(TransactionName name) {
        return byName.get(name);
    }

    /** All that is reserved or held here. */
    Iterable<Held> all() {
        return byName.values();
    }

    /** T2. */
    void reserve(TransactionMessage.Reserve reserve, long nowNs) {
        TransactionName name = reserve.name();
        Held known = byName.get(name);
        if (known != null) {
            leading.send(name.home(), new TransactionMessage.Proposed(name, known.proposed));
            repeat(known);
            return;
        }
        if (leading.state.committed(name) != null || leading.telling.repeat(name)) {
            return;
        }
        long id = reserve.id();
        if (reserved.containsKey(id) || id <= leading.ran() && leading.holds(TransactionRule.RAISE)) {
            boolean own = leading.holds(TransactionRule.RAISE_BY_OWN_NUMBER);
            id = leading.stamp(id, own ? leading.partition : name.home());
        }
        leading.send(name.home(), new TransactionMessage.Proposed(name, id));
        Held place = new Held(name, reserve.mode(), reserve.participants(), reserve.works(), id, nowNs);
        place.isRaised = id != reserve.id();
        byName.put(name, place);
        put(id, place);
    }

    private void put(long id, Held place) {
        Held other = reserved.put(id, place);
        if (other != null) {
            throw new IllegalStateException("partition " + leading.partition + " has " + other.name + " and "
                    + place.name + " reserved at the same id " + id);
        }
    }

    void move(TransactionMessage.Move move) {
        Held place = byName.get(move.name());
        if (place == null) {
            leading.telling.repeat(move.name());
            return;
        }
        if (place.run.id() == move.id()) {
            place.isFinal = true;
            repeat(place);
            return;
        }
        if (place == held && !leading.holds(TransactionRule.UNDO_WHEN_MOVED)) {
            place.run = new Run(move.id());
            place.voted = false;
            leading.ran(move.id());
            sendRan(place);
            return;
        }
        if (place == held) {
            undo();
        } else {
            reserved.remove(place.run.id());
        }
        place.moveTo(move.id());
        put(move.id(), place);
    }

    /** Takes back what is held, and its part. */
    private void undo() {
        leading.store.undo();
        leading.state.holds(false);
        if (held.partIndex > 0) {
            leading.propose(new TransactionRecord.Undone(held.name));
        }
        held = null;
    }

    private void repeat(Held place) {
        if (place != held) {
            return;
        }
        sendRan(place);
        if (place.voted) {
            leading.send(place.name.home(), new TransactionMessage.Prepared(place.name, place.run));
        }
    }

    private void sendRan(Held place) {
        leading.send(place.name.home(), new TransactionMessage.Ran(place.name, place.run, place.opening()));
    }

    // ---- Execution

    void call(LocalCall call) {
        calls.add(call);
    }

    int step(long nowNs) {
        int work = 0;
        while (held == null && runLowest(nowNs)) {
            work++;
        }
        for (int i = 0; i < CALLS_A_STEP && held == null && runCall(); i++) {
            work++;
        }
        return work + vote();
    }

    private boolean runLowest(long nowNs) {
        Held lowest = reserved.isEmpty() ? null : reserved.firstEntry().getValue();
        if (lowest == null
                || isToWait(lowest, nowNs)
                || !leading.store.isTurn(lowest.run.id())
                || !leading.store.hasRoom()) {
            return false;
        }
        reserved.remove(lowest.run.id());
        leading.ran(lowest.run.id());
        held = lowest;
        leading.store.begin(held.run.id());
        leading.state.holds(true);
        if (!held.works.isEmpty()) {
            held.results.add(leading.store.run(held.works.getFirst()));
        }
        sendRan(held);
        if (held.mode == Mode.OPENING_ONLY && held.name.home() != leading.partition) {
            writePart();
        } else if (held.early != null) {
            execute(held.early);
        }
        return true;
    }

    /** Whether the turn of the lowest reservation is to come later. A raised id is never final, so nothing runs at it. */
    private boolean isToWait(Held lowest, long nowNs) {
        return !lowest.isFinal && (lowest.isRaised || isAhead(lowest, nowNs));
    }

    /**
     * Whether the id is ahead of the clock: lower ones may be on their way, and calls of this partition run meanwhile. Ids far ahead are
     * those of another clock, which no wait meets.
     */
    private boolean isAhead(Held lowest, long nowNs) {
        boolean isHome = lowest.name.home() == leading.partition;
        long untilMicros = leading.microsUntil(lowest.run.id());
        long mostMicros = isHome ? Foresight.MOST_MICROS : MOST_AHEAD_MICROS;
        return untilMicros > 0 && untilMicros <= mostMicros && nowNs - lowest.sinceNs < mostMicros * 1_000;
    }

    private void writePart() {
        held.partIndex = leading.propose(
                new TransactionRecord.Part(held.name, held.run, held.participants, leading.store.effects()));
        held.voted = false;
    }

    /** T5. */
    private int vote() {
        if (held == null || held.voted || held.partIndex == 0 || held.isInherited) {
            return 0;
        }
        if (leading.replica.forced() < held.partIndex && leading.holds(TransactionRule.VOTE_WHEN_FORCED)) {
            return 0;
        }
        if (leading.holds(TransactionRule.JOINER_NEEDS_VOTED)) {
            leading.replica.voted(held.partIndex);
        }
        held.voted = true;
        leading.send(held.name.home(), new TransactionMessage.Prepared(held.name, held.run));
        return 1;
    }

    private boolean runCall() {
        if (calls.isEmpty()) {
            return false;
        }
        long id = reserved.isEmpty() ? leading.stamp(0) : leading.stampBelow(reserved.firstKey());
        if (id < 0) {
            return false;
        }
        LocalCall call = calls.remove();
        leading.ran(id);
        leading.store.begin(id);
        Result result = leading.store.run(call.work());
        if (call.isRead() || result.aborted()) {
            leading.store.undo();
            leading.telling.seen(call, result);
        } else {
            long index = leading.propose(new TransactionRecord.Local(id, leading.store.effects()));
            leading.telling.wrote(call, result, index);
        }
        return true;
    }

    // ---- Rounds

    /** Statements that come before the turn wait for it. */
    void execute(TransactionMessage.Execute execute) {
        Held place = byName.get(execute.name());
        if (place == null || place.run.id() != execute.id()) {
            return;
        }
        if (place != held) {
            place.early = execute;
        } else if (execute.round() == held.round) {
            sendRows(held.results.getLast());
            if (held.voted) {
                leading.send(held.name.home(), new TransactionMessage.Prepared(held.name, held.run));
            }
        } else if (execute.round() > held.round && held.partIndex == 0) {
            run(execute);
        }
    }

    private void run(TransactionMessage.Execute execute) {
        if (execute.back() >= 0) {
            rollBackRounds(execute.back());
        }
        int savepoint = leading.store.savepoint();
        Result result = execute.work().length == 0 ? Result.NONE : leading.store.run(execute.work());
        if (result.aborted()) {
            leading.store.rollBack(savepoint);
        }
        held.round = execute.round();
        held.rounds.add(execute.round());
        held.savepoints.add(savepoint);
        held.results.add(result);
        sendRows(result);
        if (execute.isLast() && !result.aborted()) {
            writePart();
        }
    }

    private void rollBackRounds(int back) {
        int first = held.rounds.size();
        while (first > 0 && held.rounds.get(first - 1) >= back) {
            first--;
        }
        if (first < held.rounds.size()) {
            leading.store.rollBack(held.savepoints.get(first));
        }
        while (held.rounds.size() > first) {
            held.rounds.removeLast();
            held.savepoints.removeLast();
            held.results.removeLast();
        }
    }

    private void sendRows(Result result) {
        leading.send(held.name.home(), new TransactionMessage.Rows(held.name, held.run.id(), held.round, result));
    }

    void prepare(TransactionMessage.Prepare prepare) {
        if (held == null
                || !held.name.equals(prepare.name())
                || held.run.id() != prepare.run().id()) {
            return;
        }
        if (held.partIndex == 0) {
            held.run = prepare.run();
            writePart();
        } else {
            repeat(held);
        }
    }

    void finish(TransactionMessage.Finish finish) {
        if (held != null && held.name.equals(finish.name())) {
            Held place = held;
            leading.store.undo();
            leading.state.holds(false);
            end(place);
            leading.telling.seen(place);
        } else {
            leading.telling.repeat(finish.name());
        }
    }

    // ---- The end

    private void end(Held place) {
        byName.remove(place.name);
        if (place == held) {
            held = null;
        } else {
            reserved.remove(place.run.id());
        }
    }

    void decide(TransactionMessage.Decide decide) {
        if (decide.verdict() == Verdict.COMMIT) {
            commit(decide.name(), decide.run());
            return;
        }
        Held place = abort(decide.name());
        if (decide.verdict() == Verdict.ABORT) {
            leading.telling.release(decide.name());
            leading.send(decide.name().home(), new TransactionMessage.Done(decide.name()));
        } else if (place != null) {
            leading.telling.seen(place);
        } else {
            leading.telling.repeat(decide.name());
        }
    }

    /** T6. True if the transaction was committed now. */
    boolean commit(TransactionName name, Run run) {
        if (leading.state.committed(name) != null) {
            leading.telling.repeatStable();
            return false;
        }
        if (held != null && held.name.equals(name) && held.partIndex > 0 && held.run.equals(run)) {
            leading.propose(new TransactionRecord.Decision(name, true));
            end(held);
            return true;
        }
        if (run.id() <= leading.state.markId()) {
            leading.send(name.home(), new TransactionMessage.Stable(name, run.id()));
        } else {
            throw new IllegalStateException("partition " + leading.partition + " is to commit " + name + " at " + run
                    + ", and has no such part; it holds " + (held == null ? "none" : held.name + " at " + held.run));
        }
        return false;
    }

    /** Drops a reservation, or undoes what is held. Returns it, or null. */
    Held abort(TransactionName name) {
        if (leading.state.committed(name) != null) {
            throw new IllegalStateException(
                    "partition " + leading.partition + " is to abort " + name + ", and has committed it");
        }
        Held place = byName.get(name);
        if (place == null) {
            return null;
        }
        if (place == held) {
            leading.store.undo();
            leading.state.holds(false);
            if (held.partIndex > 0) {
                leading.propose(new TransactionRecord.Decision(name, false));
            }
        }
        end(place);
        return place;
    }

    /** Whether this run is held with its part. */
    boolean isHeld(TransactionName name, Run run) {
        return held != null && held.name.equals(name) && held.run.equals(run) && held.partIndex > 0;
    }

    /** The reads and parts that wait, for a person. */
    List<String> describe() {
        List<String> lines = new ArrayList<>();
        byName.values()
                .forEach(each -> lines.add((each == held ? "held " : "reserved ") + each.name + " at " + each.run + " "
                        + each.mode + (each.partIndex > 0 ? " with part" : "") + (each.voted ? " voted" : "")));
        return lines;
    }
}
