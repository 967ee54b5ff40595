package io.reprise.access;

import io.reprise.runtime.Secrets;
import io.reprise.runtime.time.Clock;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether somebody is who he says. The slow hash is computed once for each user: after that a keyed hash of the
 * password, which never leaves this process' memory, recognises it at once. So a thousand connections that come back together
 * don't cost minutes, and a page or a Prometheus that shows its password with each request costs nothing.
 *
 * <p>Any thread; {@link #check} takes a tenth of a second of it.
 */
public final class Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.access");
    private static final String KEYED_HASH = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final String WRONG = "there is no user of this name with this password";

    private final AtomicReference<Users> users;
    private final byte[] token;
    private final AccessMeter meter;
    private final Clock clock;
    private final SecretKeySpec key = new SecretKeySpec(Secrets.bytes(KEY_BYTES), KEYED_HASH);
    private final Map<String, Recognised> recognised = new ConcurrentHashMap<>();
    private final FailedLogins failures = new FailedLogins();
    private final PasswordHash nobody = PasswordHash.nobody();

    /** A password that was right for this hash, as a keyed hash. */
    private record Recognised(PasswordHash password, byte[] digest) {}

    /**
     * One for these users.
     *
     * @param token the node's own, which opens everything
     */
    public Authenticator(Users users, String token, AccessMeter meter, Clock clock) {
        this.users = new AtomicReference<>(users);
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.meter = meter;
        this.clock = clock;
    }

    /** Who there is now. */
    public Users users() {
        return users.get();
    }

    /** From now on there are these users. */
    public void replace(Users newUsers) {
        users.set(newUsers);
        recognised.keySet().removeIf(name -> newUsers.find(name).isEmpty());
    }

    /** Where logins are counted. */
    public AccessMeter meter() {
        return meter;
    }

    /** What can be said without the slow hash: that the password was right before, or that it will not be looked at. */
    public Optional<LoginOutcome> atOnce(String name, String password, InetAddress from) {
        Optional<User> user = recognise(name, password);
        if (user.isPresent()) {
            return Optional.of(meter.count(LoginOutcome.accepted(user.get())));
        }
        long waitNs = failures.waitNs(from, clock.nanoTime());
        return waitNs == 0
                ? Optional.empty()
                : Optional.of(turnAway("too many wrong passwords came from your address; the next is looked at in "
                        + (TimeUnit.NANOSECONDS.toSeconds(waitNs) + 1) + " s"));
    }

    /** Counts one that is not looked at. */
    public LoginOutcome turnAway(String why) {
        return meter.count(LoginOutcome.turnedAway(why));
    }

    /** Looks at a password. Takes as long whether there is such a user or not. */
    public LoginOutcome check(String name, String password, InetAddress from) {
        Optional<LoginOutcome> early = atOnce(name, password, from);
        if (early.isPresent()) {
            return early.get();
        }
        Optional<User> user = users.get().find(name);
        PasswordHash hash = user.flatMap(User::password).orElse(nobody);
        if (hash.matches(password) && user.isPresent()) {
            failures.succeeded(from);
            recognised.put(name, new Recognised(hash, digest(name, password)));
            return meter.count(LoginOutcome.accepted(user.get()));
        }
        failures.failed(from, clock.nanoTime());
        LOG.warn(
                "A login as {} from {} was refused: {}.",
                printable(name),
                from.getHostAddress(),
                user.isPresent() ? "wrong password" : "there is no such user");
        return meter.count(LoginOutcome.refused(WRONG));
    }

    private Optional<User> recognise(String name, String password) {
        if (name.equals(User.TOKEN_NAME)) {
            return MessageDigest.isEqual(token, password.getBytes(StandardCharsets.UTF_8))
                    ? Optional.of(User.OWNER)
                    : Optional.empty();
        }
        Recognised before = recognised.get(name);
        if (before == null || !MessageDigest.isEqual(before.digest(), digest(name, password))) {
            return Optional.empty();
        }
        return users.get().find(name).filter(user -> user.password().equals(Optional.of(before.password())));
    }

    private byte[] digest(String name, String password) {
        try {
            Mac mac = Mac.getInstance(KEYED_HASH);
            mac.init(key);
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(password.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + KEYED_HASH, e);
        }
    }

    /** A name comes from anybody, and goes into a log that people and programs read line by line. */
    private static String printable(String name) {
        String shown = name.length() > 64 ? name.substring(0, 64) + "..." : name;
        return "'" + shown.replaceAll("[^\\p{L}\\p{N} ._@-]", "?") + "'";
    }
}
