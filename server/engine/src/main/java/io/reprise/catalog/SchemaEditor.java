package io.reprise.catalog;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Creates and drops schemas. */
final class SchemaEditor {
    private final Catalog catalog;

    SchemaEditor(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Refuses a statement that creates something in a schema that does not exist. */
    static void checkSchema(Catalog catalog, Ddl ddl) {
        Ddl.Name name = switch (ddl) {
            case Ddl.CreateTable create -> create.table();
            case Ddl.CreateView create -> create.view();
            case Ddl.CreateSequence create -> create.sequence();
            default -> null;
        };
        if (name != null && !catalog.hasSchema(QualifiedName.schema(name.text()))) {
            throw missing(catalog, new Ddl.Name(QualifiedName.schema(name.text()), name.at()));
        }
    }

    private static DdlException missing(Catalog catalog, Ddl.Name schema) {
        return new DdlException(
                schema.at(), "there is no schema " + schema + Suggestions.didYouMean(schema.text(), catalog.schemas()));
    }

    CatalogUpdate create(Ddl.CreateSchema create) {
        Ddl.Name name = create.schema();
        if (catalog.hasSchema(name.text())) {
            if (create.ifNotExists()) {
                return nothing("schema " + name + " exists already");
            }
            throw new DdlException(name.at(), "schema " + name + " exists already; choose another name");
        }
        LinkedHashSet<String> schemas = new LinkedHashSet<>(catalog.schemas());
        schemas.add(name.text());
        return new CatalogUpdate(catalog.withSchemas(schemas), new CatalogChange.SchemasChanged());
    }

    CatalogUpdate drop(Ddl.DropSchema drop) {
        Ddl.Name name = drop.schema();
        if (name.text().equals(QualifiedName.PUBLIC)) {
            throw new DdlException(name.at(), "schema PUBLIC can't be dropped: it always exists");
        } else if (!catalog.hasSchema(name.text())) {
            if (drop.ifExists()) {
                return nothing("there is no schema " + name);
            }
            throw missing(catalog, name);
        }
        List<Ddl> content = content(name);
        if (!content.isEmpty() && !drop.cascade()) {
            throw new DdlException(
                    name.at(),
                    "schema " + name + " can't be dropped: it is not empty; drop what is in it first, or add CASCADE");
        }
        List<CatalogChange> changes = new ArrayList<>();
        Catalog emptied = catalog;
        for (Ddl each : content) {
            CatalogUpdate update = CatalogEditor.apply(emptied, each);
            emptied = update.catalog();
            changes.addAll(update.change().each());
        }
        LinkedHashSet<String> schemas = new LinkedHashSet<>(emptied.schemas());
        schemas.remove(name.text());
        changes.add(new CatalogChange.SchemasChanged());
        return new CatalogUpdate(
                emptied.withSchemas(schemas).withCounters(catalog.version() + 1, emptied.nextTableId()),
                new CatalogChange.Several(List.copyOf(changes)));
    }

    /** Statements that drop everything in a schema, each of which may find its object gone with another one. */
    private List<Ddl> content(Ddl.Name schema) {
        List<Ddl> drops = new ArrayList<>();
        for (String view : within(schema, catalog.views().keySet())) {
            drops.add(new Ddl.DropView(new Ddl.Name(view, schema.at()), true, true));
        }
        for (String name : within(schema, catalog.tables().keySet())) {
            Ddl.Name dropped = new Ddl.Name(name, schema.at());
            drops.add(
                    catalog.tables().get(name).sequence().isPresent()
                            ? new Ddl.DropSequence(dropped, true, true)
                            : new Ddl.DropTable(dropped, true, true));
        }
        return drops;
    }

    private static List<String> within(Ddl.Name schema, Set<String> names) {
        return names.stream()
                .filter(name -> QualifiedName.schema(name).equals(schema.text()))
                .toList();
    }

    private CatalogUpdate nothing(String reason) {
        return new CatalogUpdate(catalog, new CatalogChange.Nothing(reason));
    }
}
