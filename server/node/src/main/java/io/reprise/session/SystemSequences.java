package io.reprise.session;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.Sequence;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import java.util.List;
import java.util.Optional;

/** Sequences in the system catalogue, and the columns that number themselves. */
final class SystemSequences {
    private SystemSequences() {}

    /** The indexes of a table that clients see: the key of a sequence's state is none of them. */
    static List<Index> indexes(Table table) {
        return table.sequence().isPresent() ? List.of() : table.indexes();
    }

    /** The sequence that numbers a column. */
    private static Optional<Sequence> sequence(Catalog catalog, Column column) {
        return column.defaultValue()
                .flatMap(Sequence::ofDefault)
                .flatMap(catalog::table)
                .flatMap(Table::sequence);
    }

    /** The letter of an identity column's kind; empty for another column. */
    static String identity(Catalog catalog, Column column) {
        return sequence(catalog, column)
                .map(sequence -> switch (sequence.identity()) {
                    case NONE -> "";
                    case BY_DEFAULT -> "d";
                    case ALWAYS -> "a";
                })
                .orElse("");
    }

    /** A column's default as a client sees it; an identity column has none. */
    static Optional<String> shownDefault(Catalog catalog, Column column) {
        if (!identity(catalog, column).isEmpty()) {
            return Optional.empty();
        }
        return column.defaultValue()
                .map(value -> Sequence.ofDefault(value)
                        .map(name -> "nextval(" + Translator.literal(SystemDefinitions.shown(name)) + "::regclass)")
                        .orElse(value));
    }

    /** The table pg_sequence. */
    static SystemTable properties(Catalog catalog) {
        SystemTable table =
                new SystemTable("seqrelid# seqtypid# seqstart# seqincrement# seqmax# seqmin# seqcache# seqcycle?");
        for (Table state : catalog.tables().values()) {
            state.sequence()
                    .ifPresent(sequence -> table.row(
                            SystemSchemas.oid(state),
                            PgType.of(sequence.type()).oid(),
                            sequence.start(),
                            sequence.increment(),
                            sequence.max(),
                            sequence.min(),
                            sequence.cache(),
                            sequence.cycle()));
        }
        return table;
    }

    /** The view pg_sequences; the last values are in the sequences themselves. */
    static SystemTable listed(Catalog catalog) {
        SystemTable table = new SystemTable("schemaname sequencename sequenceowner data_type start_value# min_value#"
                + " max_value# increment_by# cycle? cache_size# last_value#");
        for (Table state : catalog.tables().values()) {
            state.sequence()
                    .ifPresent(sequence -> table.row(
                            Names.schema(state.name()),
                            Names.simple(state.name()),
                            "reprise",
                            typeName(sequence.type()),
                            sequence.start(),
                            sequence.min(),
                            sequence.max(),
                            sequence.increment(),
                            sequence.cycle(),
                            sequence.cache(),
                            null));
        }
        return table;
    }

    /** The view sequences of information_schema. */
    static SystemTable ofInformationSchema(Catalog catalog, String database) {
        SystemTable table =
                new SystemTable("sequence_catalog sequence_schema sequence_name data_type numeric_precision#"
                        + " numeric_precision_radix# numeric_scale# start_value minimum_value maximum_value increment"
                        + " cycle_option");
        for (Table state : catalog.tables().values()) {
            state.sequence()
                    .ifPresent(sequence -> table.row(
                            database,
                            Names.schema(state.name()),
                            Names.simple(state.name()),
                            typeName(sequence.type()),
                            8 * sequence.type().kind().width(),
                            2,
                            0,
                            Long.toString(sequence.start()),
                            Long.toString(sequence.min()),
                            Long.toString(sequence.max()),
                            Long.toString(sequence.increment()),
                            sequence.cycle() ? "YES" : "NO"));
        }
        return table;
    }

    private static String typeName(SqlType type) {
        return switch (type.kind()) {
            case SMALLINT -> "smallint";
            case INTEGER -> "integer";
            default -> "bigint";
        };
    }
}
