package io.reprise.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class UsersTest {
    private static final String SALT = "AAAAAAAAAAAAAAAAAAAAAA==";
    private static final String HASH = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    private static final PasswordHash PASSWORD = new PasswordHash(210_000, SALT, HASH);

    @Test
    void shouldReadWhatItWrites() {
        Users users = Users.NONE
                .with(new User("ann", Rights.parse(List.of("call", "sql")), Optional.of(PASSWORD)))
                .with(new User("b@x", Rights.NONE, Optional.of(PASSWORD)))
                .with(new User("shop", Rights.parse(List.of("call:Deposit", "call:Get")), Optional.of(PASSWORD)));

        Users read = Users.parse(users.format(), "users");

        assertThat(read.all()).containsExactlyElementsOf(users.all());
        assertThat(read.without("ann").find("ann")).isEmpty();
        assertThat(users.format()).startsWith("#").contains("\nshop call:Deposit,call:Get pbkdf2-sha512:210000:");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ann call|2 words",
                "ann call secret|pbkdf2-sha512:ITERATIONS:SALT:HASH",
                "ann fly $|'fly' is no role",
                "ann read:X $|'read:X' is no role",
                "ann call:a-b $|'call:a-b' is no role",
                "ann call, $|'' is no role",
                ".node call $|can't be a user's name",
                "ann call pbkdf2-sha512:1000:S:H|210000 to 20000000 iterations",
                "ann call pbkdf2-sha512:99999999:S:H|iterations",
                "ann call pbkdf2-sha512:210000:AAAA:AAAA|the line was cut",
                "ann call pbkdf2-sha512:210000:?:H|the line was cut",
            })
    void shouldSayInWhichLineWhatIsWrong(String line, String what) {
        String text = "# users\n" + line.replace("$", PASSWORD.toString()) + "\n";

        assertThatThrownBy(() -> Users.parse(text, "/etc/users"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("/etc/users, line 2: ")
                .hasMessageContaining(what);
    }

    @Test
    void shouldRefuseAUserWhoIsThereTwice() {
        assertThatThrownBy(() -> Users.parse("ann call " + PASSWORD + "\n\nann sql " + PASSWORD, "u"))
                .hasMessage("u, line 3: user ann is there twice");
    }

    @Test
    void shouldAllowWhatARoleSaysAndNothingElse() {
        Rights reader = Rights.of(Right.READ);
        Rights writer = Rights.of(Right.SQL);
        Rights shop = Rights.parse(List.of("call:Deposit"));
        Rights administrator = Rights.of(Right.ADMINISTER);

        assertThat(reader.calls("Any", true)).isTrue();
        assertThat(reader.calls("Any", false)).isFalse();
        assertThat(reader.has(Right.SQL)).isFalse();
        assertThat(writer.has(Right.READ)).isTrue();
        assertThat(writer.calls("Any", true)).isFalse();
        assertThat(shop.calls("DEPOSIT", false)).isTrue();
        assertThat(shop.calls("Deposits", false)).isFalse();
        assertThat(shop.has(Right.CALL)).isFalse();
        assertThat(administrator.has(Right.WATCH)).isTrue();
        assertThat(administrator.has(Right.SQL)).isFalse();
        assertThat(administrator.calls("Any", true)).isFalse();
        for (Right right : Right.values()) {
            assertThat(Rights.ALL.has(right)).isTrue();
            assertThat(Rights.NONE.has(right)).isFalse();
        }
    }

    @Test
    void shouldTellHowAUserStandsNow() {
        User ann = new User("ann", Rights.of(Right.CALL), Optional.of(PASSWORD));
        User less = new User("ann", Rights.NONE, ann.password());
        User other = new User("ann", ann.rights(), Optional.of(new PasswordHash(210_001, SALT, HASH)));

        assertThat(Users.NONE.with(less).now(ann)).contains(less);
        assertThat(Users.NONE.with(other).now(ann)).isEmpty();
        assertThat(Users.NONE.now(ann)).isEmpty();
        assertThat(Users.NONE.now(User.OWNER)).contains(User.OWNER);
    }
}
