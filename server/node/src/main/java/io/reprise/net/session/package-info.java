/**
 * The session of a client in any protocol: login, rights, and admission by memory and by load. A {@link
 * io.reprise.net.session.Backend} runs procedures and statements. Knows no bytes of a protocol. Read {@code Backend} and {@code
 * Session} first.
 *
 * <p>Threads: a {@code Session} and its {@code UnreadReplies} belong to the connection's network loop, except as noted. {@code
 * SharedBytes}, {@code QueueDelay} and {@code ReplyLengths} belong to a site's thread; {@code ReplyMemory} is for all.
 */
package io.reprise.net.session;
