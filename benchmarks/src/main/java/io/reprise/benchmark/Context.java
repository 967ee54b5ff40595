package io.reprise.benchmark;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings of a run: its length, its options ({@code --warehouses 4} or {@code --warehouses=4}), and a folder for its files that
 * is removed afterwards.
 */
public final class Context {
    /** Every benchmark's option: the folder in which a run's files are. */
    private static final String SCRATCH = "scratch";

    private final Benchmark benchmark;
    private final boolean quick;
    private final Map<String, String> options;
    private final Path scratch;

    private Context(Benchmark benchmark, boolean quick, Map<String, String> options, Path scratch) {
        this.benchmark = benchmark;
        this.quick = quick;
        this.options = options;
        this.scratch = scratch;
    }

    /** Reads {@code --name value}, {@code --name=value} and {@code --quick}; there is no scratch folder yet. */
    static Context parse(Benchmark benchmark, List<String> arguments) {
        boolean quick = false;
        Map<String, String> options = new TreeMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--quick")) {
                quick = true;
                continue;
            }
            if (!argument.startsWith("--")) {
                throw new UsageException("Options start with '--': " + argument);
            }
            int equals = argument.indexOf('=');
            if (equals > 0) {
                options.put(argument.substring(2, equals), argument.substring(equals + 1));
            } else if (i + 1 < arguments.size()) {
                options.put(argument.substring(2), arguments.get(++i));
            } else {
                throw new UsageException(argument + " needs a value");
            }
        }
        options.forEach((name, value) -> {
            if (!name.equals(SCRATCH)) {
                declared(benchmark, name)
                        .orElseThrow(() -> new UsageException(
                                benchmark.name() + " has no option --" + name + "; it has " + optionsOf(benchmark)))
                        .check(value);
            }
        });
        return new Context(benchmark, quick, options, null);
    }

    /** Removes an option of the runner from the arguments. No benchmark declares it. */
    static Optional<String> take(String name, List<String> arguments) {
        String word = "--" + name;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.startsWith(word + "=")) {
                return Optional.of(arguments.remove(i).substring(word.length() + 1));
            }
            if (argument.equals(word)) {
                if (i + 1 == arguments.size()) {
                    throw new UsageException(word + " needs a value");
                }
                arguments.remove(i);
                return Optional.of(arguments.remove(i));
            }
        }
        return Optional.empty();
    }

    private static Optional<Option> declared(Benchmark benchmark, String name) {
        return benchmark.options().stream()
                .filter(option -> option.name().equals(name))
                .findFirst();
    }

    /** The parent of the scratch folder. */
    Path scratchParent(Path otherwise) {
        return options.containsKey(SCRATCH) ? Path.of(options.get(SCRATCH)) : otherwise;
    }

    /** The same settings with a scratch folder. */
    Context in(Path newScratch) {
        return new Context(benchmark, quick, options, newScratch);
    }

    /** The words of its command line. */
    static String optionsOf(Benchmark benchmark) {
        StringBuilder options = new StringBuilder("--quick --" + SCRATCH);
        benchmark.options().forEach(option -> options.append(" --").append(option.name()));
        return options.toString();
    }

    public boolean quick() {
        return quick;
    }

    /** The first value for a quick run, the second for a full one. */
    public int quickOr(int quickValue, int fullValue) {
        return quick ? quickValue : fullValue;
    }

    /** The number of an option, or the given one if the user set none. */
    public int option(String name, int otherwise) {
        return given(name).map(Integer::parseInt).orElse(otherwise);
    }

    /** One of an enum's values, by its name. */
    public <E extends Enum<E>> E choice(String name, E otherwise) {
        return given(name)
                .map(value -> Enum.valueOf(otherwise.getDeclaringClass(), value))
                .orElse(otherwise);
    }

    /** Fails for an option that the benchmark reads but does not declare: help and result file would not name it. */
    private Optional<String> given(String name) {
        if (declared(benchmark, name).isEmpty()) {
            throw new IllegalStateException(
                    benchmark.name() + " reads the option --" + name + ", which it doesn't declare");
        }
        return Optional.ofNullable(options.get(name));
    }

    /** The folder for this run's files: on the project's disk, or where {@code --scratch} says. */
    public Path scratch() {
        return scratch;
    }

    /** Prints progress to standard error; the result stays the last line on standard output. */
    public void progress(String format, Object... arguments) {
        System.err.println(arguments.length == 0 ? format : String.format(Locale.ROOT, format, arguments));
    }

    Benchmark benchmark() {
        return benchmark;
    }

    Map<String, String> options() {
        return options;
    }
}
