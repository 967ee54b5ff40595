/**
 * Voter: phone calls vote for contestants of a talent show, at most a few votes from each phone number.
 * {@link io.reprise.workload.voter.Voter} puts it together; the schema is the resource {@code voter.sql}.
 *
 * <p>The original maintains two materialised views with each vote; here {@code Vote} maintains the same sums in tables.
 * So that all of a vote's rows lie in one bucket, tables are partitioned on the area code, the first three digits of the
 * phone number.
 */
package io.reprise.workload.voter;
