package io.reprise.configuration;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Some keys of a file with their values, each asked for by name and type. A key that was not asked for by the end
 * does not exist, and {@link #end} refuses it; so keys are known in one place, in the code that reads them.
 */
final class Section {
    private final String source;
    private final String path;
    private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
    private final List<String> known = new ArrayList<>();

    /** The keys of a mapping; of nothing, if the node is null or empty. */
    Section(String source, String path, Node node) {
        this.source = source;
        this.path = path;
        if (node == null || node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL)) {
            return;
        }
        if (!(node instanceof MappingNode mapping)) {
            throw wrong(node, (path.isEmpty() ? "the file" : "'" + path + "'") + " must have keys with values");
        }
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw wrong(entry.getKeyNode(), "a key must be a word");
            }
            if (entries.put(key.getValue(), entry) != null) {
                throw wrong(key, "the key '" + full(key.getValue()) + "' is there twice");
            }
        }
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    Section section(String key) {
        NodeTuple entry = take(key);
        return new Section(source, full(key), entry == null ? null : entry.getValueNode());
    }

    String text(String key, String otherwise) {
        ScalarNode value = scalar(key);
        if (value != null && value.getValue().isBlank()) {
            throw wrong(value, "'" + full(key) + "' is empty");
        }
        return value == null ? otherwise : value.getValue();
    }

    boolean flag(String key, boolean otherwise) {
        return converted(key, otherwise, "true or false", text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        });
    }

    int integer(String key, int otherwise, int least, int most) {
        return converted(
                key, otherwise, "a whole number from " + least + " to " + most, text -> wholeNumber(text, least, most));
    }

    int powerOfTwo(String key, int otherwise, int least, int most) {
        return converted(
                key,
                otherwise,
                "a power of two from " + least + " to " + most,
                text -> wholeNumber(text, least, most).filter(number -> Integer.bitCount(number) == 1));
    }

    private static Optional<Integer> wholeNumber(String text, int least, int most) {
        try {
            int number = Integer.parseInt(text);
            return number >= least && number <= most ? Optional.of(number) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** A number above 0 and at most 1. */
    double share(String key, double otherwise) {
        return converted(key, otherwise, "a number above 0 and at most 1", text -> {
            try {
                double number = Double.parseDouble(text);
                return number > 0 && number <= 1 ? Optional.of(number) : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        });
    }

    long size(String key, long otherwise, long least, long most) {
        String range = ", from " + least + " to " + most + " bytes";
        return converted(
                key,
                otherwise,
                "a size: " + Units.SIZES + range,
                text -> Units.size(text).filter(size -> size >= least && size <= most));
    }

    Duration duration(String key, Duration otherwise) {
        return converted(key, otherwise, "a duration: " + Units.DURATIONS, Units::duration);
    }

    <E extends Enum<E>> E choice(String key, E otherwise) {
        E[] constants = otherwise.getDeclaringClass().getEnumConstants();
        String names =
                Stream.of(constants).map(c -> c.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "));
        return converted(
                key,
                otherwise,
                "one of " + names,
                text -> Stream.of(constants)
                        .filter(constant -> constant.name().equalsIgnoreCase(text))
                        .findFirst());
    }

    /** A file or folder; a relative path starts at the configuration's folder. */
    Path path(String key, Path otherwise, Path base) {
        ScalarNode value = scalar(key);
        return value == null ? otherwise : base.resolve(text(value, key)).normalize();
    }

    /** The same where there need not be one. */
    Optional<Path> file(String key, Path base) {
        return Optional.ofNullable(path(key, null, base));
    }

    /** A list of files or folders. */
    List<Path> paths(String key, Path base) {
        return texts(key, "files").stream()
                .map(text -> base.resolve(text).normalize())
                .toList();
    }

    /** A list of words; a single word is a list of one. */
    List<String> texts(String key) {
        return texts(key, "words");
    }

    private List<String> texts(String key, String what) {
        NodeTuple entry = take(key);
        if (entry == null) {
            return List.of();
        }
        List<Node> nodes =
                entry.getValueNode() instanceof SequenceNode list ? list.getValue() : List.of(entry.getValueNode());
        List<String> texts = new ArrayList<>();
        for (Node node : nodes) {
            if (!(node instanceof ScalarNode value)) {
                throw wrong(node, "'" + full(key) + "' must be a list of " + what);
            }
            texts.add(text(value, key));
        }
        return List.copyOf(texts);
    }

    private String text(ScalarNode value, String key) {
        if (value.getValue().isBlank()) {
            throw wrong(value, "'" + full(key) + "' is empty");
        }
        return value.getValue();
    }

    private <T> T converted(String key, T otherwise, String what, Function<String, Optional<T>> conversion) {
        ScalarNode value = scalar(key);
        if (value == null) {
            return otherwise;
        }
        return conversion
                .apply(value.getValue())
                .orElseThrow(() ->
                        wrong(value, "'" + full(key) + "' must be " + what + "; it is '" + value.getValue() + "'"));
    }

    private ScalarNode scalar(String key) {
        NodeTuple entry = take(key);
        if (entry == null) {
            return null;
        }
        if (!(entry.getValueNode() instanceof ScalarNode value)) {
            throw wrong(entry.getValueNode(), "'" + full(key) + "' must be a single value");
        }
        if (value.getTag().equals(Tag.NULL)) {
            throw wrong(entry.getKeyNode(), "'" + full(key) + "' has no value; leave the key out for the default");
        }
        return value;
    }

    private NodeTuple take(String key) {
        known.add(key);
        return entries.remove(key);
    }

    /** Refuses the value of a key that was asked for and found wrong later, with its place. */
    ConfigurationException wrongValue(String key, String what) {
        return new ConfigurationException(source + ": '" + full(key) + "' " + what);
    }

    /** Refuses a key that there was, and says why there is none any more. */
    void refuse(String key, String why) {
        NodeTuple entry = entries.get(key);
        if (entry != null) {
            throw wrong(entry.getKeyNode(), "'" + full(key) + "' " + why);
        }
    }

    /** Everything that there is has been asked for: refuses what is left. */
    void end() {
        if (entries.isEmpty()) {
            return;
        }
        Map.Entry<String, NodeTuple> first = entries.entrySet().iterator().next();
        String meant = Spelling.nearest(first.getKey(), known)
                .map(word -> "; did you mean '" + full(word) + "'?")
                .orElse("; there are " + String.join(", ", known));
        throw wrong(first.getValue().getKeyNode(), "there is no key '" + full(first.getKey()) + "'" + meant);
    }

    private String full(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private ConfigurationException wrong(Node at, String what) {
        Mark mark = at.getStartMark();
        return new ConfigurationException(
                source + ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": " + what);
    }
}
