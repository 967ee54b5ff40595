package io.reprise.cluster.zookeeper;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.reprise.node.security.ZooKeeperStores;
import java.nio.file.Files;
import java.nio.file.Path;

/** Certificates for ZooKeeper of an authority that is made for a test. */
final class SecureStores {
    private SecureStores() {}

    /** Certificate, key and authority in files of a folder. */
    static ZooKeeperSecurity.Stores in(Path folder, String name) throws Exception {
        X509Bundle authority = new CertificateBuilder()
                .subject("CN=" + name)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        X509Bundle own = new CertificateBuilder()
                .subject("CN=localhost")
                .addSanDnsName("localhost")
                .addSanIpAddress("127.0.0.1")
                .addExtendedKeyUsageServerAuth()
                .addExtendedKeyUsageClientAuth()
                .buildIssuedBy(authority);
        return ZooKeeperStores.of(
                Files.writeString(folder.resolve(name + ".crt"), own.getCertificatePathPEM()),
                Files.writeString(folder.resolve(name + ".key"), own.getPrivateKeyPEM()),
                Files.writeString(folder.resolve(name + "-ca.crt"), authority.getCertificatePEM()));
    }

    /** Removes the properties by which servers in this process speak TLS. */
    static void clearProperties() {
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("zookeeper.ssl.")
                        || name.startsWith("zookeeper.authProvider.")
                        || name.equals("zookeeper.serverCnxnFactory"))
                .forEach(System::clearProperty);
    }
}
