package io.reprise.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Adds and drops CHECK constraints, and drops constraints by name. */
final class CheckEditor {
    private CheckEditor() {}

    /** The table with one more check. */
    static Table with(Table table, Ddl.CheckDefinition definition) {
        List<Check> checks = new ArrayList<>(table.checks());
        checks.add(new Check(name(table, definition), definition.condition(), definition.mentioned()));
        return table.withChecks(checks);
    }

    /** The given name, or one made of the table's and the first column's that is not taken. */
    private static String name(Table table, Ddl.CheckDefinition definition) {
        List<String> taken = names(table);
        if (definition.name().isPresent()) {
            Ddl.Name given = definition.name().get();
            if (taken.contains(given.text())) {
                throw new DdlException(given.at(), "table " + table.name() + " has a constraint " + given + " already");
            }
            return given.text();
        }
        StringBuilder base = new StringBuilder(QualifiedName.simple(table.name()));
        table.columns().stream()
                .map(Column::name)
                .filter(definition.mentioned()::contains)
                .findFirst()
                .ifPresent(column -> base.append('_').append(column));
        base.append("_CHECK");
        base.setLength(Math.min(base.length(), Limits.NAME_LENGTH - 4));
        String candidate = base.toString();
        for (int i = 1; taken.contains(candidate); i++) {
            candidate = base.toString() + i;
        }
        return candidate;
    }

    private static List<String> names(Table table) {
        return Stream.of(
                        table.checks().stream().map(Check::name),
                        table.foreignKeys().stream().map(ForeignKey::name),
                        table.indexes().stream().filter(Index::unique).map(Index::name))
                .flatMap(names -> names)
                .toList();
    }

    /** The table without a check or foreign key; throws if it has no such constraint. */
    static Table without(Table table, Ddl.Name constraint) {
        List<Check> checks = table.checks().stream()
                .filter(check -> !check.name().equals(constraint.text()))
                .toList();
        List<ForeignKey> keys = table.foreignKeys().stream()
                .filter(key -> !key.name().equals(constraint.text()))
                .toList();
        if (checks.size() == table.checks().size()
                && keys.size() == table.foreignKeys().size()) {
            throw new DdlException(
                    constraint.at(),
                    "table " + table.name() + " has no constraint " + constraint
                            + Suggestions.didYouMean(constraint.text(), names(table)));
        }
        return table.withChecks(checks).withForeignKeys(keys);
    }
}
