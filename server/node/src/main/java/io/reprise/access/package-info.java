/**
 * Users and rights: {@link io.reprise.access.Users} is the content of the file of users, {@link
 * io.reprise.access.Rights} the rights of one, {@link io.reprise.access.Authenticator} checks logins. Opens no file
 * and starts no thread: {@code node.security} does, and gives the network a {@link io.reprise.access.Protection}.
 *
 * <p>Threads: any. Users and rights are immutable; a change of the file makes new ones.
 */
package io.reprise.access;
