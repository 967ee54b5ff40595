package io.reprise.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes of a cluster and the replicas of each partition, as the membership service holds them. Immutable.
 *
 * <pre>
 *  u4 nodes, then for each u4 node | u1 1 if it is being removed, otherwise 0
 *  u4 partitions, then for each
 *  u8 epoch | u8 term | u4 leader | u4 members | members x (u4 node | u8 incarnation)
 *     | u4 holders | holders x u4 node | u4 nodes of the goal | that many x u4 node
 * </pre>
 *
 * All numbers are big-endian; the service keeps the bytes whole, so there is no checksum.
 *
 * @param nodes the nodes of the cluster in order, also those that are being removed
 * @param removing those of them that are being removed
 * @param partitions the lines by partition
 */
public record PartitionMap(List<Integer> nodes, List<Integer> removing, List<Replicas> partitions) {
    private static final int NODE_BYTES = 5;
    private static final int LINE_BYTES = 32;
    private static final int MEMBER_BYTES = 12;

    public PartitionMap {
        nodes = List.copyOf(nodes);
        removing = List.copyOf(removing);
        partitions = List.copyOf(partitions);
    }

    /** This map with one partition's line replaced. */
    public PartitionMap with(int partition, Replicas replicas) {
        List<Replicas> changed = new ArrayList<>(partitions);
        changed.set(partition, replicas);
        return new PartitionMap(nodes, removing, changed);
    }

    /** The nodes that are not being removed. */
    public List<Integer> staying() {
        List<Integer> staying = new ArrayList<>(nodes);
        staying.removeAll(removing);
        return staying;
    }

    /** The number of partitions whose replicas or lead are to move. */
    public int moving() {
        return (int) partitions.stream().filter(Replicas::isMoving).count();
    }

    /** Whether some partition has, or is to have, a replica at the node. */
    public boolean isInUse(int node) {
        return partitions.stream()
                .anyMatch(line -> line.mayHold(node) || line.member(node).isPresent());
    }

    /** The bytes that the service holds. */
    public byte[] encode() {
        int bytes = 8 + NODE_BYTES * nodes.size();
        for (Replicas replicas : partitions) {
            bytes += LINE_BYTES
                    + MEMBER_BYTES * replicas.sync().size()
                    + Integer.BYTES
                            * (replicas.holders().size() + replicas.goal().size());
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).putInt(nodes.size());
        nodes.forEach(node -> out.putInt(node).put((byte) (removing.contains(node) ? 1 : 0)));
        out.putInt(partitions.size());
        for (Replicas replicas : partitions) {
            out.putLong(replicas.epoch()).putLong(replicas.term()).putInt(replicas.leader());
            out.putInt(replicas.sync().size());
            replicas.sync().forEach(member -> out.putInt(member.node()).putLong(member.incarnation()));
            write(out, replicas.holders());
            write(out, replicas.goal());
        }
        return out.array();
    }

    private static void write(ByteBuffer out, List<Integer> list) {
        out.putInt(list.size());
        list.forEach(out::putInt);
    }

    private static List<Integer> read(ByteBuffer in) {
        List<Integer> list = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            list.add(in.getInt());
        }
        return list;
    }

    /** Reads what {@link #encode} made. */
    public static PartitionMap decode(byte[] content) {
        ByteBuffer in = ByteBuffer.wrap(content);
        List<Integer> nodes = new ArrayList<>();
        List<Integer> removing = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            int node = in.getInt();
            nodes.add(node);
            if (in.get() != 0) {
                removing.add(node);
            }
        }
        List<Replicas> partitions = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            long epoch = in.getLong();
            long term = in.getLong();
            int leader = in.getInt();
            List<Member> sync = new ArrayList<>();
            for (int members = in.getInt(); members > 0; members--) {
                sync.add(new Member(in.getInt(), in.getLong()));
            }
            partitions.add(new Replicas(epoch, term, leader, sync, read(in), read(in)));
        }
        return new PartitionMap(nodes, removing, partitions);
    }
}
