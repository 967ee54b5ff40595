package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.execution.deploy.SourceCompiler;
import io.reprise.node.process.NodeProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project that {@code reprise new} makes: its classes compile, and its procedures run in a node by its schema. */
final class NewCommandTest {
    private static final String NODE = """
            data: {directory: data}
            engine: {partitions: 2, memoryPerPartition: 64MiB}
            log: {segment: 1MiB, largestRecord: 256KiB}
            http: {port: 0}
            clients: {port: 0}
            """;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    @Test
    void shouldMakeAProjectThatCompilesAndRuns() throws Exception {
        Path project = folder.resolve("my-app");

        assertThat(run("new", project.toString(), "--package", "com.example.bank"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isZero();

        assertThat(compile(project)).isZero();
        assertThat(project.resolve("README.md")).content().contains("procedures/target/my-app-procedures.jar");
        String source = Files.readString(project.resolve("procedures/src/main/java/com/example/bank/Deposit.java"));
        byte[] jar = SourceCompiler.jar(Map.of("com.example.bank.Deposit", source));
        try (NodeProcess node = NodeProcess.start(ConfigurationFile.parse(NODE, "node", folder));
                Client client = Client.connect(ClientSettings.to(node.clients().orElseThrow()))) {
            node.engine().deploy(jar, Files.readString(project.resolve("schema.sql")));
            client.call("OpenAccount", 1, new BigDecimal("10.00"));

            assertThat(client.call("Deposit", 1, new BigDecimal("5.00")).stringValue())
                    .isEqualTo("15.00");
        }
    }

    @Test
    void shouldLeaveNoPlaceOfATemplateOpen() throws IOException {
        run("new", folder.resolve("shop").toString());

        try (Stream<Path> files = Files.walk(folder.resolve("shop"))) {
            assertThat(files.filter(Files::isRegularFile).toList())
                    .hasSize(8)
                    .allSatisfy(file -> assertThat(file).content().doesNotContainPattern("@[a-z]+@"));
        }
    }

    @Test
    void shouldRefuseAFolderThatIsNotEmptyAndNamesThatAreNone() throws IOException {
        Files.writeString(folder.resolve("there"), "");

        assertThat(run("new", folder.toString())).isEqualTo(2);
        assertThat(run("new", folder.resolve("there").toString())).isEqualTo(2);
        assertThat(run("new", folder.resolve("x").toString(), "--package", "com.class"))
                .isEqualTo(2);
        assertThat(run("new", folder.resolve("1x").toString())).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("is not empty; name a new folder", "is a file; name a new folder")
                .contains("com.class is no name of a Java package", "begins with a letter; 1x has others");
    }

    private int compile(Path project) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.resolve("classes").toString()));
        try (Stream<Path> files = Files.walk(project)) {
            files.map(Path::toString).filter(each -> each.endsWith(".java")).forEach(arguments::add);
        }
        return ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
    }

    private int run(String... arguments) {
        return RepriseTool.run(out, err, Map.of("new", NewCommand::new), line -> {}, arguments);
    }
}
