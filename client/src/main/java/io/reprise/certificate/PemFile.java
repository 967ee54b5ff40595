package io.reprise.certificate;

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

/**
 * A file with certificates or a key in PEM. Messages about its content name the file.
 *
 * @param named the beginning of messages: the setting that names the file, or nothing
 * @param path the path of the file
 */
public record PemFile(String named, Path path) {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----([^-]*)-----END \\1-----");

    /** A file that a program names, and no setting. */
    public static PemFile of(Path path) {
        return new PemFile("", path);
    }

    /** A file that this setting names. */
    public static PemFile namedBy(String setting, Path path) {
        return new PemFile(setting + ": ", path);
    }

    /** All its certificates, at least one. */
    public X509Certificate[] certificates() {
        X509Certificate[] certificates;
        try {
            certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(content()))
                    .toArray(new X509Certificate[0]);
        } catch (CertificateException e) {
            throw wrong(
                    path + " has no certificate in PEM, the form that begins with -----BEGIN CERTIFICATE-----: "
                            + e.getMessage(),
                    e);
        }
        if (certificates.length == 0) {
            throw wrong(
                    path + " has no certificate; it should have one that begins with -----BEGIN CERTIFICATE-----",
                    null);
        }
        return certificates;
    }

    /** The key of a certificate, as far as its form tells. */
    PrivateKey privateKey(X509Certificate certificate) {
        Matcher pem = KEY.matcher(new String(content(), StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw wrong(path + " has no key in PEM, the form that begins with -----BEGIN PRIVATE KEY-----", null);
        }
        if (!pem.group(1).equals("PRIVATE KEY")) {
            throw wrong(
                    path + " has a key in another form, " + pem.group(1)
                            + "; convert it: openssl pkcs8 -topk8 -nocrypt -in " + path + " -out pkcs8.key",
                    null);
        }
        String algorithm = certificate.getPublicKey().getAlgorithm();
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(pem.group(2));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw wrong(
                    "the key in " + path + " is no " + algorithm + " key, which the certificate of "
                            + certificate.getSubjectX500Principal() + " is for: " + e.getMessage(),
                    e);
        }
    }

    /** Its bytes. */
    public byte[] content() {
        try {
            return Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            throw wrong("there is no file " + path, e);
        } catch (IOException e) {
            throw wrong("can't read " + path + ": " + e, e);
        }
    }

    private IllegalArgumentException wrong(String what, Throwable cause) {
        return new IllegalArgumentException(named + what, cause);
    }
}
