/**
 * Smallbank: a bank of customers with a savings and a checking account each, and six short transactions, two of which
 * touch two customers. {@link io.reprise.workload.smallbank.Smallbank} puts it together; the schema is the resource
 * {@code smallbank.sql}. Amounts are in cents. Each procedure that moves money into or out of the bank returns by how
 * much the bank's total changed, so that a checker can account for it.
 */
package io.reprise.workload.smallbank;
