package io.reprise.node.security;

import io.reprise.certificate.KeyPair;
import io.reprise.certificate.PemFile;
import io.reprise.cluster.zookeeper.ZooKeeperSecurity;
import io.reprise.engine.FileFailure;
import io.reprise.runtime.Secrets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;

/**
 * The secrets for ZooKeeper: the PEM files of TLS as stores that ZooKeeper reads, and the password of a login. The stores are in a
 * folder that only this user may read,
 * under a password of this run, and are removed when the process ends.
 */
public final class ZooKeeperStores {
    private static final String CERTIFICATE = "cluster.zookeeper.tls.certificate";
    private static final String KEY = "cluster.zookeeper.tls.key";
    private static final String AUTHORITIES = "cluster.zookeeper.tls.authorities";
    private static final int PASSWORD_BYTES = 24;

    private ZooKeeperStores() {}

    /** Reads the files; throws IllegalArgumentException with the configuration's key if one can't be used. */
    public static ZooKeeperSecurity.Stores of(Path certificate, Path key, Path authorities) {
        KeyPair own = KeyPair.read(PemFile.namedBy(CERTIFICATE, certificate), PemFile.namedBy(KEY, key), "process");
        String password = HexFormat.of().formatHex(Secrets.bytes(PASSWORD_BYTES));
        try {
            KeyStore keys = empty();
            keys.setKeyEntry("own", own.key(), password.toCharArray(), own.chain());
            KeyStore trusted = empty();
            int count = 0;
            for (X509Certificate authority :
                    PemFile.namedBy(AUTHORITIES, authorities).certificates()) {
                trusted.setCertificateEntry("authority-" + count++, authority);
            }
            Path folder = Files.createTempDirectory("reprise-zookeeper-");
            folder.toFile().deleteOnExit();
            return new ZooKeeperSecurity.Stores(
                    write(keys, folder.resolve("keys.p12"), password),
                    write(trusted, folder.resolve("authorities.p12"), password),
                    password);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("cluster.zookeeper.tls: its files can't be used: " + e, e);
        }
    }

    /** The password in a file's first line. */
    public static String password(Path file) {
        try {
            List<String> lines = Files.readAllLines(file);
            if (lines.isEmpty() || lines.getFirst().isBlank()) {
                throw new IllegalArgumentException(
                        "cluster.zookeeper.passwordFile: the first line of " + file + " is empty");
            }
            return lines.getFirst().strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cluster.zookeeper.passwordFile: can't read " + file + ": " + FileFailure.text(e), e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Path write(KeyStore store, Path file, String password) throws GeneralSecurityException, IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        file.toFile().deleteOnExit();
        return file;
    }
}
