package io.reprise.node.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.access.PasswordHash;
import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.access.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UsersFileTest {
    private static final PasswordHash PASSWORD = PasswordHash.of("a password");

    @TempDir
    Path folder;

    private static User user(String name) {
        return new User(name, Rights.of(Right.CALL), Optional.of(PASSWORD));
    }

    @Test
    void shouldMakeAFileThatOnlyItsOwnerMayRead() throws IOException {
        UsersFile file = new UsersFile(folder.resolve("users"));

        file.change(users -> users.with(user("ann")));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
        assertThat(file.read().find("ann")).contains(user("ann"));
    }

    @Test
    void shouldLeaveTheFileAsItIsWhenAChangeFails() throws IOException {
        UsersFile file = new UsersFile(folder.resolve("users"));
        file.change(users -> users.with(user("ann")));
        String before = Files.readString(file.path());

        assertThatThrownBy(() -> file.change(users -> {
                    throw new IllegalArgumentException("no");
                }))
                .hasMessage("no");

        assertThat(Files.readString(file.path())).isEqualTo(before);
    }

    @Test
    void shouldLoseNoChangeWhenTwoAreMadeAtTheSameTime() throws Exception {
        UsersFile file = new UsersFile(folder.resolve("users"));
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Adder.class.getName(),
                            file.path().toString(),
                            "u" + i,
                            PASSWORD.toString())
                    .inheritIO()
                    .start());
        }
        for (Process process : processes) {
            assertThat(process.waitFor()).isZero();
        }

        assertThat(file.read().all()).hasSize(3 * Adder.USERS);
    }

    /** Adds some users, in a process of its own. */
    static final class Adder {
        static final int USERS = 20;

        private Adder() {}

        public static void main(String[] arguments) {
            UsersFile file = new UsersFile(Path.of(arguments[0]));
            for (int i = 0; i < USERS; i++) {
                String name = arguments[1] + "-" + i;
                file.change(users -> users.with(user(name)));
            }
        }
    }

    @Test
    void shouldKeepTheModeWhenTheFileIsReplaced() throws IOException {
        UsersFile file = new UsersFile(folder.resolve("users"));
        file.change(users -> users.with(user("ann")));
        Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw-r-----"));

        file.change(users -> users.with(user("bob")));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-r-----");
        assertThat(file.read().all()).hasSize(2);
    }

    /** As with sudo: the node is not root's. */
    @Test
    void shouldKeepOwnerAndGroupWhenRootReplacesTheFile() throws IOException {
        UsersFile file = new UsersFile(folder.resolve("users"));
        file.change(users -> users.with(user("ann")));
        assumeTrue(Files.getAttribute(file.path(), "unix:uid").equals(0), "this is not root");
        Files.setAttribute(file.path(), "unix:uid", 4711);
        Files.setAttribute(file.path(), "unix:gid", 4712);

        file.change(users -> users.without("ann"));

        assertThat(Files.readAttributes(file.path(), "unix:uid,gid,mode"))
                .containsEntry("uid", 4711)
                .containsEntry("gid", 4712);
        assertThat(Files.getAttribute(folder.resolve("users.lock"), "unix:uid")).isEqualTo(4711);
        assertThat(file.read().all()).isEmpty();
    }

    /** A user with rights in the folder only could otherwise take the file from the node that reads it. */
    @Test
    void shouldRefuseToReplaceAFileThatItsOwnerCouldNotReadThen() throws Exception {
        UsersFile file = new UsersFile(folder.resolve("users"));
        file.change(users -> users.with(user("ann")));
        assumeTrue(Files.getAttribute(file.path(), "unix:uid").equals(0), "this is not root");
        Path setpriv = Path.of("/usr/bin/setpriv");
        assumeTrue(Files.isExecutable(setpriv), "there is no setpriv");
        Files.setAttribute(file.path(), "unix:uid", 4711);
        String before = Files.readString(file.path());

        Process process = new ProcessBuilder(
                        setpriv.toString(),
                        // It may read and write whatever it likes, but give nothing away.
                        "--bounding-set=-chown",
                        "--inh-caps=-chown",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Adder.class.getName(),
                        file.path().toString(),
                        "u",
                        PASSWORD.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isNotZero();
        assertThat(said).contains("belongs to 4711, who could not read it any more", "run this as 4711 or as root");
        assertThat(Files.readString(file.path())).isEqualTo(before);
        assertThat(folder.resolve("users.new")).doesNotExist();
    }

    @Test
    void shouldReplaceWhatALinkLeadsToAndNotTheLink() throws IOException {
        Path real = Files.createDirectory(folder.resolve("real")).resolve("accounts");
        Path link = Files.createSymbolicLink(folder.resolve("users"), Path.of("real", "accounts"));
        UsersFile file = new UsersFile(link);

        file.change(users -> users.with(user("ann")));
        file.change(users -> users.with(user("bob")));

        assertThat(link).isSymbolicLink();
        assertThat(new UsersFile(real).read().all()).hasSize(2);
    }

    @Test
    void shouldRefuseAFileThatOthersMayWrite() throws IOException {
        UsersFile file = new UsersFile(folder.resolve("users"));
        file.change(users -> users.with(user("ann")));
        Files.setPosixFilePermissions(file.path(), PosixFilePermissions.fromString("rw--w----"));

        assertThatThrownBy(file::read).hasMessageContaining("chmod 600");
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNoFile() {
        assertThatThrownBy(() -> new UsersFile(folder.resolve("users")).read())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reprise user add NAME --file");
    }
}
