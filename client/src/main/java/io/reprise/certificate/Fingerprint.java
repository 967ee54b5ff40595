package io.reprise.certificate;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.regex.Pattern;

/** Identifies a certificate in little space. */
public final class Fingerprint {
    private static final Pattern SHA_256 = Pattern.compile("\\p{XDigit}{2}(:?\\p{XDigit}{2}){31}");

    private Fingerprint() {}

    /** Whether this is a SHA-256 in hexadecimal digits, with colons between the bytes or without. */
    public static boolean isOne(String text) {
        return SHA_256.matcher(text).matches();
    }

    /**
     * A fingerprint from its text, as {@link #of} gives it.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static String parse(String text) {
        if (!isOne(text)) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' is not the SHA-256 of a certificate, which has 64 hexadecimal digits, also with colons between each two");
        }
        return text.replace(":", "").toLowerCase(Locale.ROOT);
    }

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
