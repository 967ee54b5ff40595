package io.reprise.access;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The users who may connect, as in a file of text: a user on each line, lines that begin with # are comments.
 *
 * <pre>
 *  NAME ROLES PASSWORD [VERIFIER FOR SCRAM]
 *  ann  call,read pbkdf2-sha512:210000:f3...==:9a...=
 *  app  call:Deposit,call:Balance pbkdf2-sha512:210000:... scram-sha-256:65536:...
 * </pre>
 *
 * <p>Immutable. Names are told apart by the case of their letters.
 */
public final class Users {
    /** No users. */
    public static final Users NONE = new Users(new TreeMap<>());

    private static final String NO_ROLES = "-";
    private static final String HEAD = """
            # Users of a Reprise node, a line for each: NAME ROLES PASSWORD. Made by "reprise user"; a running node reads it again
            # when it changes. Passwords are hashed; still, no other users should read this.
            """;

    private final SortedMap<String, User> byName;

    private Users(SortedMap<String, User> byName) {
        this.byName = byName;
    }

    /**
     * Reads a file's text.
     *
     * @param source its name in messages
     */
    public static Users parse(String text, String source) {
        TreeMap<String, User> users = new TreeMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                User user = user(line);
                if (users.put(user.name(), user) != null) {
                    throw new IllegalArgumentException("user " + user.name() + " is there twice");
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(source + ", line " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        return new Users(users);
    }

    private static User user(String line) {
        String[] fields = line.split("\\s+");
        if (fields.length < 3 || fields.length > 4) {
            throw new IllegalArgumentException(
                    "a line has a name, roles with commas between, and a hashed password, but" + " this one has "
                            + fields.length + (fields.length == 1 ? " word" : " words"));
        }
        Rights rights = fields[1].equals(NO_ROLES) ? Rights.NONE : Rights.parse(List.of(fields[1].split(",", -1)));
        return new User(
                User.checkedName(fields[0]),
                rights,
                Optional.of(PasswordHash.parse(fields[2])),
                fields.length == 3 ? Optional.empty() : Optional.of(ScramVerifier.parse(fields[3])));
    }

    /** The file's text. */
    public String format() {
        StringBuilder text = new StringBuilder(HEAD);
        for (User user : byName.values()) {
            String roles = user.rights().toString();
            text.append(user.name())
                    .append(' ')
                    .append(roles.isEmpty() ? NO_ROLES : roles)
                    .append(' ')
                    .append(user.password().orElseThrow());
            user.scram().ifPresent(verifier -> text.append(' ').append(verifier));
            text.append('\n');
        }
        return text.toString();
    }

    /** The user of this name. */
    public Optional<User> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** All, by name. */
    public Collection<User> all() {
        return byName.values();
    }

    /** The same with this user, instead of one of the same name. */
    public Users with(User user) {
        TreeMap<String, User> users = new TreeMap<>(byName);
        users.put(user.name(), user);
        return new Users(users);
    }

    /** The same without the user of this name. */
    public Users without(String name) {
        TreeMap<String, User> users = new TreeMap<>(byName);
        users.remove(name);
        return new Users(users);
    }

    /** A user who logged in before, with the present rights; empty if the user is gone or has another password. */
    public Optional<User> now(User user) {
        return user.password().isEmpty()
                ? Optional.of(user)
                : find(user.name()).filter(found -> found.password().equals(user.password()));
    }
}
