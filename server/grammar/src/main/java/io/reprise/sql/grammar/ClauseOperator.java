package io.reprise.sql.grammar;

import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlSpecialOperator;

/** The operator of a clause behind a statement; its operands are the statement and the clause's parts. */
public final class ClauseOperator extends SqlSpecialOperator {
    ClauseOperator(String name) {
        super(name, SqlKind.OTHER_DDL);
    }
}
