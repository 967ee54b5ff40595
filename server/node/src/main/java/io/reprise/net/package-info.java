/**
 * The network, in three floors. {@code net.listen} has ports and connections and knows no protocol. {@code net.session} has logins,
 * rights and admission for any protocol. {@code net.reprise} is the native protocol; a second protocol stands beside it.
 * {@code net.peer} is the port between nodes.
 */
package io.reprise.net;
