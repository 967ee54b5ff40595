package io.reprise.catalog;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;

/** Creates and drops views, and finds the views that use a table. */
final class ViewEditor {
    private final Catalog catalog;

    ViewEditor(Catalog catalog) {
        this.catalog = catalog;
    }

    CatalogUpdate create(Ddl.CreateView create) {
        String name = create.view().text();
        if (catalog.table(name).isPresent()) {
            throw new DdlException(
                    create.view().at(), "there is a table " + name + "; choose another name for the view");
        }
        if (catalog.views().containsKey(name) && !create.replace()) {
            throw new DdlException(
                    create.view().at(), "view " + name + " exists already; CREATE OR REPLACE VIEW replaces it");
        }
        View view = new View(
                name, create.columns().stream().map(Ddl.Name::text).toList(), create.query(), create.mentioned());
        if (users(Set.of(name)).stream().anyMatch(view::mayName)) {
            throw new DdlException(create.view().at(), "view " + name + " would use itself by way of another view");
        }
        SequencedMap<String, View> views = new LinkedHashMap<>(catalog.views());
        views.put(name, view);
        return new CatalogUpdate(catalog.withViews(views), new CatalogChange.ViewsChanged());
    }

    CatalogUpdate drop(Ddl.DropView drop) {
        String name = drop.view().text();
        if (!catalog.views().containsKey(name)) {
            if (drop.ifExists()) {
                return new CatalogUpdate(catalog, new CatalogChange.Nothing("there is no view " + name));
            }
            throw new DdlException(
                    drop.view().at(),
                    "there is no view " + name
                            + Suggestions.didYouMean(name, catalog.views().keySet()));
        }
        SequencedMap<String, View> views = without(drop.view(), "view", drop.cascade());
        views.remove(name);
        return new CatalogUpdate(catalog.withViews(views), new CatalogChange.ViewsChanged());
    }

    /** The views that are left when those that use a table or view are dropped; refuses without CASCADE. */
    SequencedMap<String, View> without(Ddl.Name dropped, String what, boolean cascade) {
        SequencedMap<String, View> views = new LinkedHashMap<>(catalog.views());
        for (String user : users(Set.of(dropped.text()))) {
            if (!cascade) {
                throw new DdlException(
                        dropped.at(),
                        what + " " + dropped + " can't be dropped: view " + user + " uses it; DROP VIEW " + user
                                + " first, or add CASCADE");
            }
            views.remove(user);
        }
        return views;
    }

    /** The views that use one of these, directly or by way of other views, in the order of their creation. */
    private Set<String> users(Set<String> names) {
        Set<String> reached = new LinkedHashSet<>(names);
        List<String> users = new ArrayList<>();
        boolean grown = true;
        while (grown) {
            grown = false;
            for (View view : catalog.views().values()) {
                if (!reached.contains(view.name()) && reached.stream().anyMatch(view::mayName)) {
                    reached.add(view.name());
                    users.add(view.name());
                    grown = true;
                }
            }
        }
        return new LinkedHashSet<>(users);
    }
}
