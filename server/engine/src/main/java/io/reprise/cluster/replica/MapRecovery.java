package io.reprise.cluster.replica;

import io.reprise.cluster.BucketPlace;
import io.reprise.cluster.Levels;
import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.execution.BucketMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A map that is made of the logs of a cluster's nodes, because the membership service has lost the former one.
 *
 * <p>Each replica in sync has written down the lines of the map that it entered, and a leader each joiner before it asked the map for it. The
 * line with the highest epoch names the members that may have led since. If the logs of all of them are here, none has told anything in a
 * later epoch: its leader would have written down that epoch first. Each told write is then in the longest of these logs, which leads. Other
 * replicas join it by log or by image, as after every failure.
 *
 * <p>The epochs of the new map are above all that are written down here. They have the time in front, so another recovery that did not see
 * these nodes has not used them. The cluster's level does not fall below one that is written down. Pure; owned by the caller.
 */
public final class MapRecovery {
    /** An operator leaves the choice among the logs of a partition to the recovery. */
    public static final int LONGEST = -1;

    private final BucketMap dealt;
    private final SortedMap<Integer, NodeEntry> live;
    private final SortedMap<Integer, Integer> accepted;
    private final long epochSeconds;

    /** By partition, the chosen log and its node. */
    private final SortedMap<Integer, Held> chosen = new TreeMap<>();

    /** By partition, the holders of its newest line. */
    private final SortedMap<Integer, List<Integer>> holders = new TreeMap<>();

    private final List<Finding> findings = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private record Held(int node, NodeEntry.Log log) {
        boolean isAsLongAs(Held other) {
            return log.isAsLongAs(other.log);
        }
    }

    /**
     * The outcome for a partition.
     *
     * @param node the node whose replica is to lead; empty if none can
     * @param epoch the epoch of the last record of its log
     * @param index the index of that record
     * @param missing the members that may have led later, and whose logs are not here
     * @param longer the node with a longer log, which is not chosen; empty if there is none
     * @param behind the records that it has more
     */
    public record Finding(
            int partition,
            Optional<Integer> node,
            long epoch,
            long index,
            List<Member> missing,
            Optional<Integer> longer,
            long behind) {
        /** Whether the replica has each acknowledged transaction. */
        public boolean isSafe() {
            return node.isPresent() && missing.isEmpty() && longer.isEmpty();
        }

        /** The finding in words. */
        public String describe() {
            String head = "Partition " + partition + ": ";
            if (node.isEmpty()) {
                return head + "no node that runs has its log" + describeMissing();
            }
            String log = head + "node " + node.get() + ", record " + index + " of epoch " + epoch;
            return log + (isSafe() ? ", with each acknowledged transaction" : describeLonger() + describeMissing());
        }

        private String describeLonger() {
            return longer.map(other -> "; node " + other + " has a later log, with " + behind
                            + (behind == 1 ? " record more" : " records more") + ", which is not kept")
                    .orElse("");
        }

        private String describeMissing() {
            if (missing.isEmpty()) {
                return "";
            }
            String nodes = missing.stream()
                    .map(Member::node)
                    .distinct()
                    .sorted()
                    .map(String::valueOf)
                    .collect(Collectors.joining(", "));
            return "; transactions may be missing that node " + nodes
                    + " acknowledged, whose log is not here. Their number is not known";
        }
    }

    /**
     * The result.
     *
     * @param findings by partition
     * @param problems the reasons why there is no map that concern no partition alone
     * @param map the new map; empty if some partition has no safe replica and no accepted loss
     */
    public record Result(List<Finding> findings, List<String> problems, Optional<PartitionMap> map) {}

    private MapRecovery(
            BucketMap dealt,
            SortedMap<Integer, NodeEntry> live,
            SortedMap<Integer, Integer> accepted,
            long epochSeconds) {
        this.dealt = dealt;
        this.live = live;
        this.accepted = accepted;
        this.epochSeconds = epochSeconds;
    }

    /**
     * Makes a map.
     *
     * @param dealt the partition of each bucket at the cluster's creation
     * @param live the entries of the nodes that run
     * @param accepted by partition whose loss an operator accepts, the node that is to lead it, or {@link #LONGEST}
     * @param epochSeconds the time of day, in seconds since 1970
     */
    public static Result plan(
            BucketMap dealt,
            SortedMap<Integer, NodeEntry> live,
            SortedMap<Integer, Integer> accepted,
            long epochSeconds) {
        return new MapRecovery(dealt, live, accepted, epochSeconds).plan();
    }

