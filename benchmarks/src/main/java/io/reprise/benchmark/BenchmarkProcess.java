package io.reprise.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A run of the benchmark program in a process of its own. The process ends with this JVM.
 *
 * @param name for messages
 */
record BenchmarkProcess(String name, List<String> command) {
    static List<String> joined(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /** Runs it to its end. Standard error goes to this process's. */
    String output() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Thread end = Thread.ofPlatform().name("bench-end-of-child").unstarted(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        if (code != 0) {
            throw new IllegalStateException(
                    "the run of " + name + " ended with exit code " + code + ": " + String.join(" ", command));
        }
        return output;
    }

    /** Runs it to its end, and returns the result line. */
    String resultLine() throws IOException, InterruptedException {
        String output = output();
        return output.lines()
                .reduce((_, last) -> last)
                .orElseThrow(() -> new IllegalStateException("the run of " + name + " printed no result"));
    }

    /** The numbers of a result line by key. Facts that are no numbers are left out. */
    static Map<String, Double> numbers(String resultLine) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (String word : resultLine.split(" ")) {
            int equals = word.indexOf('=');
            try {
                numbers.put(word.substring(0, Math.max(equals, 0)), Double.valueOf(word.substring(equals + 1)));
            } catch (NumberFormatException e) {
                // A fact in words.
            }
        }
        return numbers;
    }
}
