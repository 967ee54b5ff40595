package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that can't be meant, whatever there is; they have code 2, and no node is asked. */
final class WrongCommandsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stop --timeout -1                                           | --timeout takes seconds, not -1
            stop one --data two                                         | two data directories are named
            sql one --data two                                          | two data directories are named
            status one --data two                                       | two data directories are named
            verify one --data two                                       | two data directories are named
            load t f.csv --from-line 0                                  | --from-line takes a line of the file
            load t f.csv --separator ab                                 | --separator takes one character
            deploy                                                      | name a jar, a script by --ddl, or both
            user list                                                   | name the file of users by --file
            user add ann --roles call                                   | name the file of users by --file
            call P --server host:port                                   | --server: host:port is no address
            call P --server host:70000                                  | --server: host:70000 is no address
            sql -e x --server host --tls --tls-cert c.crt               | --tls-cert and --tls-key belong together
            sql -e x --server host --tls-cert c.crt --tls-key c.key     | a certificate is shown over TLS only
            start help                                                  | help is no data directory
            status help                                                 | help is no data directory
            load                                                        | Missing required parameters: 'TABLE', 'FILE'
            call                                                        | Missing required parameter: 'PROCEDURE'
            """)
    void shouldRefuseWithCodeTwo(String command, String why) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int code = RepriseCommand.run(OutputStream.nullOutputStream(), err, command.split(" +"));

        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("reprise: ").contains(why);
        assertThat(code).isEqualTo(2);
        String hint =
                "\"reprise " + command.substring(0, command.indexOf(' ') < 0 ? command.length() : command.indexOf(' '));
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .as("a line with the mistake and one with a hint")
                .hasSize(2)
                .last()
                .asString()
                .startsWith(hint)
                .contains("--help");
    }

    @Test
    void shouldListAllCommandsWhenNoneIsNamed() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        assertThat(RepriseCommand.run(OutputStream.nullOutputStream(), err)).isEqualTo(2);
        assertThat(RepriseCommand.run(out, err, "help")).isZero();

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("Usage:", "start", "verify");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Usage:", "start", "verify");
    }
}
