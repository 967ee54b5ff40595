package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogChange;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Position;
import io.reprise.catalog.View;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.plan.StatementPlanner;
import java.util.List;
import java.util.Set;

/** The views that a change of the schema touches. */
final class ViewChanges {
    private ViewChanges() {}

    /** Adds the names of views that are different now, or that use one of the tables or views named already. */
    static void addChanged(Catalog before, Catalog after, Set<String> names) {
        boolean grown = true;
        while (grown) {
            grown = false;
            for (View view : before.views().values()) {
                boolean changed = !view.equals(after.views().get(view.name()))
                        || names.stream().anyMatch(view::mayName);
                grown |= changed && names.add(view.name());
            }
        }
    }

    /** Plans the query of each view that there will be; throws {@link DdlException} for one that can't be planned. */
    static void check(Catalog after, List<CatalogChange> changes) {
        if (changes.stream().noneMatch(ViewChanges::mayBreak)) {
            return;
        }
        for (View view : after.views().values()) {
            try {
                StatementPlanner.planAdHoc(
                        after, "SELECT * FROM \"" + view.name().replace("\"", "\"\"") + "\"");
            } catch (SqlPlanningException e) {
                throw new DdlException(
                        Position.START, "the query of view " + view.name() + " can't be planned: " + e.getMessage());
            }
        }
    }

    private static boolean mayBreak(CatalogChange change) {
        return change instanceof CatalogChange.ViewsChanged
                || change instanceof CatalogChange.TableAltered
                || change instanceof CatalogChange.TableDropped;
    }
}
