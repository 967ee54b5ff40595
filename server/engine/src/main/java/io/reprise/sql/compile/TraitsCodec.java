package io.reprise.sql.compile;

import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.SqlType;
import io.reprise.sql.bind.ParameterRounding;
import io.reprise.sql.compile.runtime.ImageInput;
import io.reprise.sql.compile.runtime.ImageOutput;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.place.Reach;
import io.reprise.sql.plan.StatementTraits;
import io.reprise.sql.plan.TouchedTables;
import java.util.ArrayList;
import java.util.List;

/** The image of {@link StatementTraits}: components in their order. Statements that take values of sequences have none. */
final class TraitsCodec {
    private TraitsCodec() {}

    private enum Kind {
        ANY,
        ALL,
        EVERYWHERE,
        PARAMETER,
        NUMBER,
        COMPUTED
    }

    static void encode(StatementTraits traits, ImageOutput out) {
        if (!traits.sequences().isEmpty()) {
            throw new IllegalArgumentException("a statement that takes values of sequences has no image");
        }
        out.text(traits.sql());
        encode(traits.reach(), out);
        out.number(traits.parameters().size());
        traits.parameters().forEach(out::type);
        out.number(traits.roundings().size());
        traits.roundings().forEach(out::constant);
        out.fields(traits.output())
                .fields(traits.fragment())
                .flag(traits.merges())
                .flag(traits.writes())
                .flag(traits.returnsRows())
                .flag(traits.crossesBuckets())
                .constant(traits.logging())
                .number(traits.routed().size());
        traits.routed().forEach(index -> out.number(index.table()).number(index.position()));
        encode(traits.tables().all(), out);
        encode(traits.tables().written(), out);
    }

    private static void encode(List<Integer> numbers, ImageOutput out) {
        out.number(numbers.size());
        numbers.forEach(out::number);
    }

    private static void encode(Reach reach, ImageOutput out) {
        switch (reach) {
            case Reach.Any any -> out.constant(Kind.ANY);
            case Reach.All all -> out.constant(Kind.ALL);
            case Reach.Everywhere everywhere -> out.constant(Kind.EVERYWHERE);
            case Reach.Bucket bucket -> {
                switch (bucket.source()) {
                    case Reach.Source.Parameter parameter ->
                        out.constant(Kind.PARAMETER).number(parameter.index());
                    case Reach.Source.Whole number -> out.constant(Kind.NUMBER).word(number.value());
                    case Reach.Source.Computed computed -> out.constant(Kind.COMPUTED);
                }
                out.type(bucket.type()).number(bucket.wholeParameter());
            }
        }
    }

    static StatementTraits decode(ImageInput in) {
        String sql = in.text();
        Reach reach = reach(in);
        List<SqlType> parameters = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
            parameters.add(in.type());
        }
        List<ParameterRounding> roundings = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
            roundings.add(in.constant(ParameterRounding.class));
        }
        List<PlanField> output = in.fields();
        List<PlanField> fragment = in.fields();
        boolean merges = in.flag();
        boolean writes = in.flag();
        boolean returnsRows = in.flag();
        boolean crossesBuckets = in.flag();
        ProcedureDefinition.Logging logging = in.constant(ProcedureDefinition.Logging.class);
        List<StatementTraits.RoutedIndex> routed = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
            routed.add(new StatementTraits.RoutedIndex(in.number(), in.number()));
        }
        return new StatementTraits(
                sql,
                reach,
                List.copyOf(parameters),
                List.copyOf(roundings),
                output,
                fragment,
                merges,
                writes,
                returnsRows,
                List.of(),
                crossesBuckets,
                logging,
                List.copyOf(routed),
                new TouchedTables(numbers(in), numbers(in)));
    }

    private static List<Integer> numbers(ImageInput in) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = in.count(); i > 0; i--) {
            numbers.add(in.number());
        }
        return List.copyOf(numbers);
    }

    private static Reach reach(ImageInput in) {
        Kind kind = in.constant(Kind.class);
        Reach.Source source = switch (kind) {
            case ANY, ALL, EVERYWHERE -> null;
            case PARAMETER -> new Reach.Source.Parameter(in.number());
            case NUMBER -> new Reach.Source.Whole(in.word());
            case COMPUTED -> new Reach.Source.Computed();
        };
        return switch (kind) {
            case ANY -> new Reach.Any();
            case ALL -> new Reach.All();
            case EVERYWHERE -> new Reach.Everywhere();
            default -> new Reach.Bucket(source, in.type(), in.number());
        };
    }
}
