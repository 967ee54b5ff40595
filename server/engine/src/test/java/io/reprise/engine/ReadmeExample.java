package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** The README's example as a reader would copy it: a procedure, and a class {@code com.example.Main} that runs it. */
final class ReadmeExample {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private ReadmeExample() {}

    /** Compiles the example into a folder; its engine keeps its data in {@code data}. */
    static void compile(Path classes, Path data) throws IOException {
        List<String> blocks = JAVA_BLOCK
                .matcher(Files.readString(Path.of("..", "..", "README.md")))
                .results()
                .map(MatchResult::group)
                .map(block -> block.replaceAll("^```java\n|```$", ""))
                .toList();
        assertThat(blocks).hasSize(2);
        Path procedure = write(
                classes.resolve("com/example/Deposit.java"),
                "package com.example; import io.reprise.procedure.*; import java.math.BigDecimal;\n" + blocks.get(0));
        Path main = write(
                classes.resolve("com/example/Main.java"),
                "package com.example; import " + Reprise.class.getPackageName() + ".*;"
                        + " import java.math.BigDecimal; import java.nio.file.Path;\n"
                        + "public class Main { public static void main(String[] args) throws Exception {\n"
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
    }

    private static Path write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
