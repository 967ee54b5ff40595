package io.reprise.command;

import io.reprise.access.PasswordHash;
import io.reprise.access.Rights;
import io.reprise.access.ScramVerifier;
import io.reprise.access.User;
import io.reprise.access.Users;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.node.security.UsersFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the file of users. A running node notices. */
@Command(
        name = "user",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Adds users to a node's file of users, removes them, and changes their passwords and roles. A running node notices"
                    + " within a second or two; connections of who was removed are closed.",
            "Roles: call (all procedures), call:NAME (this one), read (statements and procedures that only read), sql (all"
                    + " statements), watch (metrics, status), administer (schema, procedures, snapshots)."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it is done", "3:nothing has changed, and the message says why"},
        footer = {
            "",
            "Examples:",
            "  reprise user add ann --roles call,sql --config node.yaml",
            "  reprise user add shop --roles call:Deposit,call:Balance --password-file shop.password --file users",
            "  reprise user add billing --roles call:Charge --without-password --file users",
            "  reprise user list --file users"
        })
final class UserCommands {
    private static final String SCRAM =
            "PostgreSQL's clients log in by SCRAM-SHA-256. The file then also holds a verifier that is"
                    + " faster to guess against.";
    private static final int LEAST_LENGTH = 8;
    private static final int MOST_LENGTH = 1000;

    /** The file that a command edits. */
    static final class Choice {
        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "The file of users; without it that of the configuration.")
        private Path file;

        @Option(
                names = {"-c", "--config"},
                paramLabel = "FILE",
                description = "The node's configuration, whose security.users is meant.")
        private Path configuration;

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command;

        UsersFile users() {
            if (file != null) {
                return new UsersFile(file);
            }
            if (configuration == null) {
                throw new ParameterException(
                        command.commandLine(), "name the file of users by --file, or the configuration by --config");
            }
            Optional<Path> configured =
                    ConfigurationFile.read(configuration).security().users();
            return new UsersFile(configured.orElseThrow(() -> new IllegalArgumentException(
                    "the configuration " + configuration + " has no users; add to it\nsecurity:\n  users: users")));
        }
    }

    @Spec
    private CommandSpec spec;

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private static String checked(String password) {
        if (password.length() < LEAST_LENGTH || password.length() > MOST_LENGTH) {
            throw new IllegalArgumentException(
                    "a password has at least " + LEAST_LENGTH + " characters, and " + MOST_LENGTH + " at most");
        }
        return password;
    }

    private static User existing(Users users, String name) {
        return users.find(name).orElseThrow(() -> new IllegalArgumentException("there is no user " + name));
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = "Adds a user, and makes the file if there is none.")
    int add(
            @Mixin Choice choice,
            @Mixin Password password,
            @Option(
                            names = "--roles",
                            split = ",",
                            required = true,
                            paramLabel = "ROLE",
                            description = "Roles of the user.")
                    List<String> roles,
            @Option(names = "--scram", description = SCRAM) boolean scram,
            @Option(
                            names = "--without-password",
                            description =
                                    "No password is right: the user shows a certificate (security.clientCertificates,"
                                            + " with nameUsers).")
                    boolean withoutPassword,
            @Parameters(paramLabel = "NAME", description = "The user's name.") String name)
            throws IOException {
        if (withoutPassword && password.hasFile()) {
            throw new ParameterException(
                    spec.subcommands().get("add"), "--without-password and --password-file are two things; name one");
        }
        User.checkedName(name);
        Rights rights = Rights.parse(roles);
        UsersFile file = choice.users();
        if (file.exists() && file.read().find(name).isPresent()) {
            throw new IllegalArgumentException("there is a user " + name
                    + " already; \"reprise user password\" and \"reprise" + " user roles\" change it");
        }
        Optional<String> text = withoutPassword ? Optional.empty() : Optional.of(checked(password.ofNew(name)));
        PasswordHash hash = text.map(PasswordHash::of).orElseGet(PasswordHash::ofNone);
        Optional<ScramVerifier> verifier = text.filter(any -> scram).map(ScramVerifier::of);
        file.change(users -> {
            if (users.find(name).isPresent()) {
                throw new IllegalArgumentException("there is a user " + name + " already");
            }
            return users.with(new User(name, rights, Optional.of(hash), verifier));
        });
        out().println("User " + name + " may " + rights + ".");
        return 0;
    }

    @Command(name = "remove", mixinStandardHelpOptions = true, description = "Removes a user.")
    int remove(@Mixin Choice choice, @Parameters(paramLabel = "NAME", description = "The user's name.") String name) {
        choice.users().change(users -> users.without(existing(users, name).name()));
        out().println("User " + name + " is removed.");
        return 0;
    }

    @Command(name = "password", mixinStandardHelpOptions = true, description = "Gives a user another password.")
    int password(
            @Mixin Choice choice,
            @Mixin Password password,
            @Option(names = "--scram", description = SCRAM) boolean scram,
            @Parameters(paramLabel = "NAME", description = "The user's name.") String name)
            throws IOException {
        UsersFile file = choice.users();
        existing(file.read(), name);
        String text = checked(password.ofNew(name));
        PasswordHash hash = PasswordHash.of(text);
        Optional<ScramVerifier> verifier = scram ? Optional.of(ScramVerifier.of(text)) : Optional.empty();
        file.change(users -> {
            return users.with(new User(name, existing(users, name).rights(), Optional.of(hash), verifier));
        });
        out().println("User " + name + " has a new password.");
        return 0;
    }

    @Command(
            name = "roles",
            mixinStandardHelpOptions = true,
            description = "Gives a user other roles, instead of all before.")
    int roles(
            @Mixin Choice choice,
            @Parameters(index = "0", paramLabel = "NAME", description = "The user's name.") String name,
            @Parameters(index = "1", split = ",", paramLabel = "ROLES", description = "With commas between.")
                    List<String> roles) {
        Rights rights = Rights.parse(roles);
        choice.users().change(users -> {
            User before = existing(users, name);
            return users.with(new User(name, rights, before.password(), before.scram()));
        });
        out().println("User " + name + " may " + rights + ".");
        return 0;
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists the users with their roles.")
    int list(@Mixin Choice choice) {
        for (User user : choice.users().read().all()) {
            out().println(String.format(Locale.ROOT, "%-20s %s", user.name(), user.rights()));
        }
        return 0;
    }
}
