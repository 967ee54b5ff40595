/**
 * Off-heap memory. {@link io.reprise.runtime.memory.Memory} is one partition's address space; read it first. {@link
 * io.reprise.runtime.memory.AddressSpace} divides it into regions that grow without moving and counts their bytes
 * against the partition's limit.
 *
 * <p>Owned by the thread that runs the partition; no synchronisation. Invariants: address 0 is never given out; bytes
 * taken by a region are counted in exactly one account and in the space's total; returned memory reads as zero.
 */
package io.reprise.runtime.memory;
