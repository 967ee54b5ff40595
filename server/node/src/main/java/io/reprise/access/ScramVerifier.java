package io.reprise.access;

import io.reprise.runtime.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The stored form of a password for SCRAM-SHA-256 (RFC 7677), by which PostgreSQL's clients log in without sending the password.
 *
 * <pre>
 *  scram-sha-256:ITERATIONS:SALT:STOREDKEY:SERVERKEY      salt of 16 and keys of 32 bytes, in Base64
 * </pre>
 *
 * @param iterations number of rounds
 * @param salt in Base64
 * @param storedKey the hash of the client's key, in Base64
 * @param serverKey the key of the server's signature, in Base64
 */
public record ScramVerifier(int iterations, String salt, String storedKey, String serverKey) {
    /** PgJDBC refuses more than 100,000. */
    static final int DEFAULT_ITERATIONS = 65_536;

    static final int KEY_BYTES = 32;

    private static final int LEAST_ITERATIONS = 4096;
    private static final int MOST_ITERATIONS = 100_000;
    private static final int SALT_BYTES = 16;
    private static final int FIELDS = 5;
    private static final String NAME = "scram-sha-256";
    private static final String HMAC = "HmacSHA256";

    /** Makes a verifier of a password with a new salt. */
    public static ScramVerifier of(String password) {
        return of(password, Secrets.bytes(SALT_BYTES), DEFAULT_ITERATIONS);
    }

    static ScramVerifier of(String password, byte[] salt, int iterations) {
        byte[] salted = salted(password, salt, iterations);
        byte[] clientKey = hmac(salted, "Client Key".getBytes(StandardCharsets.US_ASCII));
        byte[] serverKey = hmac(salted, "Server Key".getBytes(StandardCharsets.US_ASCII));
        return new ScramVerifier(iterations, encode(salt), encode(hash(clientKey)), encode(serverKey));
    }

    /** A verifier that no password has; its salt is the same for the same key and name. */
    static ScramVerifier ofNone(byte[] key, String name) {
        byte[] derived = hmac(key, name.getBytes(StandardCharsets.UTF_8));
        byte[] salt = java.util.Arrays.copyOf(derived, SALT_BYTES);
        return new ScramVerifier(
                DEFAULT_ITERATIONS, encode(salt), encode(Secrets.bytes(KEY_BYTES)), encode(Secrets.bytes(KEY_BYTES)));
    }

    /** Reads the form of {@link #toString}. */
    static ScramVerifier parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != FIELDS || !parts[0].equals(NAME)) {
            throw new IllegalArgumentException("a verifier for SCRAM is " + NAME
                    + ":ITERATIONS:SALT:STOREDKEY:SERVERKEY; set it anew with \"reprise user password --scram\"");
        }
        int iterations = parts[1].matches("[0-9]{1,6}") ? Integer.parseInt(parts[1]) : 0;
        if (iterations < LEAST_ITERATIONS || iterations > MOST_ITERATIONS) {
            throw new IllegalArgumentException("a verifier for SCRAM has " + LEAST_ITERATIONS + " to " + MOST_ITERATIONS
                    + " iterations, not " + parts[1]);
        }
        if (PasswordHash.length(parts[2]) != SALT_BYTES
                || PasswordHash.length(parts[3]) != KEY_BYTES
                || PasswordHash.length(parts[4]) != KEY_BYTES) {
            throw new IllegalArgumentException("a verifier for SCRAM has a salt of " + SALT_BYTES
                    + " bytes and two keys of " + KEY_BYTES + " bytes in Base64; the line was cut or changed");
        }
        return new ScramVerifier(iterations, parts[2], parts[3], parts[4]);
    }

    /** Prepares and salts a password: non-ASCII text in Unicode's compatibility form, as SASLprep asks. */
    static byte[] salted(String password, byte[] salt, int iterations) {
        String prepared = Normalizer.normalize(password, Normalizer.Form.NFKC);
        PBEKeySpec key = new PBEKeySpec(prepared.toCharArray(), salt, iterations, KEY_BYTES * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(key)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no PBKDF2 with HMAC-SHA-256", e);
        } finally {
            key.clearPassword();
        }
    }

    static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + HMAC, e);
        }
    }

    static byte[] hash(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }

    static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Override
    public String toString() {
        return NAME + ":" + iterations + ":" + salt + ":" + storedKey + ":" + serverKey;
    }
}
