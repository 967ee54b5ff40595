package io.reprise.net.peer;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * Mutual TLS between nodes. Both sides show a certificate of the cluster's authority, and it must name the node that the
 * greeting names.
 *
 * @param context this node's key, and the trust in the cluster's authority
 * @param names the name that a node's certificate has, as a DNS name or as its common name
 */
public record PeerTls(SSLContext context, IntFunction<String> names) {
    private static final int DNS_NAME = 2;

    /** TLS with the names {@code node-0}, {@code node-1} and so on. */
    public static PeerTls of(SSLContext context) {
        return new PeerTls(context, node -> "node-" + node);
    }

    SSLEngine engine(boolean client) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(client);
        if (!client) {
            engine.setNeedClientAuth(true);
        }
        return engine;
    }

    /** The reason why a certificate does not belong to a node; empty if it does. */
    Optional<String> problem(X509Certificate certificate, int node) {
        List<String> found = names(certificate);
        String due = names.apply(node);
        return found.stream().anyMatch(due::equalsIgnoreCase)
                ? Optional.empty()
                : Optional.of("node " + node + " shows a certificate for " + found + ", which has to name " + due
                        + ": issue it with the DNS name " + due);
    }

    private static List<String> names(X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            if (certificate.getSubjectAlternativeNames() != null) {
                for (List<?> name : certificate.getSubjectAlternativeNames()) {
                    if (name.get(0) instanceof Integer kind && kind == DNS_NAME) {
                        names.add(name.get(1).toString());
                    }
                }
            }
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    names.add(part.getValue().toString());
                }
            }
        } catch (CertificateParsingException | InvalidNameException unreadable) {
            // A certificate without readable names names no node.
            return names;
        }
        return names;
    }
}
