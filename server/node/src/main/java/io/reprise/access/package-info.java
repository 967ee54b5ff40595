/**
 * Who may do what: {@link io.reprise.access.Users} is the list of them as it stands in a file, {@link
 * io.reprise.access.Rights} what one of them may do, {@link io.reprise.access.Authenticator} finds out whether somebody is
 * who he says. Opens no file and starts no thread: {@code node.security} does, and gives the network a {@link
 * io.reprise.access.Protection}.
 *
 * <p>Threads: any. Users and rights are immutable; a change of the file makes new ones.
 */
package io.reprise.access;
