package io.reprise.sql.bind;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.sql.grammar.JoinedWrite;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.util.Util;

/** Names in UPDATE with FROM and DELETE with USING that may be columns of the written table and of a joined one. */
final class JoinedNames {
    private JoinedNames() {}

    /** A query of the joined tables that is refused if a column of the written table is ambiguous. */
    static SqlSelect query(Catalog catalog, JoinedWrite write) {
        Optional<Table> table = catalog.table(Util.last(write.target().names));
        SqlSelect query = write.names();
        query.getSelectList()
                .removeIf(item -> item instanceof SqlIdentifier name
                        && table.flatMap(t -> t.column(name.getSimple())).isEmpty());
        return query;
    }
}
