/**
 * The one log of a node: the records that partitions leave in rings when transactions commit, in an order that
 * contains each partition's own order, in segments that tell which part is acknowledged.
 *
 * <p>Three sides share nothing but rings and files. <em>Producing</em>: {@link io.reprise.log.PartitionLog} and
 * {@link io.reprise.log.RecordBuilder}, used by the holder of a partition. <em>Writing</em>: {@link
 * io.reprise.log.LogWriter}, an agent with a thread of its own. <em>Reading</em>, when the database is opened or
 * inspected: {@link io.reprise.log.LogTail} finds the end, {@link io.reprise.log.LogReader} gives frames, {@link
 * io.reprise.log.LogRecords} the records in them.
 *
 * <p>Invariants:
 *
 * <ul>
 * <li>a prefix of the log is a state in which the database has been between transactions;
 * <li>the durable position of a ring lies in a prefix that was forced;
 * <li>a torn tail is cut only at a place that no frame calls durable;
 * <li>no bytes are handed out whose checksum, position and place in the chain were not checked.
 * </ul>
 *
 * <p>Nothing here knows the meaning of a transaction or of a payload. The format is in {@code
 * docs/reference/formats/log.md} and {@code LogFormat}. Read {@link io.reprise.log.PartitionLog} first, then {@link
 * io.reprise.log.LogWriter}.
 */
package io.reprise.log;
