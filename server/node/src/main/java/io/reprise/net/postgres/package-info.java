/**
 * The PostgreSQL protocol, version 3. A {@link io.reprise.net.postgres.PostgresConnection} cuts bytes into messages on its network loop;
 * a {@link io.reprise.net.postgres.MessageRunner} runs them, one after the other, on a thread of its own for as long as there are
 * some. Read {@link io.reprise.net.postgres.PostgresProtocol}, then these two.
 *
 * <p>Threads: decoding, startup and login belong to the network loop; statements, portals and the {@link
 * io.reprise.session.SqlSession} to the thread that runs messages. They meet at the connection's queue of messages and at
 * Netty's write queue. A client that sends too fast, or reads too slowly, is throttled: its socket is not read.
 */
package io.reprise.net.postgres;
