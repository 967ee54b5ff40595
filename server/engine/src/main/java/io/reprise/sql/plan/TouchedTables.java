package io.reprise.sql.plan;

import io.reprise.catalog.Table;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanShapes;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The tables that a statement touches, by their ids. A statement's answer depends on earlier writes to tables that it touches, and on no
 * others.
 *
 * @param all those that it reads or writes; also those in which it looks for parents or children of written rows
 * @param written those that it may write; children of its table are among them, because a foreign key may change them
 */
public record TouchedTables(List<Integer> all, List<Integer> written) {
    /** The tables of a plan that settles foreign keys. */
    static TouchedTables of(PlanNode fragment, Optional<PlanNode> merge, List<SettledKey> keys) {
        SortedSet<Integer> all = new TreeSet<>();
        SortedSet<Integer> written = new TreeSet<>();
        PlanShapes.visit(fragment, node -> add(node, all, written));
        merge.ifPresent(plan -> PlanShapes.visit(plan, node -> add(node, all, written)));
        for (SettledKey settled : keys) {
            all.add(settled.key().parent().id());
            all.add(settled.key().child().id());
            if (settled.searchesChildren()) {
                written.add(settled.key().child().id());
            }
        }
        return new TouchedTables(List.copyOf(all), List.copyOf(written));
    }

    private static void add(PlanNode node, SortedSet<Integer> all, SortedSet<Integer> written) {
        Table table = switch (node) {
            case PlanNode.Scan scan -> scan.table();
            case PlanNode.IndexLookup lookup -> lookup.table();
            case PlanNode.IndexRange range -> range.table();
            case PlanNode.Write write -> write.table();
            default -> null;
        };
        if (table != null) {
            all.add(table.id());
        }
        if (node instanceof PlanNode.Write) {
            written.add(table.id());
        }
    }

    /** Adds all of them. */
    public void addTo(BitSet tables) {
        for (int table : all) {
            tables.set(table);
        }
    }

    /** Whether it may write one of these tables. */
    public boolean writesAny(BitSet tables) {
        for (int table : written) {
            if (tables.get(table)) {
                return true;
            }
        }
        return false;
    }
}
