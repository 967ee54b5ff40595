package io.reprise.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The replicas of each partition, as the membership service holds them.
 *
 * <pre>
 *  u4 partitions, then for each
 *  u8 epoch | u8 term | u4 leader | u4 members | members x (u4 node | u8 incarnation)
 * </pre>
 *
 * All numbers are big-endian; the service keeps the bytes whole, so there is no checksum.
 */
public record PartitionMap(List<Replicas> partitions) {
    private static final int LINE_BYTES = 24;
    private static final int MEMBER_BYTES = 12;

    public PartitionMap {
        partitions = List.copyOf(partitions);
    }

    /** This map with one partition's line replaced. */
    public PartitionMap with(int partition, Replicas replicas) {
        List<Replicas> changed = new ArrayList<>(partitions);
        changed.set(partition, replicas);
        return new PartitionMap(changed);
    }

    /** The bytes that the service holds. */
    public byte[] encode() {
        int bytes = 4;
        for (Replicas replicas : partitions) {
            bytes += LINE_BYTES + MEMBER_BYTES * replicas.sync().size();
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).putInt(partitions.size());
        for (Replicas replicas : partitions) {
            out.putLong(replicas.epoch()).putLong(replicas.term()).putInt(replicas.leader());
            out.putInt(replicas.sync().size());
            replicas.sync().forEach(member -> out.putInt(member.node()).putLong(member.incarnation()));
        }
        return out.array();
    }

    /** Reads what {@link #encode} made. */
    public static PartitionMap decode(byte[] content) {
        ByteBuffer in = ByteBuffer.wrap(content);
        List<Replicas> partitions = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            long epoch = in.getLong();
            long term = in.getLong();
            int leader = in.getInt();
            List<Member> sync = new ArrayList<>();
            for (int members = in.getInt(); members > 0; members--) {
                sync.add(new Member(in.getInt(), in.getLong()));
            }
            partitions.add(new Replicas(epoch, term, leader, sync));
        }
        return new PartitionMap(partitions);
    }
}
