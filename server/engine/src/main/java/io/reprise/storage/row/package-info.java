/**
 * The form of a row in memory: {@link io.reprise.storage.row.RowLayout}, and the heap for strings that are too long
 * to lie in it. Single-threaded.
 */
package io.reprise.storage.row;
