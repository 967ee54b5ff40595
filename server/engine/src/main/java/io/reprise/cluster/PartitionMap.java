package io.reprise.cluster;

import io.reprise.execution.BucketMap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The nodes of a cluster and the replicas of each partition, as the membership service holds them. Immutable.
 *
 * <pre>
 *  u4 level of the cluster
 *  u4 nodes, then for each u4 node | u1 1 if it is being removed, otherwise 0
 *  u4 partitions, then for each
 *  u8 epoch | u8 term | u4 leader | u4 members | members x (u4 node | u8 incarnation)
 *     | u4 holders | holders x u4 node | u4 nodes of the goal | that many x u4 node
 *  u4 buckets, then for each u4 bucket | u4 partition | u4 partition that is to have it
 *  u4 losses, then for each u4 bytes | that many bytes of UTF-8
 * </pre>
 *
 * All numbers are big-endian; the service keeps the bytes whole, so there is no checksum. A program that does not speak the level reads
 * nothing behind it.
 *
 * @param level the {@linkplain Levels level} of the cluster, which never falls
 * @param nodes the nodes of the cluster in order, also those that are being removed
 * @param removing those of them that are being removed
 * @param partitions the lines by partition
 * @param buckets the buckets that were moved, or are to be, in order; all others are where they were dealt
 * @param losses the losses that an operator accepted when the map was made anew, one a partition, in words
 */
