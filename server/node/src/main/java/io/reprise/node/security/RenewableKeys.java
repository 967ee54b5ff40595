package io.reprise.node.security;

import io.reprise.certificate.KeyPair;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * The key by which a node proves its identity, to clients and to peers. It can be exchanged while connections are made: a
 * handshake asks for an alias first and for its key later, so no alias is ever given to another key.
 */
final class RenewableKeys extends X509ExtendedKeyManager {
    private static final char[] NO_PASSWORD = new char[0];

    private volatile Current current;
    private int number;

    /** A key manager that knows one key, and the one before, for handshakes that have begun. */
    private record Current(X509ExtendedKeyManager manager, Current before) {}

    /** From now on this one is used. */
    synchronized void use(KeyPair pair) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("key-" + number++, pair.key(), NO_PASSWORD, pair.chain());
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store, NO_PASSWORD);
            X509ExtendedKeyManager manager = (X509ExtendedKeyManager) factory.getKeyManagers()[0];
            current = new Current(manager, current == null ? null : new Current(current.manager(), null));
        } catch (GeneralSecurityException | java.io.IOException e) {
            throw new IllegalArgumentException("the certificate and its key can't be used: " + e, e);
        }
    }

    @Override
    public String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return current.manager().chooseEngineServerAlias(keyType, issuers, engine);
    }

    @Override
    public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return current.manager().chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        Current now = current;
        X509Certificate[] chain = now.manager().getCertificateChain(alias);
        return chain == null && now.before() != null ? now.before().manager().getCertificateChain(alias) : chain;
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        Current now = current;
        PrivateKey key = now.manager().getPrivateKey(alias);
        return key == null && now.before() != null ? now.before().manager().getPrivateKey(alias) : key;
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return current.manager().getServerAliases(keyType, issuers);
    }

    @Override
    public String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return current.manager().chooseEngineClientAlias(keyTypes, issuers, engine);
    }

    @Override
    public String[] getClientAliases(String keyType, Principal[] issuers) {
        return current.manager().getClientAliases(keyType, issuers);
    }

    @Override
    public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
        return current.manager().chooseClientAlias(keyType, issuers, socket);
    }
}
