package io.reprise.sql.grammar;

import org.apache.calcite.sql.parser.SqlParserPos;

/** The refusal of a clause that the grammar accepts and that makes no sense, with its position. */
public final class RefusedSyntaxException extends RuntimeException {
    private final transient SqlParserPos position;

    RefusedSyntaxException(SqlParserPos position, String problem) {
        super(problem);
        this.position = position;
    }

    public SqlParserPos position() {
        return position;
    }
}
