package io.reprise.node.security;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority for a test, and certificates from it as files in PEM. */
public final class Certificates {
    private final X509Bundle authority;

    /** A new authority. */
    public Certificates() throws Exception {
        this("CN=Test authority");
    }

    /** A new authority of this name, whose certificate says what its key may be used for, or says nothing of it. */
    public Certificates(String subject, CertificateBuilder.KeyUsage... usage) throws Exception {
        CertificateBuilder builder = new CertificateBuilder().subject(subject).setIsCertificateAuthority(true);
        authority = (usage.length == 0 ? builder : builder.setKeyUsage(true, usage)).buildSelfSigned();
    }

    /** The list of what it has revoked, in DER, which is good until then; null: says nothing of that. */
    public byte[] revocationList(Instant end, X509Bundle... revoked) throws Exception {
        X509v2CRLBuilder builder = new X509v2CRLBuilder(
                X500Name.getInstance(
                        authority.getCertificate().getSubjectX500Principal().getEncoded()),
                Date.from((end == null ? Instant.now() : end).minus(Duration.ofDays(7))));
        if (end != null) {
            builder.setNextUpdate(Date.from(end));
        }
        for (X509Bundle certificate : revoked) {
            builder.addCRLEntry(
                    certificate.getCertificate().getSerialNumber(), Date.from(Instant.now()), CRLReason.keyCompromise);
        }
        return builder.build(new JcaContentSignerBuilder("SHA256withECDSA")
                        .build(authority.getKeyPair().getPrivate()))
                .getEncoded();
    }

    /** A list in PEM. */
    public static String pem(byte[] list) {
        return "-----BEGIN X509 CRL-----\n" + Base64.getMimeEncoder().encodeToString(list)
                + "\n-----END X509 CRL-----\n";
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
