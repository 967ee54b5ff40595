package io.reprise.certificate;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;

/** What a certificate is known by where there is not room for all of it, or no need. */
public final class Fingerprint {
    private Fingerprint() {}

    /** The SHA-256 of a certificate, in hexadecimal digits. */
    public static String of(X509Certificate certificate) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            StringBuilder text = new StringBuilder(2 * digest.length);
            for (byte each : digest) {
                text.append(Character.forDigit(each >> 4 & 0xF, 16)).append(Character.forDigit(each & 0xF, 16));
            }
            return text.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no SHA-256", e);
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("the certificate has no encoded form: " + e.getMessage(), e);
        }
    }
}
