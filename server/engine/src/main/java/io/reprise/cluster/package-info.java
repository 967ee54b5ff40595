/**
 * The boundary between a node and the others: connections that carry frames ({@link io.reprise.cluster.Links}) and the
 * service that holds the members and the partition map ({@link io.reprise.cluster.Membership}). A simulation replaces
 * both, beside clock, chance and disk.
 *
 * <p>Owned by the node's coordination agent, which polls; nothing here blocks. Start with {@code Links}.
 */
package io.reprise.cluster;
