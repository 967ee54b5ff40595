/**
 * Off-heap memory. {@link io.reprise.runtime.memory.Memory} is one partition's address space; it is owned by the thread
 * that runs the partition and has no synchronisation.
 */
package io.reprise.runtime.memory;
