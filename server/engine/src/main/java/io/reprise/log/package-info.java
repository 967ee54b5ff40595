/**
 * The one log of a node: what partitions leave in rings when transactions commit, in an order of which each
 * partition's own order is part, in segments that say of themselves what is acknowledged.
 *
 * <p>Three sides, that share nothing but rings and files. <em>Producing</em>: {@link io.reprise.log.PartitionLog} and
 * {@link io.reprise.log.RecordBuilder}, used by whoever holds a partition. <em>Writing</em>: {@link
 * io.reprise.log.LogWriter}, an agent with a thread of its own. <em>Reading</em>, when the database is opened or
 * inspected: {@link io.reprise.log.LogTail} finds the end, {@link io.reprise.log.LogReader} gives frames, {@link
 * io.reprise.log.LogRecords} the records in them.
 *
 * <p>What always holds: a prefix of the log is a state in which the database has been between transactions; what a ring
 * calls durable is in a prefix that was forced; a torn tail is cut only where no frame says that it was durable; no bytes
 * are handed out whose checksum, position and place in the chain were not checked.
 *
 * <p>Nothing here knows what a transaction does, or what is in a payload. The format is in {@code docs/reference/formats/log.md}
 * and {@code LogFormat}. Read {@link io.reprise.log.PartitionLog} first, then {@link io.reprise.log.LogWriter}.
 */
package io.reprise.log;
