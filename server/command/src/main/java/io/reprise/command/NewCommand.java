package io.reprise.command;

import io.reprise.node.process.NodeProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.SourceVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a Maven project with a procedure, its test and a client, from templates in this module. */
@Command(
        name = "new",
        mixinStandardHelpOptions = true,
        description =
                "Makes a Maven project in a new folder: a procedure, its test on an engine in the test's process, and a client.",
        footer = {"", "Examples:", "  reprise new my-app", "  reprise new my-app --package com.example.bank"})
final class NewCommand implements Callable<Integer> {
    private static final String TEMPLATES = "project/";
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]*");

    @Parameters(paramLabel = "DIR", description = "The new folder; its name is the project's.")
    private Path directory;

    @Option(
            names = "--package",
            paramLabel = "NAME",
            description = "The package of the classes; without this it is made of the project's name.")
    private String packageName;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        String name = directory.toAbsolutePath().normalize().getFileName().toString();
        if (!NAME.matcher(name).matches()) {
            throw wrong("the name of a project has letters, digits, - and ., and begins with a letter; " + name
                    + " has others");
        }
        String in = packageName == null ? packageOf(name) : packageName;
        if (!SourceVersion.isName(in)) {
            throw wrong(in + " is no name of a Java package; name one by --package, such as com.example.bank");
        }
        requireEmpty();
        String folders = in.replace('.', '/');
        write("pom.xml", "pom.xml", name, in);
        write("README.md", "README.md", name, in);
        write("schema.sql", "schema.sql", name, in);
        write("procedures-pom.xml", "procedures/pom.xml", name, in);
        write("Deposit.java", "procedures/src/main/java/" + folders + "/Deposit.java", name, in);
        write("DepositTest.java", "procedures/src/test/java/" + folders + "/DepositTest.java", name, in);
        write("client-pom.xml", "client/pom.xml", name, in);
        write("Main.java", "client/src/main/java/" + folders + "/client/Main.java", name, in);
        PrintWriter out = spec.commandLine().getOut();
        out.println("The project " + name + " is in " + directory
                + ". Its README.md says how to build, deploy and call it.");
        return 0;
    }

    private static String packageOf(String name) {
        String letters = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return SourceVersion.isName(letters) ? letters : "app" + letters;
    }

    private void requireEmpty() throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        if (!Files.isDirectory(directory)) {
            throw wrong(directory + " is a file; name a new folder");
        }
        try (Stream<Path> entries = Files.list(directory)) {
            List<Path> found = entries.limit(1).toList();
            if (!found.isEmpty()) {
                throw wrong(directory + " is not empty; name a new folder");
            }
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private void write(String template, String file, String name, String in) throws IOException {
        Path target = directory.resolve(file);
        Files.createDirectories(target.getParent());
        try (InputStream from = NewCommand.class.getResourceAsStream(TEMPLATES + template)) {
            String text = new String(from.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("@name@", name)
                    .replace("@package@", in)
                    .replace("@version@", NodeProcess.VERSION);
            Files.writeString(target, text);
        }
    }
}
