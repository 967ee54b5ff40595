package io.reprise.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A partition's line of the map.
 *
 * @param epoch changes with the leader or the in-sync set
 * @param term the epoch in which the present leadership began
 * @param leader the leader's node, one of the in-sync members
 * @param sync the members that an acknowledgement waits for, by node
 */
public record Replicas(long epoch, long term, int leader, List<Member> sync) {
    public Replicas {
        sync = List.copyOf(sync);
    }

    /** Whether the member is in sync under this very incarnation. */
    public boolean has(Member member) {
        return sync.contains(member);
    }

    /** The in-sync member of a node. */
    public Optional<Member> member(int node) {
        return sync.stream().filter(member -> member.node() == node).findFirst();
    }

    /** The next epoch without a member; the leadership goes on. */
    public Replicas without(Member member) {
        List<Member> left = new ArrayList<>(sync);
        left.remove(member);
        return new Replicas(epoch + 1, term, leader, left);
    }

    /** The next epoch with a member more; the leadership goes on. */
    public Replicas with(Member member) {
        List<Member> more = new ArrayList<>(sync);
        more.add(member);
        more.sort((one, other) -> Integer.compare(one.node(), other.node()));
        return new Replicas(epoch + 1, term, leader, more);
    }

    /** The next epoch under another leader, without the present one. */
    public Replicas under(Member next) {
        List<Member> left = new ArrayList<>(sync);
        left.removeIf(member -> member.node() == leader);
        return new Replicas(epoch + 1, epoch + 1, next.node(), left);
    }

    /** The next epoch under another in-sync member; the present leader stays in sync. */
    public Replicas handedTo(Member next) {
        return new Replicas(epoch + 1, epoch + 1, next.node(), sync);
    }

    /** The next epoch with one member, which opens the partition again. */
    public Replicas reopened(Member only) {
        return new Replicas(epoch + 1, epoch + 1, only.node(), List.of(only));
    }
}
