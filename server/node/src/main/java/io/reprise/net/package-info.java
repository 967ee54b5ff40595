/**
 * The network, in three floors: {@code net.listen} has ports and connections and knows no protocol, {@code net.session} has what
 * any protocol needs to serve users, and {@code net.reprise} is the native protocol. A second protocol stands beside the third.
 */
package io.reprise.net;
