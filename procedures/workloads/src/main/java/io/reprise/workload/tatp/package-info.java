/**
 * TATP, the benchmark of a mobile network's home location register: four tables of subscribers' data and seven short
 * transactions. {@link io.reprise.workload.tatp.Tatp} puts it together; the schema is the resource {@code tatp.sql}.
 *
 * <p>Three of the transactions know the subscriber by number only. The tables are partitioned on the subscriber's id, so
 * as they stand these take all partitions; with {@code TatpOptions.routed} the caller passes the id that belongs to the
 * number too, as a client that keeps a directory of numbers would, and the transaction verifies it.
 */
package io.reprise.workload.tatp;
