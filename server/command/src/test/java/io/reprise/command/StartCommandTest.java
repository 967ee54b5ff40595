package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The options of a start, and those that it passes to the node's process. */
final class StartCommandTest {
    private static List<String> ofNode(String... arguments) {
        StartCommand start = new StartCommand();
        new CommandLine(start).parseArgs(arguments);
        return start.argumentsOfNode();
    }

    @Test
    void shouldNotHaveTheNodesProcessDetachAgainHoweverThatWasSaid() {
        assertThat(ofNode("--detach")).isEmpty();
        assertThat(ofNode("--detach=true", "data")).containsExactly("--data=data");
        assertThat(ofNode("-d", "my data", "--log-file=start.log", "--http-port=7", "--detach"))
                .containsExactly("--data=my data", "--http-port=7");
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

    /** Two processes can't listen at one port; and what is chosen for the node is not lost. */
    @Test
    void shouldStartTheNodeWithTheFlagsThatAreForItAndNoneThatAreTheParentsOnly() {
        List<String> command = DetachedStart.command(
                List.of(
                        "-XX:+UseParallelGC",
                        "-agentlib:jdwp=transport=dt_socket",
                        "-Dcom.sun.management.jmxremote.port=1",
                        "-Dreprise.start.cache=/x",
                        "-Dreprise.node.flags=-Xmx1g  -Dcom.sun.management.jmxremote.port=2"),
                "-Xmx1g  -Dcom.sun.management.jmxremote.port=2",
                List.of("--port=0"));

        assertThat(command.subList(command.indexOf("-XX:+UseParallelGC"), command.indexOf("-cp")))
                .containsExactly(
                        "-XX:+UseParallelGC",
                        "-Dreprise.start.cache=/x",
                        "-Xmx1g",
                        "-Dcom.sun.management.jmxremote.port=2");
        assertThat(command).endsWith("start", "--port=0");
    }
}
