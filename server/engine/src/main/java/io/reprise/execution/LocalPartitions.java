package io.reprise.execution;

import io.reprise.storage.PartitionStore;
import java.util.Arrays;
import java.util.List;

/**
 * The partitions of one node. A partition has an id in the cluster and a slot among those of its node: ids route
 * transactions and are in files, slots are places in the node's arrays. Immutable.
 */
public final class LocalPartitions {
    /** The slot of a partition that another node holds. */
    public static final int ELSEWHERE = -1;

    private final Partition[] bySlot;
    private final int[] slotOf;
    private final SiteLayout layout;

    LocalPartitions(List<PartitionStore> stores, SiteLayout layout) {
        this.layout = layout;
        bySlot = new Partition[stores.size()];
        slotOf = new int
                [1
                        + stores.stream()
                                .mapToInt(store -> store.options().partition())
                                .max()
                                .orElse(0)];
        Arrays.fill(slotOf, ELSEWHERE);
        for (int slot = 0; slot < bySlot.length; slot++) {
            PartitionStore store = stores.get(slot);
            slotOf[store.options().partition()] = slot;
            bySlot[slot] = new Partition(slot, store, this);
        }
    }

    /** The number of the node's partitions. */
    public int count() {
        return bySlot.length;
    }

    /** The partition in a slot. */
    public Partition at(int slot) {
        return bySlot[slot];
    }

    /** The slot of the partition with that id, or {@link #ELSEWHERE}. */
    public int slotOf(int partition) {
        return partition < slotOf.length ? slotOf[partition] : ELSEWHERE;
    }

    /** The partition with that id, which the node has. */
    public Partition withId(int partition) {
        return bySlot[slotOf[partition]];
    }

    /** The site that runs the partition with that id, which the node has. */
    public int siteOf(int partition) {
        return layout.siteOf(slotOf[partition]);
    }

    /** The node's sites. */
    public SiteLayout layout() {
        return layout;
    }

    /** All of them, by slot. */
    List<Partition> all() {
        return List.of(bySlot);
    }
}
