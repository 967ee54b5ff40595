package io.reprise.node.security;

import io.reprise.access.AccessMeter;
import io.reprise.access.Authenticator;
import io.reprise.access.ClientCertificates;
import io.reprise.access.Logins;
import io.reprise.access.Protection;
import io.reprise.access.Users;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.runtime.time.SystemClock;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's demands on its clients, by its configuration and its files while it runs. */
public final class NodeSecurity implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.access");
    private static final long LOOK_MS = 1000;

    private final Optional<TlsFiles> tls;
    private final Optional<WatchedUsers> users;
    private final Optional<ScheduledExecutorService> looking;
    private volatile Runnable renewed = () -> {};

    /** The users' file, and who reads it. */
    private static final class WatchedUsers {
        private final UsersFile file;
        private final Authenticator authenticator;
        private final LoginThreads logins;
        private final WatchedFiles watched;

        WatchedUsers(
                Path path,
                String nodeName,
                String token,
                AccessMeter meter,
                Optional<ClientCertificates> certificates) {
            file = new UsersFile(path);
            watched = new WatchedFiles(List.of(path));
            Users first = file.read();
            if (first.all().isEmpty()) {
                LOG.warn(
                        "The users' file {} has no users, so no client can connect: add one by \"reprise user add\".",
                        path);
            }
            authenticator = new Authenticator(first, token, meter, SystemClock.INSTANCE, certificates);
            logins = new LoginThreads(authenticator, nodeName);
        }

        void look() {
            watched.look(
                    this::takeChange,
                    why -> LOG.error("The users' file has changed, and the users before stay: {}", why));
        }

        private void takeChange() {
            Users changed = file.read();
            authenticator.replace(changed);
            LOG.info(
                    "The users' file {} has changed: {} users.",
                    file.path(),
                    changed.all().size());
        }
    }

    private NodeSecurity(Optional<TlsFiles> tls, Optional<WatchedUsers> users, String nodeName) {
        this.tls = tls;
        this.users = users;
        looking = tls.isEmpty() && users.isEmpty() ? Optional.empty() : Optional.of(thread(nodeName));
    }

    /**
     * Reads the files, and begins to look whether they change.
     *
     * @param token the node's own, which opens everything
     */
    public static NodeSecurity open(
            NodeConfiguration.Security settings, String nodeName, String token, AccessMeter meter) {
        Optional<ClientAuthorities> authorities = settings.clientCertificates()
                .map(asked -> new ClientAuthorities(
                        asked.authorities(), asked.revocationList(), SystemClock.INSTANCE, meter));
        Optional<ClientCertificates> certificates = settings.clientCertificates()
                .map(asked -> new ClientCertificates(
                        authorities.orElseThrow(),
                        authorities.orElseThrow()::revoked,
                        asked.required(),
                        asked.nameUsers()));
        Optional<TlsFiles> tls = settings.certificate()
                .map(certificate ->
                        new TlsFiles(certificate, settings.key().orElseThrow(), authorities, SystemClock.INSTANCE));
        Optional<WatchedUsers> users =
                settings.users().map(path -> new WatchedUsers(path, nodeName, token, meter, certificates));
        NodeSecurity security = new NodeSecurity(tls, users, nodeName);
        security.start();
        return security;
    }

    private static ScheduledExecutorService thread(String nodeName) {
        return Executors.newSingleThreadScheduledExecutor(task -> Thread.ofPlatform()
                .daemon()
                .name("reprise-" + nodeName + "-security")
                .unstarted(task));
    }

    private void start() {
        looking.ifPresent(thread -> thread.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS));
    }

    private void look() {
        tls.ifPresent(files -> whateverItThrows(() -> look(files)));
        users.ifPresent(file -> whateverItThrows(file::look));
    }

    private void look(TlsFiles files) {
        String before = files.fingerprint();
        files.look();
        if (!files.fingerprint().equals(before)) {
            renewed.run();
        }
    }

    /** A periodic task that throws is not run again, and who is removed from the users would stay one. */
    private static void whateverItThrows(Runnable look) {
        try {
            look.run();
        } catch (RuntimeException | Error e) {
            LOG.error("Looking whether certificates or users have changed failed, and is tried again in a second", e);
        }
    }

    /**
     * The demands of a port.
     *
     * @param open whether it may be where other machines can connect without TLS or users
     */
    public Protection protection(boolean open) {
        return new Protection(tls.map(TlsFiles::tls), users.map(watched -> (Logins) watched.logins), open);
    }

    /** The fingerprint of the certificate in use; empty without TLS. */
    public Optional<String> certificateFingerprint() {
        return tls.map(TlsFiles::fingerprint);
    }

    /** Sets the action, on a thread of this, for another certificate in use. */
    public void whenRenewed(Runnable told) {
        renewed = told;
    }

    @Override
    public void close() {
        looking.ifPresent(ScheduledExecutorService::shutdownNow);
        users.ifPresent(watched -> watched.logins.close());
    }
}
