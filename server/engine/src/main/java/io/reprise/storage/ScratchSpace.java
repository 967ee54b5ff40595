package io.reprise.storage;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.runtime.memory.Region;
import io.reprise.runtime.memory.WorkMemory;
import java.lang.foreign.MemorySegment;

/**
 * The running transaction's strings and images: bytes are taken one behind the other, and all of them are given back
 * at once when the next transaction begins. Owned by the partition's thread.
 */
public final class ScratchSpace {
    private static final long AT_LEAST = 256 << 10;

    /** More than this is given back when the next transaction begins. */
    private static final long AT_MOST = 1 << 20;

    private final Memory memory;
    private final WorkMemory workMemory;
    private final Region region;
    private long end;

    ScratchSpace(AddressSpace space, WorkMemory workMemory) {
        memory = space.memory();
        this.workMemory = workMemory;
        region = space.region(new MemoryAccount("the transaction's scratch space"));
        region.growAnyway(region.start() + AT_LEAST);
        end = region.start();
    }

    /** Forgets what the transaction before has left. */
    void begin() {
        end = region.start();
        if (region.taken() > AT_MOST) {
            region.shrinkTo(end + AT_MOST);
        }
    }

    /** Takes so many bytes. Returns their address. Throws MEMORY_LIMIT. */
    long take(int bytes) {
        long address = end;
        if (address + bytes > region.end()) {
            growBeyondUse(address + bytes);
        }
        end = address + (bytes + 7 & -8);
        return address;
    }

    private void growBeyondUse(long to) {
        workMemory.checkStrings(to - region.start());
        region.growTo(to);
    }

    /** The end of what has been taken so far. */
    public long end() {
        return end;
    }

    /**
     * For content that grows as it is written, from {@link #end} on: makes the bytes below an address usable, but does not
     * take them yet. Throws MEMORY_LIMIT.
     */
    public void reserveTo(long to) {
        region.growTo(to);
    }

    /** Whether the bytes below an address are usable without taking more memory. */
    public boolean hasRoomTo(long to) {
        return to <= region.end();
    }

    /** Takes all below an address that has been reserved. */
    public void takeTo(long to) {
        end = to + 7 & -8;
    }

    /**
     * Brings bytes from elsewhere here, where they stay until the transaction ends. Returns their address. The memory
     * limit is no obstacle: this is for recovery, which brings back what had room before.
     */
    public long bringIn(MemorySegment source, long offset, long length) {
        long address = end;
        region.growAnyway(address + length + Long.BYTES);
        memory.copyIn(source, offset, address, length);
        takeTo(address + length);
        return address;
    }

    /** The same from another memory. */
    public long bringIn(Memory source, long from, long length) {
        long address = end;
        region.growAnyway(address + length + Long.BYTES);
        memory.copyFrom(source, from, address, length);
        takeTo(address + length);
        return address;
    }

    /** The bytes of the partition's memory that it has. */
    long bytesTaken() {
        return region.taken();
    }
}
