package io.reprise.cluster.transaction;

import io.reprise.cluster.transaction.TransactionHistory.Call;
import io.reprise.cluster.transaction.TransactionHistory.ListKey;
import io.reprise.runtime.Randomness;
import io.reprise.runtime.agent.Agent;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Makes calls of all kinds, one at a time, at whichever node leads; notes what it was told. */
final class TransactionCaller implements Agent {
    static final int LISTS = 2;
    static final int ACCOUNTS = 3;
    private static final long MOST_PATIENCE_NS = 2_500_000_000L;

    private final int number;
    private final List<TransactionNode> nodes;
    private final int partitions;
    private final int calls;
    private final Randomness random;
    private final TransactionHistory history;
    private int made;

    private Call call;
    private TransactionNode node;
    private long incarnation;
    private long patienceNs;

    TransactionCaller(
            int number,
            List<TransactionNode> nodes,
            int partitions,
            int calls,
            Randomness random,
            TransactionHistory history) {
        this.number = number;
        this.nodes = nodes;
        this.partitions = partitions;
        this.calls = calls;
        this.random = random;
        this.history = history;
    }

    @Override
    public String roleName() {
        return "caller-" + number;
    }

    boolean isDone() {
        return made >= calls && call == null;
    }

    @Override
    public int doWork(long nowNs) {
        if (call == null) {
            return made < calls ? begin(nowNs) : 0;
        }
        boolean ended = !node.isUp() || node.incarnation() != incarnation || nowNs - call.beganNs > patienceNs;
        if (ended) {
            call = null;
        }
        return ended ? 1 : 0;
    }

    private int begin(long nowNs) {
        int home = random.nextInt(partitions);
        int first = random.nextInt(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            TransactionNode candidate = nodes.get((first + i) % nodes.size());
            if (candidate.isUp() && candidate.transactions(home).isServing()) {
                node = candidate;
                incarnation = candidate.incarnation();
                made++;
                patienceNs = 100_000_000 + random.nextLong(MOST_PATIENCE_NS);
                begin(candidate.transactions(home), home, nowNs);
                return 1;
            }
        }
        return 0;
    }

    private void begin(PartitionTransactions at, int home, long nowNs) {
        long value = number * 1_000_000L + made;
        switch (random.nextInt(12)) {
            case 0, 1 -> localWrite(at, home, value, nowNs);
            case 2, 3 -> localRead(at, home, value, nowNs);
            case 4, 5, 6 -> write(at, home, value, nowNs);
            case 7, 8 -> read(at, some(home), value, nowNs);
            case 9 -> read(at, all(), value, nowNs);
            case 10 -> {
                call = history.begin(value, "rounds", nowNs);
                Rounds rounds = new Rounds(call, some(home), random.fork());
                at.run(rounds, rounds.participants(), false, reply(call, () -> {}), nowNs);
            }
            default -> {
                boolean isRead = random.chance(0.4);
                call = history.begin(value, isRead ? "ring read" : "ring", nowNs);
                Ring ring = new Ring(call, partitions, isRead, random.fork());
                at.run(ring, all(), isRead, reply(call, ring::check), nowNs);
            }
        }
    }

    private TreeSet<Integer> some(int home) {
        TreeSet<Integer> some = new TreeSet<>(List.of(home));
        int count = Math.min(partitions, 2 + random.nextInt(2));
        while (some.size() < count) {
            some.add(random.nextInt(partitions));
        }
        return some;
    }

    private TreeSet<Integer> all() {
        TreeSet<Integer> all = new TreeSet<>();
        for (int i = 0; i < partitions; i++) {
            all.add(i);
        }
        return all;
    }

    private void localWrite(PartitionTransactions at, int home, long value, long nowNs) {
        call = history.begin(value, "local write", nowNs);
        int key = random.nextInt(LISTS);
        call.appends.add(new ListKey(home, key));
        Work work = new Work().then(SimulatedStore.APPEND, key, value);
        if (random.chance(0.1)) {
            work.then(SimulatedStore.ABORT, 0);
        }
        at.call(work.bytes(), false, lists(call, home, key));
    }

