package io.reprise.access;

import io.reprise.runtime.LogText;
import io.reprise.runtime.LogThrottle;
import io.reprise.runtime.Secrets;
import io.reprise.runtime.time.Clock;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks logins. The slow hash is computed once for each user: after that a keyed hash of the
 * password, which never leaves this process' memory, recognises it at once. So a thousand connections that come back together
 * don't cost minutes, and a page or a Prometheus that shows its password with each request costs nothing.
 *
 * <p>Any thread; {@link #check} takes a tenth of a second of it.
 */
public final class Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.access");
    private static final String KEYED_HASH = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 18;

    /** Of how many places of a user is known that he was there. */
    private static final int MOST_PLACES = 1024;

    private static final String WANTED = "this server wants a user and a password (ClientSettings.withUser, --user)";
    private static final String CERTIFICATE_WANTED =
            "this server wants a certificate of its clients (ClientTls.withCertificate, --tls-cert)";
    private static final String WRONG = "there is no user of this name with this password";

    private final AtomicReference<Users> users;
    private final byte[] token;
    private final AccessMeter meter;
    private final Clock clock;
    private final Optional<ClientCertificates> certificates;
    private final SecretKeySpec key = new SecretKeySpec(Secrets.bytes(KEY_BYTES), KEYED_HASH);
    private final Map<String, Recognised> recognised = new ConcurrentHashMap<>();
    private final FailedLogins failures = new FailedLogins();
    private final PasswordHash unknownUser = PasswordHash.ofNone();

    /** Tells of logins that were not looked at, and of those that were wrong once more: of either there can be thousands. */
    private final LogThrottle turnedAway = new LogThrottle();

    private final LogThrottle wrongAgain = new LogThrottle();

    /**
     * A password that was right for this hash, as a keyed hash.
     *
     * @param from whence
     */
    private record Recognised(PasswordHash password, byte[] digest, Set<ByteBuffer> from) {
        Recognised(PasswordHash password, byte[] digest) {
            this(password, digest, ConcurrentHashMap.newKeySet());
        }

        void cameFrom(InetAddress address) {
            if (from.size() < MOST_PLACES) {
                from.add(FailedLogins.key(address));
            }
        }

        boolean wasAt(InetAddress address) {
            return from.contains(FailedLogins.key(address));
        }
    }

    /**
     * An authenticator of these users.
     *
     * @param token the node's own, which opens everything, with and without a certificate
     * @param certificates the rules for certificates of clients; empty: they count for nothing
     */
    public Authenticator(
            Users users, String token, AccessMeter meter, Clock clock, Optional<ClientCertificates> certificates) {
        this.users = new AtomicReference<>(users);
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.meter = meter;
        this.clock = clock;
        this.certificates = certificates;
    }

    /** The present users. */
    public Users users() {
        return users.get();
    }

    /** The certificates of clients that don't count any more. */
    public RevokedCertificates revoked() {
        return certificates.map(rules -> rules.revoked().get()).orElse(RevokedCertificates.NONE);
    }

    /** From now on there are these users. */
    public void replace(Users newUsers) {
        users.set(newUsers);
        recognised.keySet().removeIf(name -> newUsers.find(name).isEmpty());
    }

    /** The counters of logins. */
    public AccessMeter meter() {
        return meter;
    }

    /**
     * The outcome that needs no slow hash: by a certificate, by a remembered password, or a rejection without a look
     * at the password.
     */
    public Optional<LoginOutcome> atOnce(Claim claim) {
        if (claim.name().equals(User.TOKEN_NAME) && isToken(claim.password())) {
            return Optional.of(meter.count(LoginOutcome.accepted(User.OWNER)));
        }
        Optional<LoginOutcome> decided = certificates.flatMap(rules -> byCertificate(rules, claim));
        if (decided.isPresent()) {
            return Optional.of(meter.count(decided.get()));
        }
        if (claim.name().isEmpty()) {
            return Optional.of(meter.count(LoginOutcome.refused(WANTED)));
        }
        long nowNs = clock.nanoTime();
        Optional<User> user = users.get().find(claim.name());
        Optional<Boolean> hashed = failures.counted(claim.from(), attempt(claim, hash(user)), nowNs);
        if (hashed.isPresent()) {
            return hashed.get() ? Optional.of(wrongAgain(claim, nowNs)) : Optional.empty();
        }
        // As it is before this one has been compared: the one that makes an address wait is still looked at.
        long waitNs = failures.waitNs(claim.from(), nowNs);
        if (user.isPresent() && isRecognised(claim, user.get(), nowNs)) {
            // Failures stay counted: a program that logs in as this user every second, from the same address as
            // an attacker, would end the attacker's wait each time.
            return Optional.of(meter.count(LoginOutcome.accepted(user.get())));
        }
        return waitNs == 0 ? Optional.empty() : Optional.of(waits(claim, waitNs));
    }

    private LoginOutcome wrongAgain(Claim claim, long nowNs) {
        wrongAgain.tell(
                nowNs,
                others -> LOG.warn(
                        "A login as {} from {} was refused: wrong password, or no such user{}.",
                        printable(claim.name()),
                        claim.from().getHostAddress(),
                        others));
        return meter.count(LoginOutcome.refused(WRONG));
    }

    /** The decision by the certificate, or its absence; empty: the password has to be looked at. */
    private Optional<LoginOutcome> byCertificate(ClientCertificates rules, Claim claim) {
        if (claim.certificates().isEmpty()) {
            return rules.required() ? Optional.of(LoginOutcome.refused(CERTIFICATE_WANTED)) : Optional.empty();
        }
        Optional<String> problem = rules.problem(claim.certificates());
        if (problem.isPresent()) {
            return Optional.of(refused(claim, "the certificate is not accepted any more: " + problem.get()));
        }
        if (!rules.nameUsers()) {
            return Optional.empty();
        }
        X509Certificate own = claim.certificates().getFirst();
        Optional<String> name = ClientCertificates.user(own);
        if (name.isEmpty()) {
            return Optional.of(refused(
                    claim,
                    "the certificate's subject, " + own.getSubjectX500Principal()
                            + ", has no single CN that could be a user's name"));
        }
        if (!claim.name().isEmpty() && !claim.name().equals(name.get())) {
            return Optional.of(refused(
                    claim,
                    "the certificate is that of user " + name.get() + "; log in as this one, or without a name"));
        }
        return Optional.of(users.get()
                .find(name.get())
                .map(LoginOutcome::accepted)
                .orElseGet(() -> refused(claim, "there is no user " + name.get() + ", whom the certificate names")));
    }

    private static LoginOutcome refused(Claim claim, String why) {
        LOG.warn("A login from {} was refused: {}.", claim.from().getHostAddress(), LogText.of(why));
        return LoginOutcome.refused(why);
    }

    /** The next step of a login that has shown no password yet. */
    public LoginStart start(Claim claim) {
        Optional<LoginOutcome> decided = certificates.flatMap(rules -> byCertificate(rules, claim));
        if (decided.isPresent()) {
            return new LoginStart.Decided(meter.count(decided.get()));
        }
        Users present = users.get();
        Optional<User> user = present.find(claim.name());
        Optional<User> example =
                present.all().stream().filter(one -> one.scram().isPresent()).findFirst();
        if (claim.name().equals(User.TOKEN_NAME)
                || example.isEmpty()
                || user.isPresent() && user.get().scram().isEmpty()) {
            return new LoginStart.Password();
        }
        long waitNs = failures.waitNs(claim.from(), clock.nanoTime());
        if (waitNs > 0) {
            return new LoginStart.Decided(waits(claim, waitNs));
        }
        // The hash is in the file of users only, so unknown names have salts that stay over restarts and can't be told
        // apart.
        byte[] key = hash(example).toString().getBytes(StandardCharsets.UTF_8);
        ScramVerifier verifier = user.flatMap(User::scram).orElseGet(() -> ScramVerifier.ofNone(key, claim.name()));
        String nonce = ScramVerifier.encode(Secrets.bytes(NONCE_BYTES));
        return new LoginStart.Scram(new ScramExchange(
                verifier, nonce, (right, clientKey) -> scramEnded(claim, verifier, right, clientKey)));
    }

    private LoginOutcome scramEnded(Claim claim, ScramVerifier verifier, boolean right, byte[] clientKey) {
        Optional<User> user =
                users.get().find(claim.name()).filter(found -> found.scram().equals(Optional.of(verifier)));
        if (right && user.isPresent()) {
            failures.succeeded(claim.from(), claim.name());
            return meter.count(LoginOutcome.accepted(user.get()));
        }
        ByteBuffer attempt = ByteBuffer.wrap(digest(claim.name(), verifier.salt(), ScramVerifier.encode(clientKey)));
        failures.failed(claim.from(), user.map(User::name), attempt, true, clock.nanoTime());
        return wrongAgain(claim, clock.nanoTime());
    }

    private LoginOutcome waits(Claim claim, long waitNs) {
        return turnAway(
                claim,
                "too many wrong passwords came from your address; the next is looked at in "
                        + (TimeUnit.NANOSECONDS.toSeconds(waitNs) + 1) + " s");
    }

    /** Counts one that is not looked at. */
    public LoginOutcome turnAway(Claim claim, String why) {
        turnedAway.tell(
                clock.nanoTime(),
                others -> LOG.warn(
                        "A login as {} from {} was not looked at: {}{}.",
                        printable(claim.name()),
                        claim.from().getHostAddress(),
                        why,
                        others));
        return meter.count(LoginOutcome.turnedAway(why));
    }

    /** Looks at a password. Takes as long whether there is such a user or not. */
    public LoginOutcome check(Claim claim) {
        Optional<LoginOutcome> early = atOnce(claim);
        if (early.isPresent()) {
            return early.get();
        }
        String name = claim.name();
        String password = claim.password();
        InetAddress from = claim.from();
        Optional<User> user = users.get().find(name);
        PasswordHash hash = hash(user);
        if (hash.matches(password) && user.isPresent()) {
            failures.succeeded(from, name);
            Recognised now = new Recognised(hash, digest(name, password));
            // Passwords found right before stay known: other connections may have been checked meanwhile.
            recognised
                    .merge(name, now, (before, same) -> before.password().equals(hash) ? before : same)
                    .cameFrom(from);
            return meter.count(LoginOutcome.accepted(user.get()));
        }
        failures.failed(from, user.map(User::name), attempt(claim, hash), true, clock.nanoTime());
        LOG.warn(
                "A login as {} from {} was refused: {}.",
                printable(name),
                from.getHostAddress(),
                user.isPresent() ? "wrong password" : "there is no such user");
        return meter.count(LoginOutcome.refused(WRONG));
    }

    private PasswordHash hash(Optional<User> user) {
        return user.flatMap(User::password).orElse(unknownUser);
    }

    /**
     * Tells whether it is the password that was found right before. The comparison takes no time, and a guesser could
     * make thousands a second. So another password counts as wrong here already, whatever becomes of it then.
     */
    private boolean isRecognised(Claim claim, User user, long nowNs) {
        Recognised before = recognised.get(user.name());
        if (before == null
                || !user.password().equals(Optional.of(before.password()))
                || !failures.mayCompare(claim.from(), user.name(), before.wasAt(claim.from()), nowNs)) {
            return false;
        }
        if (MessageDigest.isEqual(before.digest(), digest(user.name(), claim.password()))) {
            before.cameFrom(claim.from());
            return true;
        }
        failures.failed(claim.from(), Optional.of(user.name()), attempt(claim, before.password()), false, nowNs);
        return false;
    }

    /** A keyed hash of the claimed user, the user's password hash, and the claimed password. */
    private ByteBuffer attempt(Claim claim, PasswordHash hash) {
        return ByteBuffer.wrap(digest(claim.name(), hash.toString(), claim.password()));
    }

    private boolean isToken(String password) {
        return MessageDigest.isEqual(token, password.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] digest(String... parts) {
        try {
            Mac mac = Mac.getInstance(KEYED_HASH);
            mac.init(key);
            for (String part : parts) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
                mac.update(bytes);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + KEYED_HASH, e);
        }
    }

    /** Makes a stranger's name fit for a log that people and programs read line by line. */
    private static String printable(String name) {
        String shown = name.length() > 64 ? name.substring(0, 64) + "..." : name;
        return "'" + shown.replaceAll("[^\\p{L}\\p{N} ._@-]", "?") + "'";
    }
}
