package io.reprise.sql.compile.runtime;

import io.reprise.catalog.ForeignKey;
import io.reprise.sql.compile.runtime.FieldContent.Buffer;
import io.reprise.sql.compile.runtime.FieldContent.Constants;
import io.reprise.sql.compile.runtime.FieldContent.Cursor;
import io.reprise.sql.compile.runtime.FieldContent.Distinct;
import io.reprise.sql.compile.runtime.FieldContent.Expression;
import io.reprise.sql.compile.runtime.FieldContent.Groups;
import io.reprise.sql.compile.runtime.FieldContent.LastExpression;
import io.reprise.sql.compile.runtime.FieldContent.LastPattern;
import io.reprise.sql.compile.runtime.FieldContent.Listed;
import io.reprise.sql.compile.runtime.FieldContent.OfHashIndex;
import io.reprise.sql.compile.runtime.FieldContent.OfOrderedIndex;
import io.reprise.sql.compile.runtime.FieldContent.OfTable;
import io.reprise.sql.compile.runtime.FieldContent.Parameters;
import io.reprise.sql.compile.runtime.FieldContent.Pattern;
import io.reprise.sql.compile.runtime.FieldContent.Sorting;
import io.reprise.sql.compile.runtime.FieldContent.Strings;
import io.reprise.sql.compile.runtime.FieldContent.Teller;
import io.reprise.sql.compile.runtime.FieldContent.Windows;
import io.reprise.sql.physical.PlanNode.Frame;
import io.reprise.sql.physical.PlanNode.FrameBound;
import io.reprise.sql.physical.PlanNode.WindowCall;
import io.reprise.sql.physical.PlanNode.WindowFunction;
import io.reprise.storage.ForeignKeyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/** The image of a {@link FieldContent}: the name of its kind, then its components in their order. */
public final class FieldContentCodec {
    private FieldContentCodec() {}

    private enum Kind {
        TABLE,
        HASH_INDEX,
        ORDERED_INDEX,
        KEY,
        CURSOR,
        BUFFER,
        SORTER,
        GROUPS,
        DISTINCT,
        TELLER,
        LISTED,
        WORDS,
        STRINGS,
        PARAMETERS,
        PATTERN,
        LAST_PATTERN,
        AGGREGATED_STRINGS,
        WINDOWS,
        EXPRESSION,
        LAST_EXPRESSION,
        FOREIGN_KEYS,
        LAST_REPLACEMENT
    }

    /** Writes a content. */
    public static void encode(FieldContent content, ImageOutput out) {
        switch (content) {
            case OfTable table -> out.constant(Kind.TABLE).number(table.table());
            case OfHashIndex index ->
                out.constant(Kind.HASH_INDEX).number(index.table()).number(index.position());
            case OfOrderedIndex index ->
                out.constant(Kind.ORDERED_INDEX).number(index.table()).number(index.position());
            case FieldContent.Key key ->
                out.constant(Kind.KEY).number(key.table()).number(key.index());
            case Cursor cursor -> out.constant(Kind.CURSOR);
            case Buffer buffer ->
                out.constant(Kind.BUFFER).fields(buffer.shape().fields());
            case Sorting sorting -> encode(sorting, out.constant(Kind.SORTER));
            case Groups groups ->
                out.constant(Kind.GROUPS).flags(groups.strings()).number(groups.words());
            case Distinct distinct -> out.constant(Kind.DISTINCT).flag(distinct.string());
            case Teller teller ->
                out.constant(Kind.TELLER).number(teller.table()).word(teller.mask());
            case Listed listed ->
                out.constant(Kind.LISTED)
                        .number(listed.rows().columns())
                        .bytes(listed.rows().kinds())
                        .words(listed.rows().words());
            case Constants constants -> encode(constants.set(), out);
            case Parameters parameters ->
                out.constant(Kind.PARAMETERS).numbers(parameters.numbers()).flag(parameters.strings());
            case Pattern pattern ->
                out.constant(Kind.PATTERN).text(pattern.text()).text(pattern.escape());
            case LastPattern last -> out.constant(Kind.LAST_PATTERN);
            case Strings strings -> out.constant(Kind.AGGREGATED_STRINGS);
            case Windows windows -> encode(windows, out.constant(Kind.WINDOWS));
            case Expression expression ->
                out.constant(Kind.EXPRESSION).text(expression.text()).text(expression.flags());
            case LastExpression last -> out.constant(Kind.LAST_EXPRESSION);
            case FieldContent.LastReplacement last -> out.constant(Kind.LAST_REPLACEMENT);
            case FieldContent.ForeignKeys keys -> encode(keys.rules(), out.constant(Kind.FOREIGN_KEYS));
        }
    }

    private static void encode(List<ForeignKeyRule> rules, ImageOutput out) {
        out.number(rules.size());
        for (ForeignKeyRule rule : rules) {
            out.text(rule.name()).number(rule.child()).numbers(rule.childColumns());
            out.number(rule.parent()).numbers(rule.parentColumns());
            out.constant(rule.onDelete()).constant(rule.onUpdate());
        }
    }