    private void localRead(PartitionTransactions at, int home, long value, long nowNs) {
        call = history.begin(value, "local read", nowNs);
        int key = random.nextInt(LISTS);
        at.call(new Work().then(SimulatedStore.READ, key).bytes(), true, lists(call, home, key));
    }

    private Reply lists(Call of, int home, int key) {
        TreeMap<Integer, Integer> keys = new TreeMap<>();
        keys.put(home, key);
        return lists(of, keys);
    }

    /** The rows of each partition begin with the list of a key. */
    private Reply lists(Call of, SortedMap<Integer, Integer> keys) {
        return outcome -> {
            if (of.outcome != Outcome.Kind.UNKNOWN || call != of) {
                return;
            }
            boolean isTold = outcome.kind() == Outcome.Kind.DONE || outcome.kind() == Outcome.Kind.USER_ABORT;
            outcome.rows().forEach((partition, result) -> {
                if (!isTold) {
                    return;
                }
                ByteBuffer rows = ByteBuffer.wrap(result.rows());
                if (rows.hasRemaining() && keys.containsKey(partition)) {
                    of.reads.put(new ListKey(partition, keys.get(partition)), Work.list(rows));
                }
            });
            told(of, outcome);
        };
    }

    private void told(Call of, Outcome outcome) {
        of.outcome = outcome.kind();
        of.toldNs = node.nowNs();
        call = null;
    }

    private Reply reply(Call of, Runnable check) {
        return outcome -> {
            if (call == of) {
                if (outcome.kind() == Outcome.Kind.DONE) {
                    check.run();
                }
                told(of, outcome);
            }
        };
    }

    /** Appends everywhere, and moves money from each participant to the next. */
    private void write(PartitionTransactions at, int home, long value, long nowNs) {
        call = history.begin(value, "write", nowNs);
        TreeSet<Integer> participants = some(home);
        int failing = random.chance(0.15) ? random.nextInt(partitions) : -1;
        TreeMap<Integer, byte[]> works = new TreeMap<>();
        TreeMap<Integer, Integer> keys = new TreeMap<>();
        long money = 1L + random.nextInt(9);
        long left = 0;
        for (int participant : participants) {
            int key = random.nextInt(LISTS);
            call.appends.add(new ListKey(participant, key));
            keys.put(participant, key);
            long delta = participant == participants.last() ? -left : money;
            left += delta;
            Work work = new Work()
                    .then(SimulatedStore.APPEND, key, value)
                    .then(SimulatedStore.ADD, random.nextInt(ACCOUNTS), delta);
            if (participant == failing) {
                work.then(SimulatedStore.ABORT, 0);
            }
            works.put(participant, work.bytes());
        }
        OneShot procedure = new OneShot(works);
        Reply lists = lists(call, keys);
        at.run(
                procedure,
                participants,
                false,
                outcome -> lists.told(new Outcome(outcome.kind(), procedure.rows())),
                nowNs);
    }

    private void read(PartitionTransactions at, TreeSet<Integer> participants, long value, long nowNs) {
        call = history.begin(value, "read", nowNs);
        TreeMap<Integer, byte[]> works = new TreeMap<>();
        TreeMap<Integer, Integer> keys = new TreeMap<>();
        for (int participant : participants) {
            int key = random.nextInt(LISTS);
            keys.put(participant, key);
            works.put(
                    participant,
                    new Work()
                            .then(SimulatedStore.READ, key)
                            .then(SimulatedStore.SUM, 0)
                            .bytes());
        }
        Reply lists = lists(call, keys);
        boolean isAll = participants.size() == partitions;
        OneShot procedure = new OneShot(works);
        at.run(
                procedure,
                participants,
                true,
                outcome -> {
                    if (isAll && outcome.kind() == Outcome.Kind.DONE) {
                        checkSum(procedure.rows());
                    }
                    lists.told(new Outcome(outcome.kind(), procedure.rows()));
                },
                nowNs);
    }

    private void checkSum(SortedMap<Integer, Result> rows) {
        long sum = 0;
        for (Result result : rows.values()) {
            ByteBuffer in = ByteBuffer.wrap(result.rows());
            Work.list(in);
            sum += in.getLong();
        }
        if (sum != 0) {
            throw new AssertionError("a read of all accounts was told a sum of " + sum);
        }
    }
}
