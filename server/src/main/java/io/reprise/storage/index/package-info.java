/**
 * Hash and ordered indexes over rows, off-heap, single-threaded. {@link io.reprise.storage.index.KeyLayout} says how keys
 * become words; read it first.
 */
package io.reprise.storage.index;
