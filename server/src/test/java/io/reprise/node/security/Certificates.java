package io.reprise.node.security;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** An authority for a test, and certificates from it as files in PEM. */
public final class Certificates {
    private final X509Bundle authority;

    /** A new authority. */
    public Certificates() throws Exception {
        authority = new CertificateBuilder()
                .subject("CN=Test authority")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
    }

    /** The authority's own certificate. */
    public Path authority(Path file) throws IOException {
        return Files.writeString(file, authority.getCertificatePEM());
    }

    /** A certificate for a client that may be used until then, and its key. */
    public X509Bundle issueClient(String subject, Instant end, Path certificate, Path key) throws Exception {
        X509Bundle issued = new CertificateBuilder()
                .subject(subject)
                .notBefore(end.minus(Duration.ofDays(30)))
                .notAfter(end)
                .addExtendedKeyUsageClientAuth()
                .buildIssuedBy(authority);
        Files.writeString(certificate, issued.getCertificatePathPEM());
        Files.writeString(key, issued.getPrivateKeyPEM());
        return issued;
    }

    /** A certificate for this host name, and its key. */
    public X509Bundle issue(String host, Path certificate, Path key) throws Exception {
        X509Bundle issued = new CertificateBuilder()
                .subject("CN=" + host)
                .addSanDnsName(host)
                .addExtendedKeyUsageServerAuth()
                .buildIssuedBy(authority);
        Files.writeString(certificate, issued.getCertificatePathPEM());
        Files.writeString(key, issued.getPrivateKeyPEM());
        return issued;
    }
}
