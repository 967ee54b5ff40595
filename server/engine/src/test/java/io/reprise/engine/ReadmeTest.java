package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example runs in a JVM without flags, and in one whose jar's manifest carries them without a warning. */
final class ReadmeTest {
    private static final long WAIT_SECONDS = 120;

    @TempDir
    Path folder;

    @BeforeEach
    void compile() throws Exception {
        ReadmeExample.compile(folder.resolve("classes"), folder.resolve("data"));
    }

    @Test
    void shouldRunWithoutFlags() throws Exception {
        String printed = java("-cp", folder.resolve("classes") + File.pathSeparator + classPath(), "com.example.Main");

        assertThat(printed).contains("ACCOUNT");
        assertThat(folder.resolve("data")).isNotEmptyDirectory();
    }

    @Test
    void shouldRunWithoutWarningsWhenTheManifestCarriesTheFlags() throws Exception {
        Path jar = folder.resolve("application.jar");
        Manifest manifest = new Manifest();
        Attributes lines = manifest.getMainAttributes();
        lines.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        lines.put(Attributes.Name.MAIN_CLASS, "com.example.Main");
        lines.put(Attributes.Name.CLASS_PATH, classPathOfManifest());
        lines.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
        lines.put(new Attributes.Name("Add-Exports"), "java.base/jdk.internal.misc");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            addClasses(out);
        }

        String printed = java("-jar", jar.toString());

        assertThat(printed).contains("ACCOUNT").doesNotContain("native access", "illegal");
    }

    private void addClasses(JarOutputStream jar) throws IOException {
        Path classes = folder.resolve("classes");
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                jar.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                jar.write(Files.readAllBytes(file));
            }
        }
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }

    private static String classPathOfManifest() {
        return Arrays.stream(classPath().split(File.pathSeparator))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
    }

    private String java(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(arguments));
        Path printed = folder.resolve("printed");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        boolean ended = process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();

        String text = Files.readString(printed);
        assertThat(ended).as(text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
