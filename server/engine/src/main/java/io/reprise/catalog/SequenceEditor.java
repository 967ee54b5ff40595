package io.reprise.catalog;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/** Creates, restarts and drops sequences, and keeps them in step with the columns that own them. */
final class SequenceEditor {
    private final Catalog catalog;

    SequenceEditor(Catalog catalog) {
        this.catalog = catalog;
    }

    CatalogUpdate create(Ddl.CreateSequence create) {
        String name = create.sequence().text();
        if (catalog.hasRelation(name)) {
            String what = catalog.table(name).map(SequenceEditor::kind).orElse("view");
            if (create.ifNotExists() && what.equals("sequence")) {
                return new CatalogUpdate(catalog, new CatalogChange.Nothing("sequence " + name + " exists already"));
            }
            throw new DdlException(
                    create.sequence().at(),
                    what + " " + name + " exists already; choose another name for the sequence");
        }
        Sequence sequence = sequence(create.sequence(), create.options());
        if (create.id().isEmpty()) {
            create.options().owner().ifPresent(this::checkOwner);
        }
        Table table = state(name, create.id().orElse(catalog.nextTableId()), sequence);
        return new CatalogUpdate(added(table), new CatalogChange.TableCreated(table));
    }

    private Catalog added(Table table) {
        if (table.id() < catalog.nextTableId()) {
            throw new DdlException(
                    Position.START,
                    "sequence " + table.name() + " can't have id " + table.id() + ": it is used already");
        }
        // Behind all others, so that ids rise.
        SequencedMap<String, Table> tables = new LinkedHashMap<>(catalog.tables());
        tables.remove(table.name());
        tables.put(table.name(), table);
        Catalog after = catalog.withTables(tables);
        return after.withCounters(after.version(), table.id() + 1);
    }

    private static String kind(Table table) {
        return table.sequence().isPresent() ? "sequence" : "table";
    }

    private void checkOwner(Ddl.SequenceOwner owner) {
        Table table = catalog.table(owner.table().text())
                .filter(t -> t.sequence().isEmpty())
                .orElseThrow(() -> new DdlException(owner.table().at(), "there is no table " + owner.table()));
        TableEditor.column(table.name(), table.columns(), owner.column());
    }

    /** The table with the state of a sequence. */
    private static Table state(String name, int id, Sequence sequence) {
        SqlType bigint = SqlType.of(SqlType.Kind.BIGINT);
        List<Column> columns = List.of(
                new Column(Sequence.LAST_VALUE, 0, bigint, false, Optional.empty()),
                new Column(Sequence.LOG_COUNT, 1, bigint, false, Optional.empty()),
                new Column(Sequence.IS_CALLED, 2, SqlType.of(SqlType.Kind.BOOLEAN), false, Optional.empty()));
        Index key = new Index(name + "_PK", 0, List.of(1), true, Index.Kind.HASH, true);
        return new Table(
                id, name, columns, List.of(key), OptionalInt.empty(), List.of(), List.of(), Optional.of(sequence));
    }

    private static Sequence sequence(Ddl.Name name, Ddl.SequenceOptions options) {
        SqlType type = options.type().orElse(SqlType.of(SqlType.Kind.BIGINT));
        long least = switch (type.kind()) {
            case SMALLINT -> Short.MIN_VALUE;
            case INTEGER -> Integer.MIN_VALUE;
            case BIGINT -> Long.MIN_VALUE;
            default -> throw new DdlException(name.at(), "a sequence has values of SMALLINT, INTEGER or BIGINT");
        };
        long increment = options.increment().orElse(1);
        if (increment == 0) {
            throw new DdlException(name.at(), "the INCREMENT of sequence " + name + " can't be 0");
        }
        long min = options.min().orElse(increment > 0 ? 1 : least);
        long max = options.max().orElse(increment > 0 ? -(least + 1) : -1);
        long start = options.start().orElse(increment > 0 ? min : max);
        if (min < least || max > -(least + 1) || min >= max) {
            throw new DdlException(name.at(), "MINVALUE " + min + " and MAXVALUE " + max + " are no range of " + type);
        } else if (start < min || start > max) {
            throw new DdlException(
                    name.at(), "START " + start + " of sequence " + name + " is outside of " + min + " to " + max);
        }
        return new Sequence(
                type,
                start,
                increment,
                min,
                max,
                options.cache(),
                options.cycle(),
                options.identity(),
                options.owner().map(Ddl.SequenceOwner::named));
    }

    CatalogUpdate alter(Ddl.AlterSequence alter) {
        Ddl.Name name = alter.sequence();
        Optional<Table> found =
                catalog.table(name.text()).filter(t -> t.sequence().isPresent());
        if (found.isEmpty() && alter.ifExists()) {
            return new CatalogUpdate(catalog, new CatalogChange.Nothing("there is no sequence " + name));
        }
        Table table = find(name);
        Sequence sequence = table.sequence().orElseThrow();
        if (alter.setsOwner()) {
            alter.owner().ifPresent(this::checkOwner);
            sequence = sequence.ownedBy(alter.owner().map(Ddl.SequenceOwner::named));
        }
        if (!alter.restarts()) {
            Table after = table.withSequence(sequence);
            SequencedMap<String, Table> tables = new LinkedHashMap<>(catalog.tables());
            tables.put(after.name(), after);
            return new CatalogUpdate(catalog.withTables(tables), new CatalogChange.ConstraintDropped(table, after));
        }
        long start = alter.restart().orElse(sequence.start());
        if (start < sequence.min() || start > sequence.max()) {
            throw new DdlException(
                    name.at(),
                    "RESTART " + start + " of sequence " + name + " is outside of " + sequence.min() + " to "
                            + sequence.max());
        }
        // Values that nodes have reserved belong to the state with the old id.
        Table after = state(table.name(), catalog.nextTableId(), sequence.startingAt(start));
        return new CatalogUpdate(added(after), new CatalogChange.SequenceRestarted(table, after));
    }