public record PartitionMap(
        int level,
        List<Integer> nodes,
        List<Integer> removing,
        List<Replicas> partitions,
        List<BucketPlace> buckets,
        List<String> losses) {
    private static final int PLACE_BYTES = 12;

    /** Epochs, and versions of the service's map, take fewer bits within a generation. */
    private static final int GENERATION_BITS = 20;

    private static final int NODE_BYTES = 5;
    private static final int LINE_BYTES = 32;
    private static final int MEMBER_BYTES = 12;

    public PartitionMap {
        nodes = List.copyOf(nodes);
        removing = List.copyOf(removing);
        partitions = List.copyOf(partitions);
        buckets = List.copyOf(buckets);
        losses = List.copyOf(losses);
    }

    /** A map without losses. */
    public PartitionMap(
            int level,
            List<Integer> nodes,
            List<Integer> removing,
            List<Replicas> partitions,
            List<BucketPlace> buckets) {
        this(level, nodes, removing, partitions, buckets, List.of());
    }

    /** A map without losses at the greatest level of this program. */
    public PartitionMap(
            List<Integer> nodes, List<Integer> removing, List<Replicas> partitions, List<BucketPlace> buckets) {
        this(Levels.OWN.greatest(), nodes, removing, partitions, buckets);
    }

    /** This map at another level. */
    PartitionMap withLevel(int newLevel) {
        return new PartitionMap(newLevel, nodes, removing, partitions, buckets, losses);
    }

    /** This map with other nodes. */
    PartitionMap withNodes(List<Integer> newNodes, List<Integer> newRemoving) {
        return new PartitionMap(level, newNodes, newRemoving, partitions, buckets, losses);
    }

    /** This map with other places of buckets. */
    PartitionMap withBuckets(List<BucketPlace> places) {
        return new PartitionMap(level, nodes, removing, partitions, places, losses);
    }

    /** This map with one partition's line replaced. */
    public PartitionMap with(int partition, Replicas replicas) {
        List<Replicas> changed = new ArrayList<>(partitions);
        changed.set(partition, replicas);
        return new PartitionMap(level, nodes, removing, changed, buckets, losses);
    }

    /** The nodes that are not being removed. */
    public List<Integer> staying() {
        List<Integer> staying = new ArrayList<>(nodes);
        staying.removeAll(removing);
        return staying;
    }

    /** The generation of the map: 0 until it is lost, then the time in seconds at which it was made anew, or a later one. */
    public long generation() {
        return partitions.stream()
                .mapToLong(line -> generationOf(line.epoch()))
                .max()
                .orElse(0);
    }

    /** The generation of the map in which an epoch is. */
    public static long generationOf(long epoch) {
        return epoch >>> GENERATION_BITS;
    }

    /** The first epoch of a generation of the map. */
    public static long firstEpoch(long generation) {
        return generation << GENERATION_BITS;
    }

    /**
     * A version for clients, who keep the topology with the highest one: that of the service begins anew with each generation of the map.
     */
    public long versionForClients(int version) {
        return firstEpoch(generation()) + version;
    }

    /** The number of partitions whose replicas or lead are to move. */
    public int moving() {
        return (int) partitions.stream().filter(Replicas::isMoving).count();
    }

    /** The number of buckets that are to move. */
    public int movingBuckets() {
        return (int) buckets.stream().filter(BucketPlace::isMoving).count();
    }

    /** The partition of each bucket. */
    public BucketMap over(BucketMap dealt) {
        SortedMap<Integer, Integer> moved = new TreeMap<>();
        buckets.forEach(place -> moved.put(place.bucket(), place.partition()));
        return moved.isEmpty() ? dealt : dealt.with(moved);
    }

    /** Whether some partition has, or is to have, a replica at the node. */
    public boolean isInUse(int node) {
        return partitions.stream()
                .anyMatch(line -> line.mayHold(node) || line.member(node).isPresent());
    }

    /** The bytes that the service holds. */
    public byte[] encode() {
        List<byte[]> texts = losses.stream()
                .map(text -> text.getBytes(StandardCharsets.UTF_8))
                .toList();
        int bytes = 20 + NODE_BYTES * nodes.size() + PLACE_BYTES * buckets.size();
        for (byte[] text : texts) {
            bytes += Integer.BYTES + text.length;
        }
        for (Replicas replicas : partitions) {
            bytes += LINE_BYTES
                    + MEMBER_BYTES * replicas.sync().size()
                    + Integer.BYTES
                            * (replicas.holders().size() + replicas.goal().size());
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).putInt(level).putInt(nodes.size());
        nodes.forEach(node -> out.putInt(node).put((byte) (removing.contains(node) ? 1 : 0)));
        out.putInt(partitions.size());
        for (Replicas replicas : partitions) {
            out.putLong(replicas.epoch()).putLong(replicas.term()).putInt(replicas.leader());
            out.putInt(replicas.sync().size());
            replicas.sync().forEach(member -> out.putInt(member.node()).putLong(member.incarnation()));
            write(out, replicas.holders());
            write(out, replicas.goal());
        }
        out.putInt(buckets.size());
        buckets.forEach(
                place -> out.putInt(place.bucket()).putInt(place.partition()).putInt(place.goal()));
        out.putInt(texts.size());
        texts.forEach(text -> out.putInt(text.length).put(text));
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

    /** The level of an encoded map, which programs of all levels can read. */
    public static int levelOf(byte[] content) {
        return ByteBuffer.wrap(content).getInt();
    }

    /** Refuses an encoded map at a level that a program does not speak; nothing if there is no map. */
    public static void requireLevel(byte[] content, Levels spoken) {
        if (content.length > 0) {
            spoken.problem(levelOf(content)).ifPresent(why -> {
                throw new IllegalStateException(why);
            });
        }
    }

    /** Reads what {@link #encode} made. */
    public static PartitionMap decode(byte[] content) {
        ByteBuffer in = ByteBuffer.wrap(content);
        int level = in.getInt();
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
        List<BucketPlace> buckets = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            buckets.add(new BucketPlace(in.getInt(), in.getInt(), in.getInt()));
        }
        List<String> losses = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            byte[] text = new byte[in.getInt()];
            in.get(text);
            losses.add(new String(text, StandardCharsets.UTF_8));
        }
        return new PartitionMap(level, nodes, removing, partitions, buckets, losses);
    }
}
