package io.reprise.catalog;

import java.util.List;

/** The change made by a DDL statement, for the holders of rows, plans or procedures, which have to follow. */
public sealed interface CatalogChange {
    /** The changes that it consists of. */
    default List<CatalogChange> each() {
        return List.of(this);
    }

    /** Several changes of one statement, in order. */
    record Several(List<CatalogChange> each) implements CatalogChange {}

    /** Nothing: IF EXISTS or IF NOT EXISTS found nothing to do. */
    record Nothing(String reason) implements CatalogChange {}

    /** A table was created, replicated and empty. */
    record TableCreated(Table table) implements CatalogChange {}

    /** A table was dropped, with its rows and indexes. */
    record TableDropped(Table table) implements CatalogChange {}

    /** A replicated table became partitioned: each partition keeps the rows whose buckets it owns. */
    record TablePartitioned(Table before, Table after) implements CatalogChange {}

    /**
     * Columns were added or dropped.
     *
     * @param sourceColumns for each column of {@code after} its position in {@code before}, or -1 where it is new and gets
     *     its default (NULL without one)
     */
    record TableAltered(Table before, Table after, List<Integer> sourceColumns) implements CatalogChange {}

    /** An index was added as the last one of its table; it has to be filled, and a unique one may be refused by the rows. */
    record IndexAdded(Table before, Table after, Index index) implements CatalogChange {}

    /** A primary key was added: its columns became NOT NULL, its index is the first one, and the rows may refuse both. */
    record PrimaryKeyAdded(Table before, Table after) implements CatalogChange {}

    /** An index was dropped; those after it moved down by one position. */
    record IndexDropped(Table before, Table after, Index index) implements CatalogChange {}

    /** Views were created, replaced or dropped. */
    record ViewsChanged() implements CatalogChange {}

    /** Schemas were created or dropped. */
    record SchemasChanged() implements CatalogChange {}

    /** A check was added; rows that violate it refuse the change. */
    record CheckAdded(Table before, Table after, Check check) implements CatalogChange {}

    /** A foreign key or a check was dropped, or a sequence has another owner; rows stay as they are. */
    record ConstraintDropped(Table before, Table after) implements CatalogChange {}

    /** A sequence begins anew, with a state of another id. */
    record SequenceRestarted(Table before, Table after) implements CatalogChange {}

    /** A foreign key was added; rows stay as they are. */
    record ForeignKeyAdded(Table before, Table after) implements CatalogChange {}

    /** A procedure was added. */
    record ProcedureAdded(ProcedureDefinition procedure) implements CatalogChange {}

    /** A procedure was replaced by another of its name. */
    record ProcedureReplaced(ProcedureDefinition before, ProcedureDefinition after) implements CatalogChange {}

    /** A procedure was dropped. */
    record ProcedureDropped(ProcedureDefinition procedure) implements CatalogChange {}
}