    private Result plan() {
        for (int partition = 0; partition < dealt.partitions(); partition++) {
            findings.add(find(partition));
        }
        boolean isChosen = findings.stream()
                .allMatch(each -> each.node().isPresent() && (each.isSafe() || accepted.containsKey(each.partition())));
        OptionalInt level = level();
        if (!isChosen || level.isEmpty()) {
            return new Result(findings, problems, Optional.empty());
        }
        List<BucketPlace> places = places();
        return new Result(
                findings, problems, problems.isEmpty() ? Optional.of(map(level.getAsInt(), places)) : Optional.empty());
    }

    /** The least level that all nodes speak, or the highest that is written down; empty if some node does not speak that. */
    private OptionalInt level() {
        if (live.isEmpty()) {
            return OptionalInt.empty();
        }
        Levels first = live.get(live.firstKey()).levels();
        Optional<Levels> common = first.common(
                NodeEntry.levelsOf(live),
                problem -> problems.add(problem + "; start all nodes with one version of Reprise"));
        if (common.isEmpty()) {
            return OptionalInt.empty();
        }
        int level = Math.max(common.get().least(), notedLevel());
        live.forEach((node, entry) ->
                entry.levels().problem(level).ifPresent(why -> problems.add("node " + node + ": " + why)));
        return problems.isEmpty() ? OptionalInt.of(level) : OptionalInt.empty();
    }

    private int notedLevel() {
        return live.values().stream()
                .flatMap(entry -> entry.logs().stream())
                .mapToInt(log -> log.noted().level())
                .max()
                .orElse(0);
    }

    // ---- Partitions

    private List<Held> logs(int partition) {
        List<Held> found = new ArrayList<>();
        live.forEach((node, entry) -> {
            NodeEntry.Log log = entry.log(partition);
            if (log != null) {
                found.add(new Held(node, log));
            }
        });
        return found;
    }

    private Finding find(int partition) {
        List<Held> logs = logs(partition);
        long newest = newestLine(logs);
        holders.put(partition, holders(logs, newest));
        SortedMap<Integer, Member> missing = new TreeMap<>();
        SortedSet<Integer> members = new TreeSet<>();
        for (Held held : logs) {
            if (newest > 0 && held.log.noted().epoch() == newest) {
                held.log.noted().members().forEach(member -> {
                    members.add(member.node());
                    if (!isHere(partition, member)) {
                        missing.put(member.node(), member);
                    }
                });
            }
        }
        int wanted = accepted.getOrDefault(partition, LONGEST);
        List<Held> candidates = new ArrayList<>(logs);
        if (wanted != LONGEST) {
            candidates.removeIf(held -> held.node != wanted);
        } else if (missing.isEmpty() || !accepted.containsKey(partition)) {
            candidates.removeIf(held -> !members.contains(held.node));
        }
        List<Held> all = wanted == LONGEST ? candidates : logs;
        return finding(partition, List.copyOf(missing.values()), candidates, all);
    }

    private Finding finding(int partition, List<Member> missing, List<Held> candidates, List<Held> all) {
        Held best = longest(candidates, holders.get(partition));
        if (best == null) {
            return new Finding(partition, Optional.empty(), 0, 0, missing, Optional.empty(), 0);
        }
        chosen.put(partition, best);
        Held longest = longest(all, holders.get(partition));
        boolean isBehind = !best.isAsLongAs(longest);
        return new Finding(
                partition,
                Optional.of(best.node),
                best.log.lastEpoch(),
                best.log.lastIndex(),
                missing,
                isBehind ? Optional.of(longest.node) : Optional.empty(),
                isBehind ? Math.max(0, longest.log.lastIndex() - best.log.lastIndex()) : 0);
    }

    private static long newestLine(List<Held> logs) {
        return logs.stream().mapToLong(held -> held.log.noted().epoch()).max().orElse(0);
    }

    /** Whether the log of a member is here, on the disk that it had as a member. */
    private boolean isHere(int partition, Member member) {
        NodeEntry entry = live.get(member.node());
        NodeEntry.Log log = entry == null ? null : entry.log(partition);
        return log != null && log.hasStart(member.incarnation());
    }

