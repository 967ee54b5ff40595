package io.reprise.sql.parse;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogEditor;
import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import java.util.function.BiFunction;

/** Makes catalogs from DDL text. */
public final class CatalogScript {
    private CatalogScript() {}

    /** The catalog of a new database to which a script of DDL statements is applied. */
    public static Catalog load(String script) {
        return apply(Catalog.empty(), script);
    }

    /** Applies a script of DDL statements; throws {@link DdlException} at the first one that is refused. */
    public static Catalog apply(Catalog catalog, String script) {
        return apply(catalog, script, DdlParser::parse);
    }

    /** Applies a script that a database has a record of: see {@link DdlParser#parseRecorded}. */
    public static Catalog applyRecorded(Catalog catalog, String script) {
        return apply(catalog, script, DdlParser::parseRecorded);
    }

    private static Catalog apply(Catalog catalog, String script, BiFunction<ScriptStatement, Catalog, Ddl> parser) {
        Catalog current = catalog;
        for (ScriptStatement statement : SqlScript.split(script)) {
            if (statement.kind() != StatementKind.DDL) {
                throw new DdlException(
                        statement.at(), "a schema script has DDL statements only, but this is a " + statement.kind());
            }
            current = CatalogEditor.apply(current, parser.apply(statement, current))
                    .catalog();
        }
        return current;
    }
}
