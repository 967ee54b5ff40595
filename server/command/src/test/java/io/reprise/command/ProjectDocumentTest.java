package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/building/project.md, compiled and run; and the modules that it names. */
final class ProjectDocumentTest {
    private static final Path PROJECT = Path.of("..", "..");
    private static final Pattern SOURCE = Pattern.compile("`([A-Za-z]+)\\.java`:\n\n```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern MODULE = Pattern.compile(
            "<groupId>io\\.reprise</groupId>\\s+<artifactId>([a-z-]+)</artifactId>\\s+<version>([^<]+)<");
    private static final Pattern OWN = Pattern.compile("</parent>\\s+<artifactId>([a-z-]+)</artifactId>");

    @TempDir
    Path folder;

    private static String document() throws IOException {
        return Files.readString(PROJECT.resolve("docs/building/project.md"));
    }

    @Test
    void shouldRunTheTestsThatTheDocumentHas() throws Exception {
        List<String> names = new ArrayList<>();
        for (MatchResult source : SOURCE.matcher(document()).results().toList()) {
            Files.writeString(folder.resolve(source.group(1) + ".java"), source.group(2));
            names.add(source.group(1));
        }
        assertThat(names).contains("Deposit", "DepositTest", "PaymentsTest");
        compile(names);

        int run = 0;
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            for (String name : names) {
                run += tests(loader.loadClass("bank." + name));
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThat(run).isEqualTo(3);
    }

    private void compile(List<String> names) {
        List<String> arguments = new ArrayList<>(
                List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", folder.toString()));
        names.forEach(name -> arguments.add(folder.resolve(name + ".java").toString()));
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    private static int tests(Class<?> type) throws Exception {
        int run = 0;
        for (Method method : type.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Test.class)) {
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                method.setAccessible(true);
                method.invoke(constructor.newInstance());
                run++;
            }
        }
        return run;
    }

    @Test
    void shouldNameModulesThatThereAreInTheirVersion() throws IOException {
        Set<String> known = new TreeSet<>();
        try (Stream<Path> files = Files.walk(PROJECT, 3)) {
            for (Path pom : files.filter(file -> file.endsWith("pom.xml")).toList()) {
                OWN.matcher(Files.readString(pom)).results().forEach(match -> known.add(match.group(1)));
            }
        }
        String version = Files.readString(PROJECT.resolve("pom.xml"))
                .lines()
                .filter(line -> line.contains("<version>"))
                .findFirst()
                .orElseThrow()
                .replaceAll(".*<version>(.*)</version>.*", "$1");

        List<MatchResult> named = MODULE.matcher(document()).results().toList();
        assertThat(named).hasSize(4).allSatisfy(module -> {
            assertThat(known).contains(module.group(1));
            assertThat(module.group(2)).isEqualTo(version);
        });
    }
}
