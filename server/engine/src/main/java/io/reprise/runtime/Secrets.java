package io.reprise.runtime;

import java.security.SecureRandom;

/** Unpredictable random bytes for salts and tokens. Never of use to what is replayed or simulated. */
public final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    /** So many of them. Any thread. */
    public static byte[] bytes(int count) {
        byte[] secret = new byte[count];
        RANDOM.nextBytes(secret);
        return secret;
    }
}