    /** The longest log that counts; of equal ones that of the earliest holder. Null if there is none. */
    private static Held longest(List<Held> logs, List<Integer> holders) {
        Held longest = null;
        for (Held held : logs) {
            boolean counts = !held.log.loading()
                    && (held.log.lastIndex() > 0 || held.log.noted().epoch() > 0);
            if (counts && (longest == null || isBetter(held, longest, holders))) {
                longest = held;
            }
        }
        return longest;
    }

    private static boolean isBetter(Held one, Held other, List<Integer> holders) {
        if (!one.isAsLongAs(other)) {
            return false;
        }
        return !other.isAsLongAs(one) || rank(one, holders) < rank(other, holders);
    }

    private static int rank(Held held, List<Integer> holders) {
        int rank = holders.indexOf(held.node);
        return rank < 0 ? holders.size() : rank;
    }

    /** The holders of the newest line. */
    private static List<Integer> holders(List<Held> logs, long newest) {
        for (Held held : logs) {
            if (held.log.noted().epoch() == newest) {
                return held.log.noted().holders();
            }
        }
        return List.of();
    }

    // ---- Buckets

    /** The places of all buckets that were moved. A bucket that is nowhere, or twice, is possible with a move under way or a loss. */
    private List<BucketPlace> places() {
        SortedSet<Integer> moved = new TreeSet<>();
        chosen.values().forEach(held -> moved.addAll(held.log.movedBuckets().keySet()));
        boolean isLossy = findings.stream().anyMatch(each -> !each.isSafe());
        List<BucketPlace> places = new ArrayList<>();
        for (int bucket : moved) {
            List<Integer> owners = owners(bucket);
            if (isLossy && owners.size() != 1) {
                problems.add("bucket " + bucket + " is in "
                        + (owners.isEmpty() ? "no partition" : "the partitions " + owners)
                        + " by the chosen logs, because it was moved behind the end of one of them; restore a backup into a"
                        + " new cluster");
            }
            int partition = owners.isEmpty() ? lastPlace(bucket) : owners.getLast();
            places.add(new BucketPlace(bucket, partition, partition));
        }
        return places;
    }

    /** The partitions that have a bucket, that to which it was dealt first. */
    private List<Integer> owners(int bucket) {
        List<Integer> owners = new ArrayList<>();
        int first = dealt.partition(bucket);
        if (!chosen.get(first).log.movedBuckets().containsKey(bucket)) {
            owners.add(first);
        }
        chosen.forEach((partition, held) -> {
            if (partition.equals(held.log.movedBuckets().get(bucket))) {
                owners.add(partition);
            }
        });
        return owners;
    }

    /** The partition that is to get a bucket, whose move there is not decided yet. */
    private int lastPlace(int bucket) {
        SortedSet<Integer> passed = new TreeSet<>();
        int at = dealt.partition(bucket);
        while (passed.add(at)) {
            Integer next = chosen.get(at).log.movedBuckets().get(bucket);
            at = next == null ? at : next;
        }
        return at;
    }

    // ---- The map

    private PartitionMap map(int level, List<BucketPlace> places) {
        long epoch = nextEpoch();
        SortedSet<Integer> nodes = new TreeSet<>(live.keySet());
        List<Replicas> lines = new ArrayList<>();
        chosen.forEach((partition, held) -> {
            List<Integer> noted = holders.get(partition);
            List<Integer> line = noted.isEmpty() ? List.of(held.node) : noted;
            nodes.addAll(line);
            Member leader = new Member(held.node, live.get(held.node).incarnation());
            lines.add(new Replicas(epoch, epoch, held.node, List.of(leader), line, line));
        });
        List<String> losses = findings.stream()
                .filter(each -> !each.isSafe())
                .map(Finding::describe)
                .toList();
        return new PartitionMap(level, List.copyOf(nodes), List.of(), lines, places, losses);
    }

    /**
     * The first epoch of a generation that no node has used. A node that is not here may have used some epochs more of the generations that
     * are seen, or those of another recovery, which had another time.
     */
    private long nextEpoch() {
        long highest = 0;
        for (NodeEntry entry : live.values()) {
            for (NodeEntry.Log log : entry.logs()) {
                highest =
                        Math.max(highest, Math.max(log.lastEpoch(), log.noted().epoch()));
            }
        }
        return PartitionMap.firstEpoch(Math.max(epochSeconds, PartitionMap.generationOf(highest) + 1));
    }
}
