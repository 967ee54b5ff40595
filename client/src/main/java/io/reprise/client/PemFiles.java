package io.reprise.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys in PEM. What is wrong with a file is said of the file. */
final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----([^-]*)-----END \\1-----");

    private PemFiles() {}

    /** All certificates of a file, at least one. */
    static X509Certificate[] certificates(Path file) {
        X509Certificate[] certificates;
        try {
            certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(content(file)))
                    .toArray(new X509Certificate[0]);
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    file + " has no certificates in PEM, the form that begins with -----BEGIN CERTIFICATE-----: "
                            + e.getMessage(),
                    e);
        }
        if (certificates.length == 0) {
            throw new IllegalArgumentException(
                    file + " has no certificate; it should have one that begins with -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    /** The key of a certificate. */
    static PrivateKey privateKey(Path file, X509Certificate certificate) {
        Matcher pem = KEY.matcher(new String(content(file), StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw new IllegalArgumentException(
                    file + " has no key in PEM, the form that begins with -----BEGIN PRIVATE KEY-----");
        }
        if (!pem.group(1).equals("PRIVATE KEY")) {
            throw new IllegalArgumentException(file + " has a key in another form, " + pem.group(1)
                    + "; convert it: openssl pkcs8 -topk8 -nocrypt -in " + file + " -out client.key");
        }
        String algorithm = certificate.getPublicKey().getAlgorithm();
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(pem.group(2));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the key in " + file + " is no " + algorithm + " key, which the certificate of "
                            + certificate.getSubjectX500Principal() + " is for: " + e.getMessage(),
                    e);
        }
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException("can't read " + file + ": " + e, e);
        }
    }
}
