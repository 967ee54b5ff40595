package io.reprise.cluster.zookeeper;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.apache.zookeeper.server.auth.ProviderRegistry;
import org.apache.zookeeper.server.auth.X509AuthenticationProvider;

/**
 * The protection of the traffic with ZooKeeper, and of the cluster's znodes.
 *
 * @param stores the key and the authorities of TLS; empty: no TLS
 * @param login {@code user:password}, the owner of the cluster's znodes; empty: all clients may change them
 */
public record ZooKeeperSecurity(Optional<Stores> stores, Optional<String> login) {
    /** Neither TLS nor a login. */
    public static final ZooKeeperSecurity NONE = new ZooKeeperSecurity(Optional.empty(), Optional.empty());

    private static final String CLIENT_SOCKET = "org.apache.zookeeper.ClientCnxnSocketNetty";
    private static final String X509 = "zookeeper.authProvider.x509";
    private static final String SERVER_SOCKET = "org.apache.zookeeper.server.NettyServerCnxnFactory";

    /**
     * The files of TLS in the form that ZooKeeper reads, PKCS12.
     *
     * @param keys this process's certificate and key
     * @param authorities those that vouch for servers and clients
     * @param password of both files
     */
    public record Stores(Path keys, Path authorities, String password) {
        private void write(Properties to, String prefix) {
            to.setProperty(prefix + "keyStore.location", keys.toString());
            to.setProperty(prefix + "keyStore.password", password);
            to.setProperty(prefix + "keyStore.type", "PKCS12");
            to.setProperty(prefix + "trustStore.location", authorities.toString());
            to.setProperty(prefix + "trustStore.password", password);
            to.setProperty(prefix + "trustStore.type", "PKCS12");
        }
    }

    /** Makes a client protected. */
    void apply(CuratorFrameworkFactory.Builder client) {
        stores.ifPresent(tls -> {
            Properties properties = new Properties();
            tls.write(properties, "zookeeper.ssl.");
            ZKClientConfig settings = new ZKClientConfig();
            properties.stringPropertyNames().forEach(name -> settings.setProperty(name, properties.getProperty(name)));
            settings.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
            settings.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, CLIENT_SOCKET);
            client.zkClientConfig(settings);
        });
        login.ifPresent(user -> client.authorization("digest", user.getBytes(StandardCharsets.UTF_8))
                .aclProvider(OwnersAlone.of(user)));
    }

    /** Before a server of this process starts: its sockets read these from the system's properties. */
    void prepareServer() {
        stores.ifPresent(tls -> {
            Properties properties = new Properties();
            tls.write(properties, "zookeeper.ssl.");
            tls.write(properties, "zookeeper.ssl.quorum.");
            properties.setProperty("zookeeper.serverCnxnFactory", SERVER_SOCKET);
            properties.setProperty("zookeeper.ssl.clientAuth", "need");
            properties.setProperty("zookeeper.ssl.quorum.clientAuth", "need");
            properties.setProperty(X509, X509AuthenticationProvider.class.getName());
            properties.stringPropertyNames().forEach(name -> System.setProperty(name, properties.getProperty(name)));
            // Another server of this process may have filled the registry before.
            ProviderRegistry.addOrUpdateProvider(X509);
        });
    }

    /**
     * The cluster's znodes belong to its user. The folder of all clusters is open to all, but a full folder can't be removed.
     */
    private record OwnersAlone(List<ACL> ofCluster) implements ACLProvider {
        static OwnersAlone of(String login) {
            try {
                Id owner = new Id("digest", DigestAuthenticationProvider.generateDigest(login));
                // ZooKeeper asks the list for null, which an immutable one rejects.
                return new OwnersAlone(Collections.singletonList(new ACL(ZooDefs.Perms.ALL, owner)));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this JVM lacks the digest of ZooKeeper's logins", e);
            }
        }

        @Override
        public List<ACL> getDefaultAcl() {
            return ofCluster;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return path.equals(Znodes.ALL) ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ofCluster;
        }
    }
}
