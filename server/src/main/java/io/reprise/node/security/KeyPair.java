package io.reprise.node.security;

import io.reprise.certificate.KeyCheck;
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
 * A certificate with those that vouch for it, and its private key.
 *
 * @param chain the server's own certificate first
 * @param key that of the first certificate
 */
record KeyPair(X509Certificate[] chain, PrivateKey key) {
    private static final String CERTIFICATE = "security.certificate";
    private static final String KEY = "security.key";
    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----([^-]*)-----END \\1-----");

    /** Reads both, in PEM, and checks that they belong together. */
    static KeyPair read(Path certificate, Path key) {
        X509Certificate[] chain = certificates(CERTIFICATE, certificate);
        PrivateKey secret = privateKey(key, chain[0].getPublicKey().getAlgorithm());
        if (!KeyCheck.belongTogether(chain[0], secret)) {
            throw new IllegalArgumentException(KEY + ": the key in " + key + " is not that of the certificate in "
                    + certificate + ", which is for " + chain[0].getSubjectX500Principal()
                    + "; the file's first certificate has to be the server's own");
        }
        return new KeyPair(chain, secret);
    }

    /** The certificates of a file in PEM, at least one; messages begin with the key of the configuration that names it. */
    static X509Certificate[] certificates(String what, Path file) {
        try {
            X509Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(content(what, file)))
                    .toArray(new X509Certificate[0]);
            if (chain.length == 0) {
                throw new IllegalArgumentException(what + ": " + file
                        + " has no certificate; it should have one that begins with -----BEGIN CERTIFICATE-----");
            }
            return chain;
        } catch (CertificateException e) {
            throw new IllegalArgumentException(
                    what + ": " + file + " has no certificate in PEM, the form that begins with"
                            + " -----BEGIN CERTIFICATE-----: " + e.getMessage(),
                    e);
        }
    }

    private static PrivateKey privateKey(Path file, String algorithm) {
        Matcher pem = PEM.matcher(new String(content(KEY, file), StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw new IllegalArgumentException(
                    KEY + ": " + file + " has no key in PEM, the form that begins with -----BEGIN PRIVATE KEY-----");
        }
        if (!pem.group(1).equals("PRIVATE KEY")) {
            throw new IllegalArgumentException(KEY + ": " + file + " has a key in another form, " + pem.group(1)
                    + "; convert it: openssl pkcs8 -topk8 -nocrypt -in " + file + " -out node.key");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(pem.group(2));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    KEY + ": the key in " + file + " is no " + algorithm + " key, which the certificate is for: "
                            + e.getMessage(),
                    e);
        }
    }

    /** A file's bytes; messages begin with the key of the configuration that names it. */
    static byte[] content(String what, Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(what + ": there is no file " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException(what + ": can't read " + file + ": " + e, e);
        }
    }
}
