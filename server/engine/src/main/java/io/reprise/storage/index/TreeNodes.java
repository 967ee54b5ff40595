package io.reprise.storage.index;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.runtime.memory.Region;

/**
 * The nodes of a B+tree: their layout, and giving them out. Nodes are numbered from 1 in the tree's region, so that a
 * child is 4 bytes; rows are 4-byte numbers too (see {@code RowSpace}).
 *
 * <pre>
 *  0  count      2 bytes  entries of a leaf, separators of an inner node
 *  2             2 bytes  unused
 *  4  last       4 bytes  leaf: where the last insertion went, to recognise ascending keys; negative: nowhere
 *  8  previous   4 bytes  leaf: the leaf to the left, or 0; free node: the next free node
 * 12  next       4 bytes  leaf: the leaf to the right, or 0
 * 16  keys       capacity x stride bytes
 *     leaf:   rows       capacity x 4 bytes
 *     inner:  children   (capacity + 1) x 4 bytes
 *             separator rows  capacity x 4 bytes, only in trees whose words are inexact: the row whose key it is
 * </pre>
 */
final class TreeNodes {
    static final int KEYS = 16;

    private static final int COUNT = 0;
    private static final int LAST = 4;
    private static final int PREVIOUS = 8;
    private static final int NEXT = 12;
    private static final int LEAST_NODE = 1024;
    private static final int LEAST_FANOUT = 30;
    private static final long KEPT_WHEN_EMPTY = 256 << 10;

    /** Bytes of a key. */
    final int stride;

    final int leafCapacity;
    final int innerCapacity;
    final int leafRows;
    final int children;
    final int separatorRows;

    private final AddressSpace space;
    private final MemoryAccount account;
    private final Memory memory;
    private final int nodeSize;
    private final int nodeShift;
    private Region region;
    private long origin;
    private int top;
    private int freeHead;
    private int freeNodes;

    TreeNodes(AddressSpace space, MemoryAccount account, int keyWords, boolean inexact) {
        this.space = space;
        this.account = account;
        this.memory = space.memory();
        stride = keyWords * 8;
        int size = LEAST_NODE;
        while ((size - KEYS - 4) / (stride + 8) < LEAST_FANOUT) {
            size *= 2;
        }
        nodeSize = size;
        nodeShift = Integer.numberOfTrailingZeros(size);
        leafCapacity = (size - KEYS) / (stride + 4);
        innerCapacity = (size - KEYS - 4) / (stride + (inexact ? 8 : 4));
        leafRows = KEYS + leafCapacity * stride;
        children = KEYS + innerCapacity * stride;
        separatorRows = children + (innerCapacity + 1) * 4;
        reset();
    }

    private void reset() {
        region = space.region(account);
        origin = region.start() - nodeSize;
        top = 0;
        freeHead = 0;
        freeNodes = 0;
    }

    long address(int node) {
        return origin + ((long) node << nodeShift);
    }

    /** Makes sure that this many nodes can be allocated. Throws MEMORY_LIMIT. */
    void reserve(int nodes) {
        if (freeNodes < nodes) {
            region.growTo(address(top + 1 + nodes - freeNodes));
        }
    }

    /** An empty node; {@link #reserve} has been called. */
    int allocate() {
        int node = freeHead;
        if (node != 0) {
            freeHead = memory.getInt(address(node) + PREVIOUS);
            freeNodes--;
        } else {
            node = ++top;
            region.growAnyway(address(node + 1));
        }
        long at = address(node);
        memory.putLong(at, 0);
        memory.putLong(at + 8, 0);
        memory.putInt(at + LAST, -2);
        return node;
    }

    void release(int node) {
        memory.putInt(address(node) + PREVIOUS, freeHead);
        freeHead = node;
        freeNodes++;
    }

    /** Whether more nodes are free than are in use, and take much memory. */
    boolean areMostlyFree() {
        return freeNodes > inUse() && (long) freeNodes << nodeShift > 2 * KEPT_WHEN_EMPTY;
    }

