package io.reprise.benchmark.fork;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages between the processes, a line at a time. A request: its words, each behind a tab. An answer: {@code
 * name=number} for each number, likewise; or an exclamation mark and the failure.
 */
final class Lines {
    private static final String FAILURE = "!";

    private Lines() {}

    static String ofWords(List<String> words) {
        StringBuilder line = new StringBuilder();
        for (String word : words) {
            if (word.indexOf('\t') >= 0 || word.indexOf('\n') >= 0) {
                throw new IllegalArgumentException("a word for another process has a tab or a new line in it: " + word);
            }
            line.append('\t').append(word);
        }
        return line.append('\n').toString();
    }

    static List<String> words(String line) {
        return line.isEmpty() ? List.of() : Arrays.asList(line.substring(1).split("\t", -1));
    }

    static String ofNumbers(Map<String, Double> numbers) {
        StringBuilder line = new StringBuilder();
        numbers.forEach(
                (name, number) -> line.append('\t').append(name).append('=').append(number.doubleValue()));
        return line.append('\n').toString();
    }

    static Map<String, Double> numbers(String line) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (String word : words(line)) {
            int equals = word.lastIndexOf('=');
            numbers.put(word.substring(0, equals), Double.valueOf(word.substring(equals + 1)));
        }
        return numbers;
    }

    static String ofFailure(Throwable failure) {
        return FAILURE + failure.toString().replace('\n', ' ') + '\n';
    }

    static boolean isFailure(String line) {
        return line.startsWith(FAILURE);
    }

    static String failure(String line) {
        return line.substring(FAILURE.length());
    }
}
