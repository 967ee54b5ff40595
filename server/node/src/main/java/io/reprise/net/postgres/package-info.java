/**
 * The PostgreSQL protocol, version 3. A {@link io.reprise.net.postgres.PostgresConnection} cuts bytes into messages on its network loop;
 * its {@link io.reprise.net.postgres.MessagePump} gives them to a {@link io.reprise.net.postgres.MessageRunner}, one after the other, on
 * the loop or on a thread of its own. Read {@link io.reprise.net.postgres.PostgresProtocol}, then these three.
 *
 * <p>Threads: decoding, startup and login belong to the network loop; statements, portals and the {@link
 * io.reprise.session.SqlSession} to the thread that runs messages. They meet at the connection's queue of messages and at
 * Netty's write queue. A client that sends too fast, or reads too slowly, is throttled: its socket is not read.
 */
package io.reprise.net.postgres;
