/**
 * What a node's configuration says about TLS and users, as files and threads: {@link
 * io.reprise.node.security.NodeSecurity} opens both and looks each second whether they have changed, {@link
 * io.reprise.node.security.UsersFile} is the file of users, {@link io.reprise.node.security.TlsFiles} the certificate with
 * its key, {@link io.reprise.node.security.LoginThreads} where passwords are hashed.
 *
 * <p>Threads: one that looks at the files, one that hashes passwords. What they make is immutable, and handed over by a
 * single reference.
 */
package io.reprise.node.security;
