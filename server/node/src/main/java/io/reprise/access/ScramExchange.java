package io.reprise.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.function.BiFunction;

/**
 * The server's part in a login by SCRAM-SHA-256 without channel binding (RFC 5802, RFC 7677). Owned by one connection.
 *
 * <pre>
 *  client-first  n,,n=USER,r=CLIENT            --{@link #first}-->  r=CLIENT SERVER,s=SALT,i=ITERATIONS
 *  client-final  c=biws,r=CLIENT SERVER,p=PROOF --{@link #last}-->  v=SIGNATURE, and the outcome
 * </pre>
 *
 * <p>Both methods throw {@link IllegalArgumentException} for a malformed message.
 */
public final class ScramExchange {
    /** The mechanism's name. */
    public static final String MECHANISM = "SCRAM-SHA-256";

    private static final int LEAST_PARTS = 2;

    /**
     * The end of an exchange.
     *
     * @param outcome of the login
     * @param message the server's last message, if the login was accepted
     */
    public record End(LoginOutcome outcome, String message) {}

    private final ScramVerifier verifier;
    private final String serverNonce;
    private final BiFunction<Boolean, byte[], LoginOutcome> outcomes;
    private String nonce = "";
    private String header = "";
    private String signed = "";

    /**
     * An exchange.
     *
     * @param outcomes the outcome for a right or wrong proof and the client's key, which is the same for the same password
     */
    ScramExchange(ScramVerifier verifier, String serverNonce, BiFunction<Boolean, byte[], LoginOutcome> outcomes) {
        this.verifier = verifier;
        this.serverNonce = serverNonce;
        this.outcomes = outcomes;
    }

    /** Answers the client's first message. */
    public String first(String message) {
        String[] parts = message.split(",", -1);
        if (parts.length < LEAST_PARTS + 2 || !parts[0].equals("n") && !parts[0].equals("y")) {
            throw new IllegalArgumentException("malformed SCRAM message: channel binding is not offered");
        }
        header = parts[0] + "," + parts[1] + ",";
        String bare = message.substring(header.length());
        String clientNonce = parts[LEAST_PARTS + 1];
        if (!parts[LEAST_PARTS].startsWith("n=") || !clientNonce.startsWith("r=") || clientNonce.length() < 3) {
            throw new IllegalArgumentException("malformed SCRAM message: expected a name and a nonce");
        }
        nonce = clientNonce.substring(2) + serverNonce;
        String answer = "r=" + nonce + ",s=" + verifier.salt() + ",i=" + verifier.iterations();
        signed = bare + "," + answer;
        return answer;
    }

    /** Judges the client's last message. */
    public End last(String message) {
        int proofAt = message.lastIndexOf(",p=");
        String expected = "c=" + ScramVerifier.encode(header.getBytes(StandardCharsets.UTF_8)) + ",r=" + nonce;
        if (proofAt < 0 || signed.isEmpty()) {
            throw new IllegalArgumentException("malformed SCRAM message: expected a proof");
        }
        String unproved = message.substring(0, proofAt);
        if (!unproved.equals(expected)) {
            throw new IllegalArgumentException("malformed SCRAM message: the channel binding or the nonce differs");
        }
        byte[] proof = Base64.getDecoder().decode(message.substring(proofAt + 3));
        if (proof.length != ScramVerifier.KEY_BYTES) {
            throw new IllegalArgumentException("malformed SCRAM message: the proof has a wrong length");
        }
        byte[] text = (signed + "," + unproved).getBytes(StandardCharsets.UTF_8);
        byte[] storedKey = Base64.getDecoder().decode(verifier.storedKey());
        byte[] clientKey = ScramVerifier.hmac(storedKey, text);
        for (int i = 0; i < clientKey.length; i++) {
            clientKey[i] ^= proof[i];
        }
        boolean right = MessageDigest.isEqual(ScramVerifier.hash(clientKey), storedKey);
        byte[] signature = ScramVerifier.hmac(Base64.getDecoder().decode(verifier.serverKey()), text);
        return new End(outcomes.apply(right, clientKey), "v=" + ScramVerifier.encode(signature));
    }
}
