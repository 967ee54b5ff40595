/**
 * Hash and ordered indexes over rows, off-heap, single-threaded. {@link io.reprise.storage.index.KeyLayout} says how keys
 * become words; read it first. {@link io.reprise.storage.index.LinearTable} and {@link io.reprise.storage.index.BTree} are
 * the structures.
 *
 * <p>Owned by the partition's thread. Invariants: each live row of a table is exactly once in each of its indexes; an
 * insertion that was {@linkplain io.reprise.storage.index.RowIndex#reserve reserved} can't fail for want of memory.
 */
package io.reprise.storage.index;
