package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a start is told, and tells the process that is to be the node. */
final class StartCommandTest {
    @TempDir
    Path folder;

    private static List<String> ofNode(String... arguments) {
        StartCommand start = new StartCommand();
        new CommandLine(start).parseArgs(arguments);
        return start.argumentsOfNode();
    }

    @Test
    void shouldNotHaveTheNodesProcessDetachAgainHoweverThatWasSaid() throws IOException {
        Path file = Files.writeString(
                folder.resolve("arguments"), "--detach --port 0\n--log-file start.log --config node.yaml");

        assertThat(ofNode("--detach")).isEmpty();
        assertThat(ofNode("--detach=true", "data")).containsExactly("--data=data");
        assertThat(ofNode("-d", "my data", "--log-file=start.log", "--http-port=7", "--detach"))
                .containsExactly("--data=my data", "--http-port=7");
        assertThat(ofNode("@" + file)).containsExactly("--config=node.yaml", "--port=0");
    }

    @Test
    void shouldRefuseAWrongCommandAsOne() {
        for (String[] wrong : new String[][] {
            {"start", "--port", "70000"}, {"start", "--http-port", "-1"}, {"start", "--log-file", "start.log"}
        }) {
            ByteArrayOutputStream err = new ByteArrayOutputStream();

            assertThat(RepriseCommand.run(err, err, wrong))
                    .as(String.join(" ", wrong))
                    .isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("reprise: " + wrong[1]);
        }
    }
}