    /** Forgets free nodes above this one: they are going to be given back. */
    void keepFree(int most) {
        int node = freeHead;
        freeHead = 0;
        freeNodes = 0;
        while (node != 0) {
            int following = previous(address(node));
            if (node <= most) {
                release(node);
            }
            node = following;
        }
    }

    /** Moves a node to a free one. Returns its new number, which its parent has to learn. */
    int moveDown(int node, boolean leaf) {
        int to = allocate();
        long at = address(to);
        memory.copy(address(node), at, nodeSize);
        if (leaf) {
            if (previous(at) != 0) {
                setNext(address(previous(at)), to);
            }
            if (next(at) != 0) {
                setPrevious(address(next(at)), to);
            }
        }
        return to;
    }

    /** Gives back all nodes above this one, up to which none is free. */
    void trimTo(int newTop) {
        top = newTop;
        region.trimTo(address(top + 1));
    }

    /** The number of nodes in use. */
    int inUse() {
        return top - freeNodes;
    }

    long bytesInUse() {
        return (long) inUse() << nodeShift;
    }

    /** Forgets all nodes and gives their memory back but for a little. */
    void clear() {
        top = 0;
        freeHead = 0;
        freeNodes = 0;
        if (region.taken() > KEPT_WHEN_EMPTY) {
            region.shrinkTo(region.start() + KEPT_WHEN_EMPTY);
        }
    }

    int count(long node) {
        return memory.getShort(node + COUNT);
    }

    void setCount(long node, int count) {
        memory.putShort(node + COUNT, (short) count);
    }

    int last(long leaf) {
        return memory.getInt(leaf + LAST);
    }

    void setLast(long leaf, int position) {
        memory.putInt(leaf + LAST, position);
    }

    int previous(long leaf) {
        return memory.getInt(leaf + PREVIOUS);
    }

    void setPrevious(long leaf, int node) {
        memory.putInt(leaf + PREVIOUS, node);
    }

    int next(long leaf) {
        return memory.getInt(leaf + NEXT);
    }

    void setNext(long leaf, int node) {
        memory.putInt(leaf + NEXT, node);
    }

    int row(long leaf, int slot) {
        return memory.getInt(leaf + leafRows + slot * 4L);
    }

    void setRow(long leaf, int slot, int row) {
        memory.putInt(leaf + leafRows + slot * 4L, row);
    }

    int child(long inner, int slot) {
        return memory.getInt(inner + children + slot * 4L);
    }

    void setChild(long inner, int slot, int node) {
        memory.putInt(inner + children + slot * 4L, node);
    }

    int separatorRow(long inner, int slot) {
        return memory.getInt(inner + separatorRows + slot * 4L);
    }

    void setSeparatorRow(long inner, int slot, int row) {
        memory.putInt(inner + separatorRows + slot * 4L, row);
    }

    /** The address of the key in this slot, in leaves and inner nodes. */
    long key(long node, int slot) {
        return node + KEYS + (long) slot * stride;
    }

    /** Moves leaf entries, between leaves or within one. */
    void moveEntries(long fromLeaf, int fromSlot, long toLeaf, int toSlot, int entries) {
        memory.move(key(fromLeaf, fromSlot), key(toLeaf, toSlot), (long) entries * stride);
        memory.move(fromLeaf + leafRows + fromSlot * 4L, toLeaf + leafRows + toSlot * 4L, entries * 4L);
    }

    Detached detach() {
        Detached detached = new Detached(region, top, freeHead, freeNodes);
        reset();
        return detached;
    }

    void restore(Detached detached) {
        region.drop();
        region = detached.region;
        origin = region.start() - nodeSize;
        top = detached.top;
        freeHead = detached.freeHead;
        freeNodes = detached.freeNodes;
    }

    void drop() {
        region.drop();
    }

    /** Nodes that were set aside. */
    record Detached(Region region, int top, int freeHead, int freeNodes) {}
}
