package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.Replicas;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A partition's line of the map as an in-sync replica has written it down in its log. If the membership service loses the map, {@link
 * MapRecovery} makes another one of these.
 *
 * <pre>
 *  4 level of the cluster | 8 epoch | 4 members, each: 4 node, 8 incarnation | 4 holders, 4 each; big-endian
 * </pre>
 *
 * @param level the highest level of the cluster that the replica has seen in sync; 0 if none was written down
 * @param epoch the epoch that the replica has entered; 0 if none was written down
 * @param members the members that may be in sync: those of the epoch, and the one that its leader adds
 * @param holders the nodes that hold a replica
 */
public record NotedLine(int level, long epoch, List<Member> members, List<Integer> holders) {
    /** The line of a replica that never was in sync. */
    public static final NotedLine NONE = new NotedLine(0, 0, List.of(), List.of());

    private static final int MEMBER_BYTES = Integer.BYTES + Long.BYTES;

    public NotedLine {
        members = List.copyOf(members);
        holders = List.copyOf(holders);
    }

    /** A line as the map of a level has it. */
    static NotedLine of(int level, Replicas line) {
        return new NotedLine(level, line.epoch(), line.sync(), line.holders());
    }

    /** A leader's line while it adds a member. */
    static NotedLine adding(int level, Replicas line, Member joiner) {
        List<Member> more = new ArrayList<>(line.sync());
        more.add(joiner);
        return new NotedLine(level, line.epoch(), more, line.holders());
    }

    /** This line at another level. */
    NotedLine withLevel(int other) {
        return new NotedLine(other, epoch, members, holders);
    }

    /** The length of its bytes. */
    public int bytes() {
        return Long.BYTES + 3 * Integer.BYTES + MEMBER_BYTES * members.size() + Integer.BYTES * holders.size();
    }

    /** Writes it. */
    public void encode(ByteBuffer to) {
        to.putInt(level).putLong(epoch).putInt(members.size());
        members.forEach(member -> to.putInt(member.node()).putLong(member.incarnation()));
        to.putInt(holders.size());
        holders.forEach(to::putInt);
    }

    /** Reads what {@link #encode} wrote. */
    public static NotedLine decode(ByteBuffer from) {
        int level = from.getInt();
        long epoch = from.getLong();
        List<Member> members = new ArrayList<>();
        for (int left = from.getInt(); left > 0; left--) {
            members.add(new Member(from.getInt(), from.getLong()));
        }
        List<Integer> holders = new ArrayList<>();
        for (int left = from.getInt(); left > 0; left--) {
            holders.add(from.getInt());
        }
        return new NotedLine(level, epoch, members, holders);
    }
}
