package io.reprise.sql.grammar;

import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.parser.SqlParserPos;

/** An UPDATE with FROM or a DELETE with USING, together with the join that it means. */
public interface JoinedWrite {
    /**
     * The statement's column names as a query of its table and the tables joined. Names that are ambiguous in it are so in the
     * statement, although the sub-queries that stand for the join would bind them.
     */
    SqlSelect names();

    /** The written table. */
    SqlIdentifier target();

    /** UPDATE with FROM. */
    final class Update extends SqlUpdate implements JoinedWrite {
        private final SqlSelect names;

        Update(
                SqlParserPos position,
                SqlIdentifier table,
                SqlNodeList targets,
                SqlNodeList sources,
                SqlNode condition,
                SqlIdentifier alias,
                SqlSelect names) {
            super(position, table, targets, sources, condition, null, alias);
            this.names = names;
        }

        @Override
        public SqlSelect names() {
            return names;
        }

        @Override
        public SqlIdentifier target() {
            return (SqlIdentifier) getTargetTable();
        }
    }

    /** DELETE with USING. */
    final class Delete extends SqlDelete implements JoinedWrite {
        private final SqlSelect names;

        Delete(SqlParserPos position, SqlIdentifier table, SqlNode condition, SqlIdentifier alias, SqlSelect names) {
            super(position, table, condition, null, alias);
            this.names = names;
        }

        @Override
        public SqlSelect names() {
            return names;
        }

        @Override
        public SqlIdentifier target() {
            return (SqlIdentifier) getTargetTable();
        }
    }
}
