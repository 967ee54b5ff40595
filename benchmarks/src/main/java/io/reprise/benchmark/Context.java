package io.reprise.benchmark;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a run is given: how long it may take, its options ({@code --warehouses 4} or {@code --warehouses=4}) and a folder of
 * its own that is removed afterwards.
 */
public final class Context {
    private final boolean quick;
    private final Map<String, String> options;
    private final Set<String> unread;
    private final Path scratch;

    private Context(boolean quick, Map<String, String> options, Path scratch) {
        this.quick = quick;
        this.options = options;
        this.unread = new TreeSet<>(options.keySet());
        this.scratch = scratch;
    }

    /** Reads {@code --name value}, {@code --name=value} and {@code --quick}. */
    static Context parse(List<String> arguments, Path scratch) {
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
        return new Context(quick, options, scratch);
    }

    public boolean quick() {
        return quick;
    }

    /** One of two settings: the first for a quick run, the second for a full one. */
    public int quickOr(int quickValue, int fullValue) {
        return quick ? quickValue : fullValue;
    }

    public String option(String name, String otherwise) {
        unread.remove(name);
        return options.getOrDefault(name, otherwise);
    }

    public int option(String name, int otherwise) {
        String value = option(name, Integer.toString(otherwise));
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new UsageException("--" + name + " needs a whole number, not '" + value + "'", e);
        }
    }

    /** A folder for this run's files, on the disk that the project is on (memory file systems measure nothing). */
    public Path scratch() {
        return scratch;
    }

    /** Tells the person who waits what goes on; the result line stays the last line on standard output. */
    public void progress(String format, Object... arguments) {
        System.err.println(arguments.length == 0 ? format : String.format(format, arguments));
    }

    Map<String, String> options() {
        return options;
    }

    Set<String> unread() {
        return unread;
    }
}
