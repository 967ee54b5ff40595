package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogChange;
import io.reprise.catalog.Check;
import io.reprise.catalog.ForeignKeys;
import io.reprise.catalog.Table;
import io.reprise.execution.Partition;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.bind.TableConditions;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.ForeignKeyRule;
import io.reprise.storage.ForeignKeySettlement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The checks and foreign keys that a change of the schema adds to tables which have rows. */
final class CheckedRows {
    private final List<Added> added = new ArrayList<>();

    /** A check and the query that counts the rows which violate it. */
    private record Added(Table table, Check check, StatementFactory violations) {}

    /** Keys that are enforced from now on, at children that may have rows. */
    private final List<ForeignKeyRule> keys = new ArrayList<>();

    private CheckedRows() {}

    /** Plans the checks and defaults of changed tables; throws {@link io.reprise.catalog.DdlException} where one can't be planned. */
    static CheckedRows of(Catalog before, Catalog after, List<CatalogChange> changes) {
        CheckedRows rows = new CheckedRows();
        for (CatalogChange change : changes) {
            switch (change) {
                case CatalogChange.TableCreated created -> rows.plan(after, created.table());
                case CatalogChange.TableAltered altered -> rows.plan(after, altered.after());
                case CatalogChange.CheckAdded check -> {
                    rows.plan(after, check.after());
                    if (before.table(check.after().id()).isPresent()) {
                        rows.add(after, check);
                    }
                }
                default -> {}
            }
        }
        rows.addKeys(before, after);
        return rows;
    }

    private void addKeys(Catalog before, Catalog after) {
        Set<String> known = new HashSet<>();
        for (ForeignKeys.Enforced key : ForeignKeys.enforced(before)) {
            known.add(identity(key));
        }
        for (ForeignKeys.Enforced key : ForeignKeys.enforced(after)) {
            if (before.table(key.child().id()).isPresent() && !known.contains(identity(key))) {
                keys.add(ForeignKeyRule.of(key));
            }
        }
    }

    /** Positions of columns may change, and names of keys may be given to others. */
    private static String identity(ForeignKeys.Enforced key) {
        StringBuilder identity = new StringBuilder();
        identity.append(key.child().id()).append('/').append(key.parent().id());
        for (int i = 0; i < key.childColumns().size(); i++) {
            identity.append('/')
                    .append(key.child().columns().get(key.childColumns().get(i)).name())
                    .append('/')
                    .append(key.key().parentColumns().get(i));
        }
        return identity.toString();
    }

    private void plan(Catalog after, Table changed) {
        after.table(changed.id()).ifPresent(table -> TableConditions.check(after, table));
    }

    private void add(Catalog after, CatalogChange.CheckAdded change) {
        Table table = after.table(change.after().id()).orElse(null);
        if (table != null && table.checks().contains(change.check())) {
            String query = TableConditions.violations(table, change.check());
            StatementFactory factory = StatementFactory.compile(StatementPlanner.planAdHoc(after, query));
            added.add(new Added(table, change.check(), factory));
        }
    }

    /** Throws if a partition has a row that violates an added check or foreign key. The caller holds the partition. */
    void check(Partition partition) {
        if (!keys.isEmpty()) {
            new ForeignKeySettlement(partition.store(), keys).verify();
        }
        for (Added one : added) {
            CompiledStatement statement = one.violations.create(partition.store());
            statement.execute();
            statement.found().rewind();
            if (statement.found().next() && statement.found().longAt(0) > 0) {
                throw new ProcedureException(
                        ErrorCode.CONSTRAINT_VIOLATION,
                        "a row of " + one.table.name() + " violates CHECK " + one.check.name() + ": "
                                + one.check.condition());
            }
        }
    }
}
