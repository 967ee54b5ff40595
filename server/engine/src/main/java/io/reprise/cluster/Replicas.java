package io.reprise.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A partition's line of the map.
 *
 * <p>Replicas move to other nodes by {@code goal}: its nodes join, the first of them takes the lead, and a settled line has the
 * goal as its holders and no other node in sync. So no replica is given up before all of the goal are in sync.
 *
 * @param epoch changes with the leader or the in-sync set
 * @param term the epoch in which the present leadership began
 * @param leader the leader's node, one of the in-sync members
 * @param sync the members that an acknowledgement waits for, by node
 * @param holders the nodes that hold a replica; the first one leads if an operator wants balance
 * @param goal the nodes that are to hold a replica instead; equal to {@code holders} if no replica moves
 */
public record Replicas(
        long epoch, long term, int leader, List<Member> sync, List<Integer> holders, List<Integer> goal) {
    public Replicas {
        sync = List.copyOf(sync);
        holders = List.copyOf(holders);
        goal = List.copyOf(goal);
        if (goal.isEmpty() || holders.isEmpty()) {
            throw new IllegalArgumentException("a partition has at least one holder");
        }
    }

    /** A line whose in-sync members are all of its holders, the leader first. */
    public Replicas(long epoch, long term, int leader, List<Member> sync) {
        this(epoch, term, leader, sync, leaderFirst(leader, sync), leaderFirst(leader, sync));
    }

    private static List<Integer> leaderFirst(int leader, List<Member> sync) {
        List<Integer> nodes = new ArrayList<>(List.of(leader));
        sync.stream().map(Member::node).filter(node -> node != leader).forEach(nodes::add);
        return nodes;
    }

    /** Whether the member is in sync under this very incarnation. */
    public boolean has(Member member) {
        return sync.contains(member);
    }

    /** The in-sync member of a node. */
    public Optional<Member> member(int node) {
        return sync.stream().filter(member -> member.node() == node).findFirst();
    }

    /** Whether a replica of the node may join. */
    public boolean mayHold(int node) {
        return holders.contains(node) || goal.contains(node);
    }

    /** Whether replicas or the lead are to move, or a member is in sync that is to hold none. */
    public boolean isMoving() {
        return !goal.equals(holders) || sync.stream().anyMatch(member -> !goal.contains(member.node()));
    }

    /** Whether each node of the goal is in sync. */
    public boolean isGoalInSync() {
        return goal.stream().allMatch(node -> member(node).isPresent());
    }

    /** The same epoch with another goal. */
    public Replicas toward(List<Integer> nodes) {
        return new Replicas(epoch, term, leader, sync, holders, nodes);
    }

    /** The next epoch, in which the goal is reached and other members have left; the leadership goes on. */
    public Replicas settled() {
        List<Member> left = new ArrayList<>(sync);
        left.removeIf(member -> !goal.contains(member.node()));
        return new Replicas(epoch + 1, term, leader, left, goal, goal);
    }

    /** The next epoch without a member; the leadership goes on. */
    public Replicas without(Member member) {
        List<Member> left = new ArrayList<>(sync);
        left.remove(member);
        return new Replicas(epoch + 1, term, leader, left, holders, goal);
    }

    /** The next epoch with a member more; the leadership goes on. */
    public Replicas with(Member member) {
        List<Member> more = new ArrayList<>(sync);
        more.add(member);
        more.sort((one, other) -> Integer.compare(one.node(), other.node()));
        return new Replicas(epoch + 1, term, leader, more, holders, goal);
    }

    /** The next epoch under another leader, without the present one. */
    public Replicas under(Member next) {
        List<Member> left = new ArrayList<>(sync);
        left.removeIf(member -> member.node() == leader);
        return new Replicas(epoch + 1, epoch + 1, next.node(), left, holders, goal);
    }

    /** The next epoch under another in-sync member; the present leader stays in sync. */
    public Replicas handedTo(Member next) {
        return new Replicas(epoch + 1, epoch + 1, next.node(), sync, holders, goal);
    }

    /** The next epoch with one member, which opens the partition again. */
    public Replicas reopened(Member only) {
        return new Replicas(epoch + 1, epoch + 1, only.node(), List.of(only), holders, goal);
    }
}
