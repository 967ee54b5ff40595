/**
 * Footprints: the rows that a transaction read and wrote. Read {@link io.reprise.footprint.FootprintBuffer} first, then
 * {@link io.reprise.footprint.FootprintEncoder}, which draws the bytes.
 *
 * <pre>
 *  statements --row ids--> FootprintBuffer --FootprintChunk--> agent: UnitedRows --FootprintEncoder--> FOOTPRINT record
 * </pre>
 *
 * <p>Threads: the holder of a partition fills its buffer. The footprint agent takes chunks, unites the accesses to each row and encodes them. A reader of a log
 * decodes on its own thread.
 *
 * <p>Invariants: a footprint names every row of a partitioned table that its transaction depends on, with a superset of the row's pieces.
 * Data never depend on a footprint. A transaction whose footprint is missing or coarse is taken to touch all of its buckets.
 */
package io.reprise.footprint;
