/**
 * An engine that clients reach over the network: {@link io.reprise.node.Server} opens both and closes them in order.
 *
 * <p>Threads: network loops serve connections; a few threads run ad hoc statements and TLS handshakes.
 */
package io.reprise.node;
