package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example in the README is compiled and run as a reader would. */
final class ReadmeTest {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    @Test
    void shouldRunTheExample() throws Exception {
        List<String> blocks = javaBlocks();
        assertThat(blocks).hasSize(2);
        Path data = directory.resolve("data");
        Path procedure = write(
                "com/example/Deposit.java",
                "package com.example; import io.reprise.procedure.*; import java.math.BigDecimal;\n" + blocks.get(0));
        Path main = write(
                "com/example/Main.java",
                "package com.example; import io.reprise.engine.*; import java.math.BigDecimal; import java.nio.file.Path;\n"
                        + "public class Main { public static void run() throws Exception {\n"
                        + blocks.get(1).replace("/var/lib/bank", data.toString()) + "} }");

        ByteArrayOutputStream problems = new ByteArrayOutputStream();
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        problems,
                        problems,
                        "-parameters",
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        procedure.toString(),
                        main.toString());

        assertThat(compiled).as(problems.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(run()).contains("ACCOUNT");
        assertThat(data).isNotEmptyDirectory();
    }

    private String run() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        ClassLoader contextBefore = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, ReadmeTest.class.getClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
            loader.loadClass("com.example.Main").getMethod("run").invoke(null);
        } finally {
            System.setOut(before);
            Thread.currentThread().setContextClassLoader(contextBefore);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static List<String> javaBlocks() throws Exception {
        List<String> blocks = new ArrayList<>();
        Matcher matcher = JAVA_BLOCK.matcher(Files.readString(Path.of("..", "..", "README.md")));
        while (matcher.find()) {
            blocks.add(matcher.group(1));
        }
        return blocks;
    }

    private Path write(String name, String text) throws Exception {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
