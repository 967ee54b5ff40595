package io.reprise.access;

import io.reprise.runtime.Secrets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The stored form of a password: a salted hash that is slow to compute, so that a thief of the file of users has to
 * spend long on each guess.
 *
 * <pre>
 *  pbkdf2-sha512:ITERATIONS:SALT:HASH      PBKDF2 with HMAC-SHA-512; salt of 16 and hash of 32 bytes, in Base64
 * </pre>
 *
 * @param iterations number of rounds
 * @param salt in Base64
 * @param hash in Base64
 */
public record PasswordHash(int iterations, String salt, String hash) {
    /** The least that OWASP recommends for this function. */
    static final int LEAST_ITERATIONS = 210_000;

    private static final int MOST_ITERATIONS = 20_000_000;
    private static final String NAME = "pbkdf2-sha512";
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;

    /** Hashes a password with a new salt. Takes a tenth of a second. */
    public static PasswordHash of(String password) {
        return of(password, LEAST_ITERATIONS);
    }

    /** Hashes a password with fewer or more rounds. A file of users may not hold one of fewer. */
    static PasswordHash of(String password, int iterations) {
        byte[] salt = Secrets.bytes(SALT_BYTES);
        return new PasswordHash(iterations, encode(salt), encode(compute(password, salt, iterations)));
    }

    /**
     * A hash that no password has: for users who show certificates only, and to be compared with when there is no user of a name,
     * because that takes as long.
     */
    public static PasswordHash ofNone() {
        return new PasswordHash(LEAST_ITERATIONS, encode(Secrets.bytes(SALT_BYTES)), encode(Secrets.bytes(HASH_BYTES)));
    }

    /** Reads what {@link #toString} gives. */
    static PasswordHash parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 4 || !parts[0].equals(NAME)) {
            throw new IllegalArgumentException("a password is kept as " + NAME
                    + ":ITERATIONS:SALT:HASH; set it anew with \"reprise user password\"");
        }
        int iterations = parts[1].matches("[0-9]{1,8}") ? Integer.parseInt(parts[1]) : 0;
        if (iterations < LEAST_ITERATIONS || iterations > MOST_ITERATIONS) {
            throw new IllegalArgumentException("a password's hash has " + LEAST_ITERATIONS + " to " + MOST_ITERATIONS
                    + " iterations, not " + parts[1]);
        }
        if (length(parts[2]) != SALT_BYTES || length(parts[3]) != HASH_BYTES) {
            throw new IllegalArgumentException("a password's salt has " + SALT_BYTES + " bytes in Base64 and its hash "
                    + HASH_BYTES + "; the line was cut or changed");
        }
        return new PasswordHash(iterations, parts[2], parts[3]);
    }

    /** Whether this is the password. Takes a tenth of a second, whatever comes of it. */
    boolean matches(String password) {
        byte[] computed = compute(password, Base64.getDecoder().decode(salt), iterations);
        return MessageDigest.isEqual(computed, Base64.getDecoder().decode(hash));
    }

    private static byte[] compute(String password, byte[] salt, int iterations) {
        PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BYTES * Byte.SIZE);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")
                    .generateSecret(key)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no PBKDF2 with HMAC-SHA-512", e);
        } finally {
            key.clearPassword();
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static int length(String base64) {
        try {
            return Base64.getDecoder().decode(base64).length;
        } catch (IllegalArgumentException e) {
            return -1;
        }
    }

    @Override
    public String toString() {
        return NAME + ":" + iterations + ":" + salt + ":" + hash;
    }
}
