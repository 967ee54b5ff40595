package io.reprise.node.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.access.PasswordHash;
import io.reprise.access.Right;
import io.reprise.access.Rights;
import io.reprise.access.User;
import java.io.IOException;
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
