/**
 * YCSB's core workloads A to F: one table of records with a key and ten fields of 100 bytes.
 * {@link io.reprise.workload.ycsb.Ycsb} puts it together; the schema is the resource {@code ycsb.sql}.
 *
 * <p>Keys are numbers: a record's position in the order of insertion, scrambled by a hash, so that neighbours in time are
 * not neighbours in the key's order.
 */
package io.reprise.workload.ycsb;