    private static List<ForeignKeyRule> foreignKeys(ImageInput in) {
        List<ForeignKeyRule> rules = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
            rules.add(new ForeignKeyRule(
                    in.text(),
                    in.number(),
                    in.numbers(),
                    in.number(),
                    in.numbers(),
                    in.constant(ForeignKey.Action.class),
                    in.constant(ForeignKey.Action.class)));
        }
        return List.copyOf(rules);
    }

    private static void encode(Sorting sorting, ImageOutput out) {
        Sorter.Keys keys = sorting.keys();
        out.numbers(keys.columns());
        for (Sorter.KeyType type : keys.types()) {
            out.constant(type);
        }
        out.flags(keys.descending()).flags(keys.nullsFirst()).number(sorting.columns());
    }

    private static void encode(Windows windows, ImageOutput out) {
        out.number(windows.functions().size());
        for (WindowRows.Function function : windows.functions()) {
            WindowCall call = function.call();
            out.constant(call.function())
                    .numbers(call.arguments().stream()
                            .mapToInt(Integer::intValue)
                            .toArray())
                    .flag(call.frame().rows());
            encode(call.frame().lower(), out);
            encode(call.frame().upper(), out);
            out.constant(function.type())
                    .number(function.result())
                    .number(function.precision())
                    .number(function.scale())
                    .number(function.shift());
        }
        out.number(windows.partitionKeys()).number(windows.columns());
    }

    private static void encode(FrameBound bound, ImageOutput out) {
        out.constant(bound.kind()).number(bound.offset().orElse(0));
    }

    private static Windows windows(ImageInput in) {
        List<WindowRows.Function> functions = new ArrayList<>();
        int count = in.number();
        for (int i = 0; i < count; i++) {
            WindowFunction function = in.constant(WindowFunction.class);
            List<Integer> arguments = Arrays.stream(in.numbers()).boxed().toList();
            Frame frame = new Frame(in.flag(), bound(in), bound(in));
            functions.add(new WindowRows.Function(
                    new WindowCall(function, arguments, frame),
                    in.constant(Sorter.KeyType.class),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.number()));
        }
        return new Windows(List.copyOf(functions), in.number(), in.number());
    }

    private static FrameBound bound(ImageInput in) {
        FrameBound.Kind kind = in.constant(FrameBound.Kind.class);
        int offset = in.number();
        boolean counts = kind == FrameBound.Kind.PRECEDING || kind == FrameBound.Kind.FOLLOWING;
        return new FrameBound(kind, counts ? OptionalInt.of(offset) : OptionalInt.empty());
    }

    private static void encode(WordSet set, ImageOutput out) {
        long[] words = set.words();
        if (words != null) {
            out.constant(Kind.WORDS).words(words);
            return;
        }
        byte[][] strings = set.strings();
        out.constant(Kind.STRINGS).number(strings.length);
        for (byte[] string : strings) {
            out.bytes(string);
        }
    }

    /** Reads a content. */
    public static FieldContent decode(ImageInput in) {
        return switch (in.constant(Kind.class)) {
            case TABLE -> new OfTable(in.number());
            case HASH_INDEX -> new OfHashIndex(in.number(), in.number());
            case ORDERED_INDEX -> new OfOrderedIndex(in.number(), in.number());
            case KEY -> new FieldContent.Key(in.number(), in.number());
            case CURSOR -> new Cursor();
            case BUFFER -> new Buffer(RowShape.of(in.fields()));
            case SORTER -> sorting(in);
            case GROUPS -> new Groups(in.flags(), in.number());
            case DISTINCT -> new Distinct(in.flag());
            case TELLER -> new Teller(in.number(), in.word());
            case LISTED -> new Listed(new RowTemplate(in.number(), in.bytes(), in.words()));
            case WORDS -> new Constants(WordSet.of(in.words()));
            case STRINGS -> new Constants(WordSet.of(strings(in)));
            case PARAMETERS -> new Parameters(in.numbers(), in.flag());
            case PATTERN -> Pattern.of(in.text(), in.text());
            case LAST_PATTERN -> new LastPattern();
            case AGGREGATED_STRINGS -> new Strings();
            case WINDOWS -> windows(in);
            case EXPRESSION -> new Expression(in.text(), in.text());
            case LAST_EXPRESSION -> new LastExpression();
            case LAST_REPLACEMENT -> new FieldContent.LastReplacement();
            case FOREIGN_KEYS -> new FieldContent.ForeignKeys(foreignKeys(in));
        };
    }

    private static Sorting sorting(ImageInput in) {
        int[] columns = in.numbers();
        Sorter.KeyType[] types = new Sorter.KeyType[columns.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = in.constant(Sorter.KeyType.class);
        }
        return new Sorting(new Sorter.Keys(columns, types, in.flags(), in.flags()), in.number());
    }

    private static byte[][] strings(ImageInput in) {
        byte[][] strings = new byte[in.count()][];
        for (int i = 0; i < strings.length; i++) {
            strings[i] = in.bytes();
        }
        return strings;
    }
}