    private Table find(Ddl.Name name) {
        return catalog.table(name.text())
                .filter(t -> t.sequence().isPresent())
                .orElseThrow(() -> new DdlException(
                        name.at(),
                        "there is no sequence " + name
                                + Suggestions.didYouMean(
                                        name.text(),
                                        catalog.tables().values().stream()
                                                .filter(t -> t.sequence().isPresent())
                                                .map(Table::name)
                                                .toList())));
    }

    CatalogUpdate drop(Ddl.DropSequence drop) {
        Ddl.Name name = drop.sequence();
        if (drop.ifExists() && catalog.table(name.text()).isEmpty()) {
            return new CatalogUpdate(catalog, new CatalogChange.Nothing("there is no sequence " + name));
        }
        Table sequence = find(name);
        SequencedMap<String, Table> tables = new LinkedHashMap<>(catalog.tables());
        tables.remove(sequence.name());
        String parenthesised = Sequence.nextValueOf(sequence.name());
        // Also within a larger expression, perhaps with a cast behind the name.
        String next = parenthesised.substring(1, parenthesised.length() - 2);
        for (Table table : catalog.tables().values()) {
            for (Column column : table.columns()) {
                if (column.hasDefaultExpression()
                        && column.defaultValue().orElseThrow().contains(next)) {
                    if (!drop.cascade()) {
                        throw new DdlException(
                                name.at(),
                                "sequence " + name + " can't be dropped: column " + column.name() + " of table "
                                        + table.name() + " takes its values; add CASCADE");
                    }
                    tables.compute(
                            table.name(), (key, present) -> TableEditor.withDefault(present, column, Optional.empty()));
                }
            }
        }
        return new CatalogUpdate(catalog.withTables(tables), new CatalogChange.TableDropped(sequence));
    }

    /** The tables without the sequences that a column of a table owns; null stands for any column. */
    static void removeOwned(SequencedMap<String, Table> tables, String table, String column) {
        tables.values()
                .removeIf(t -> t.sequence()
                        .flatMap(Sequence::owner)
                        .filter(owner -> owner.table().equals(table)
                                && (column == null || owner.column().equals(column)))
                        .isPresent());
    }

    /** A sequence whose owner is renamed; any other table as it is. No column: the table is renamed. */
    static Table renamed(Table table, Sequence.Owner owner, Sequence.Owner newOwner) {
        Optional<Sequence.Owner> now = table.sequence().flatMap(Sequence::owner);
        if (now.isEmpty()
                || !now.get().table().equals(owner.table())
                || !owner.column().isEmpty() && !now.get().column().equals(owner.column())) {
            return table;
        }
        String column = owner.column().isEmpty() ? now.get().column() : newOwner.column();
        return table.withSequence(
                table.sequence().get().ownedBy(Optional.of(new Sequence.Owner(newOwner.table(), column))));
    }

    /**
     * The catalog with the sequences of columns that number themselves, and the definitions of these columns with the sequences' next
     * values as defaults.
     */
    static Numbered number(Catalog catalog, Ddl.Name table, List<Ddl.ColumnDefinition> columns) {
        Catalog after = catalog;
        List<Ddl.ColumnDefinition> numbered = new java.util.ArrayList<>();
        for (Ddl.ColumnDefinition column : columns) {
            if (column.numbers().isEmpty()) {
                numbered.add(column);
                continue;
            }
            String name = name(after, table.text(), column.name().text());
            Ddl.SequenceOptions options = column.numbers().get().ownedBy(new Ddl.SequenceOwner(table, column.name()));
            Sequence sequence = sequence(column.name(), options.typed(column.type()));
            after = new SequenceEditor(after).added(state(name, after.nextTableId(), sequence));
            numbered.add(new Ddl.ColumnDefinition(
                    column.name(),
                    column.type(),
                    true,
                    Optional.of(new Ddl.Default(
                            Sequence.nextValueOf(name), column.name().at())),
                    Optional.empty()));
        }
        return new Numbered(after, List.copyOf(numbered));
    }

    /** A catalog with sequences, and the columns that take their values. */
    record Numbered(Catalog catalog, List<Ddl.ColumnDefinition> columns) {}

    private static String name(Catalog catalog, String table, String column) {
        String schema = QualifiedName.schema(table);
        String base = QualifiedName.simple(table) + "_" + column;
        base = base.substring(0, Math.min(base.length(), Limits.NAME_LENGTH - 8)) + "_SEQ";
        String candidate = QualifiedName.of(schema, base);
        for (int i = 1; catalog.hasRelation(candidate); i++) {
            candidate = QualifiedName.of(schema, base + i);
        }
        return candidate;
    }
}
