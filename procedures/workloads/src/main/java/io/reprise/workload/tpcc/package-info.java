/**
 * TPC-C, revision 5.11: the five transactions as procedures, the loader, the generator of inputs and the twelve
 * consistency conditions. {@link io.reprise.workload.tpcc.Tpcc} puts them together; the schema is the resource
 * {@code tpcc.sql}.
 *
 * <p>Procedures are owned by a partition's thread and allocate nothing on their common path. Money is handled in cents
 * and rates in ten-thousandths, as {@code long}s.
 */
package io.reprise.workload.tpcc;
