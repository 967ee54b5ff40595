package io.reprise.certificate;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;

/**
 * A certificate with the chain that vouches for it, and its private key.
 *
 * @param chain the own certificate first
 * @param key the key of the first certificate
 */
public record KeyPair(X509Certificate[] chain, PrivateKey key) {
    /**
     * Reads both and checks that they belong together.
     *
     * @param owner the side that shows the certificate: the server or the client
     */
    public static KeyPair read(PemFile certificate, PemFile key, String owner) {
        X509Certificate[] chain = certificate.certificates();
        PrivateKey secret = key.privateKey(chain[0]);
        if (!belongTogether(chain[0], secret)) {
            throw new IllegalArgumentException(key.named() + "the key in " + key.path()
                    + " is not that of the certificate in " + certificate.path() + ", which is for "
                    + chain[0].getSubjectX500Principal() + "; the file's first certificate has to be the " + owner
                    + "'s own");
        }
        return new KeyPair(chain, secret);
    }

    /** Whether what the one signs the other confirms. */
    private static boolean belongTogether(X509Certificate certificate, PrivateKey key) {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        byte[] probe = certificate.getSerialNumber().toByteArray();
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(probe);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
