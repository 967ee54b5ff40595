/**
 * A node's TLS and users as files and threads: {@link io.reprise.node.security.NodeSecurity} opens both and looks
 * each second whether they have changed, {@link io.reprise.node.security.UsersFile} is the file of users, {@link
 * io.reprise.node.security.TlsFiles} the certificate with its key, {@link io.reprise.node.security.LoginThreads}
 * hashes passwords.
 *
 * <p>Threads: one that looks at the files, one that hashes passwords. Their results are immutable, and handed over by
 * a single reference.
 */
package io.reprise.node.security;
