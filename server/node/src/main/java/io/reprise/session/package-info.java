/**
 * The SQL session of a client that speaks a foreign dialect: its settings, prepared statements and transaction. Texts are split,
 * classified and translated to the engine's SQL. Queries of
 * the system catalogue run on Calcite, over tables made of the engine's schema ({@link io.reprise.session.SystemCatalog}). Knows no bytes of
 * a protocol. Read {@link io.reprise.session.SqlSession} first.
 *
 * <p>Threads: a session belongs to the thread that runs its messages, one at a time. It waits there for the engine.
 */
package io.reprise.session;
