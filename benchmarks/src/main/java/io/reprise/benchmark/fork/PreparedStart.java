package io.reprise.benchmark.fork;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JVM's cache that a node starts with, for processes that are to start as one does. */
public final class PreparedStart {
    private static final String CACHE = "reprise.start.cache";

    private PreparedStart() {}

    /** Whether the launch script has named a place for the cache. Tests run without one. */
    public static boolean hasPlace() {
        return System.getProperty(CACHE) != null;
    }

    /** Makes the cache as "reprise prepare" does. Returns the flags that the launch scripts use it with. */
    public static List<String> flags() {
        String cache = System.getProperty(CACHE);
        if (cache == null) {
            throw new IllegalStateException("the place of the start's cache is not set; use scripts/bench");
        }
        return flags(cache, List.of());
    }

    /** The same with a cache of its own, for which no recovery was rehearsed. */
    public static List<String> flagsWithoutRecoveries(Path cache) {
        return flags(cache.toString(), List.of("-Dreprise.rehearsal=start"));
    }

    private static List<String> flags(String cache, List<String> properties) {
        List<String> more = new ArrayList<>(properties);
        more.add("-D" + CACHE + "=" + cache);
        try {
            Process process = new ProcessBuilder(command(more, "prepare"))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("the start could not be prepared: " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the start could not be prepared", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the start was prepared", e);
        }
        return List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off");
    }

    /** The command line program in the same JVM with the same flags as this one, as scripts/jvm-flags has them, and more. */
    public static List<String> command(List<String> flags, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-Dreprise."))
                .forEach(command::add);
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.reprise.command.RepriseCommand"));
        command.addAll(List.of(arguments));
        return command;
    }
}
