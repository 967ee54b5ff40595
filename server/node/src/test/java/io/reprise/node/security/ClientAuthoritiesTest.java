package io.reprise.node.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder.KeyUsage;
import io.netty.pkitesting.X509Bundle;
import io.reprise.access.AccessMeter;
import io.reprise.access.RevocationStatus;
import io.reprise.runtime.time.Clock;
import io.reprise.runtime.time.SystemClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of lists of revoked certificates, and messages about unusable ones. */
final class ClientAuthoritiesTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private final AccessMeter meter = new AccessMeter();
    private Certificates authority;
    private Path list;
    private X509Bundle ann;
    private X509Bundle bob;

    @BeforeEach
    void issue() throws Exception {
        list = folder.resolve("clients.crl");
        trust(new Certificates());
        ann = client("ann");
        bob = client("bob");
    }

    private void trust(Certificates newAuthority) throws Exception {
        authority = newAuthority;
        authority.authority(folder.resolve("clients.crt"));
    }

    private X509Bundle client(String name) throws Exception {
        return authority.issueClient(
                "CN=" + name, later(), folder.resolve(name + ".crt"), folder.resolve(name + ".key"));
    }

    private static Instant later() {
        return Instant.now().plus(Duration.ofDays(3)).truncatedTo(ChronoUnit.SECONDS);
    }

    private ClientAuthorities open() {
        return open(SystemClock.INSTANCE);
    }

    private ClientAuthorities open(Clock clock) {
        return new ClientAuthorities(folder.resolve("clients.crt"), Optional.of(list), clock, meter);
    }

    private static void check(ClientAuthorities authorities, X509Bundle client) throws CertificateException {
        authorities.checkClientTrusted(new X509Certificate[] {client.getCertificate()}, "UNKNOWN");
    }

    private RevocationStatus status() {
        return meter.revocation().orElseThrow();
    }

    @Test
    void shouldRefuseWhatAListHasAndTakeAnotherListWhenTheFileChanges() throws Exception {
        Instant end = later();
        Files.write(list, authority.revocationList(end, ann));
        ClientAuthorities authorities = open();

        assertThatThrownBy(() -> check(authorities, ann)).hasMessageContaining("revoked");
        assertThatCode(() -> check(authorities, bob)).doesNotThrowAnyException();
        assertThat(status()).isEqualTo(new RevocationStatus(end, 1, false));

        Files.writeString(list, Certificates.pem(authority.revocationList(end.plusSeconds(60), bob)));
        authorities.look();

        assertThatCode(() -> check(authorities, ann)).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(authorities, bob)).hasMessageContaining("revoked");
        assertThat(status()).isEqualTo(new RevocationStatus(end.plusSeconds(60), 1, false));
    }

    @Test
    void shouldKeepTheLastGoodListWhenTheFileTurnsBad() throws Exception {
        Instant end = later();
        Files.write(list, authority.revocationList(end, ann));
        ClientAuthorities authorities = open();

        for (byte[] bad : new byte[][] {
            "no list".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
            authority.revocationList(Instant.now().minusSeconds(10)),
            new Certificates().revocationList(end)
        }) {
            Files.write(list, bad);
            authorities.look();

            assertThat(status()).isEqualTo(new RevocationStatus(end, 1, true));
            assertThatThrownBy(() -> check(authorities, ann)).hasMessageContaining("revoked");
            assertThatCode(() -> check(authorities, bob)).doesNotThrowAnyException();
        }
        Files.delete(list);
        authorities.look();
        assertThat(status().outdated()).isTrue();

        Files.write(list, authority.revocationList(end));
        authorities.look();
        assertThat(status()).isEqualTo(new RevocationStatus(end, 0, false));
        assertThatCode(() -> check(authorities, ann)).doesNotThrowAnyException();
    }

    @Test
    void shouldAcceptNobodyOnceTheListIsTooOld() throws Exception {
        // The JDK goes by its own clock, and lets clocks differ by a quarter of an hour; at the start it was not too
        // old yet.
        Duration before = Duration.ofMinutes(15);
        ClientAuthorities authorities = openBeforeTheListIsTooOld(before);

        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        Optional<CertificateException> refusal = Optional.empty();
        while (refusal.isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            authorities.look();
            refusal = refusal(authorities);
            Thread.onSpinWait();
        }

        assertThat(refusal.get()).hasMessageContaining("revocation status");
        Files.write(list, authority.revocationList(later()));
        authorities.look();
        assertThatCode(() -> check(authorities, bob)).doesNotThrowAnyException();
    }

    /**
     * Opens with a list that expires soon; if this machine stands still until it has, with one that is a little
     * later.
     */
    private ClientAuthorities openBeforeTheListIsTooOld(Duration before) throws Exception {
        for (int seconds = 3; ; seconds *= 2) {
            Instant end = Instant.now().minus(before).plusSeconds(seconds);
            Files.write(list, authority.revocationList(end));
            try {
                ClientAuthorities authorities = open(late(before));
                check(authorities, bob);
                return authorities;
            } catch (CertificateException | IllegalArgumentException tooOld) {
                if (Instant.now().minus(before).isBefore(end.minusSeconds(1)) || seconds > 20) {
                    throw tooOld;
                }
            }
        }
    }

    private static Clock late(Duration by) {
        return new Clock() {
            @Override
            public long nanoTime() {
                return SystemClock.INSTANCE.nanoTime();
            }

            @Override
            public long epochMicros() {
                return SystemClock.INSTANCE.epochMicros() - by.toNanos() / 1_000;
            }
        };
    }

    private Optional<CertificateException> refusal(ClientAuthorities authorities) {
        try {
            check(authorities, bob);
            return Optional.empty();
        } catch (CertificateException e) {
            return Optional.of(e);
        }
    }

    @Test
    void shouldWantAListOfEachAuthority() throws Exception {
        Certificates other = new Certificates("CN=Other authority");
        Path both = folder.resolve("clients.crt");
        Files.writeString(
                both, Files.readString(both) + Files.readString(other.authority(folder.resolve("other.crt"))));
        String own = Certificates.pem(authority.revocationList(later(), ann));

        Files.writeString(list, own);
        assertThatThrownBy(this::open)
                .hasMessageContaining("has no list of the authority CN=Other authority")
                .hasMessageContaining("may be empty");
        Files.writeString(list, own + Certificates.pem(other.revocationList(later())));
        ClientAuthorities authorities = open();

        assertThatThrownBy(() -> check(authorities, ann)).hasMessageContaining("revoked");
        assertThatCode(() -> check(
                        authorities,
                        other.issueClient("CN=eve", later(), folder.resolve("eve.crt"), folder.resolve("eve.key"))))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldSayWhatIsWrongWithTheListBeforeItIsUsed() throws Exception {
        assertThatThrownBy(this::open)
                .hasMessageContaining("security.clientCertificates.revocationList")
                .hasMessageContaining("there is no file " + list);
        Files.writeString(list, "no list");
        assertThatThrownBy(this::open).hasMessageContaining("no revocation list");
        Files.writeString(list, "");
        assertThatThrownBy(this::open).hasMessageContaining("BEGIN X509 CRL");
        Files.write(list, authority.revocationList(Instant.now().minusSeconds(10)));
        assertThatThrownBy(this::open).hasMessageContaining("is too old").hasMessageContaining("make a new one");
        Files.write(list, authority.revocationList(Instant.now().plus(Duration.ofDays(30))));
        assertThatThrownBy(this::open).hasMessageContaining("which is not yet").hasMessageContaining("clock");
        Files.write(list, authority.revocationList(null));
        assertThatThrownBy(this::open).hasMessageContaining("when the next one comes");
        Files.write(list, new Certificates().revocationList(later()));
        assertThatThrownBy(this::open).hasMessageContaining("is not signed with the key of this authority");
        trust(new Certificates("CN=Test authority", KeyUsage.keyCertSign));
        Files.write(list, authority.revocationList(later()));
        assertThatThrownBy(this::open).hasMessageContaining("cRLSign");
        trust(new Certificates("CN=Test authority", KeyUsage.keyCertSign, KeyUsage.cRLSign));
        Files.write(list, authority.revocationList(later()));
        assertThatCode(this::open).doesNotThrowAnyException();
    }
}
