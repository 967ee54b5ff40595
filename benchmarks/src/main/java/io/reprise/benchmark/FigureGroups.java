package io.reprise.benchmark;

import java.util.List;

/** The figures of papers that a benchmark makes: all of them, or the one that the option {@code figure} names. */
public final class FigureGroups {
    private final List<Group> groups;
    private final String missing;

    /** Figures that are made by the same runs. */
    public interface Group {
        /** The numbers of its figures. */
        List<Integer> figures();

        /** The keys of its results. */
        List<Key> keys();

        /** Makes the figures. */
        void run(Context context, Result result) throws Exception;
    }

    /**
     * Groups of figures.
     *
     * @param missing says of a figure that no group has why it has none
     */
    public FigureGroups(String missing, Group... groups) {
        this.missing = missing;
        this.groups = List.of(groups);
    }

    /** The keys of all groups. */
    public List<Key> keys() {
        return groups.stream().flatMap(group -> group.keys().stream()).toList();
    }

    /** Makes the figures. */
    public Result run(Context context) throws Exception {
        int figure = context.option("figure", 0);
        Result result = new Result();
        if (figure > 0) {
            result.ofPart("figure " + figure);
            if (groups.stream().noneMatch(group -> group.figures().contains(figure))) {
                throw new IllegalArgumentException("figure " + figure + " " + missing);
            }
        }
        for (Group group : groups) {
            if (figure == 0 || group.figures().contains(figure)) {
                group.run(context, result);
            }
        }
        return result;
    }

    /** The option that names a figure. */
    public static Option option(int first, int last) {
        return Option.number("figure", first, last);
    }
}
