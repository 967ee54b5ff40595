package io.reprise.session;

/**
 * The fields of a failure beside its SQLSTATE and its message. Empty texts and 0 mean that there is none.
 *
 * @param detail a second, longer message
 * @param hint advice
 * @param position the character in the client's text, from 1
 * @param where the context, such as the line of a COPY
 * @param schema the schema of the table
 * @param table the table that the failure is about
 * @param column the column
 * @param constraint the constraint
 */
public record ErrorFields(
        String detail,
        String hint,
        int position,
        String where,
        String schema,
        String table,
        String column,
        String constraint) {
    /** No fields. */
    public static final ErrorFields NONE = new ErrorFields("", "", 0, "", "", "", "", "");

    /** The same with advice. */
    public ErrorFields withHint(String text) {
        return new ErrorFields(detail, text, position, where, schema, table, column, constraint);
    }

    /** The same with a detail. */
    public ErrorFields withDetail(String text) {
        return new ErrorFields(text, hint, position, where, schema, table, column, constraint);
    }

    /** The same at a place. */
    public ErrorFields withPosition(int character) {
        return new ErrorFields(detail, hint, character, where, schema, table, column, constraint);
    }

    /** The same in a context. */
    public ErrorFields withWhere(String context) {
        return new ErrorFields(detail, hint, position, context, schema, table, column, constraint);
    }

    /** The same about a table by its name in the catalog, and a column and a constraint by the client's names. */
    public ErrorFields about(String ofTable, String ofColumn, String ofConstraint) {
        String ofSchema = ofTable.isEmpty() ? "" : Names.schema(ofTable);
        return new ErrorFields(detail, hint, position, where, ofSchema, Names.simple(ofTable), ofColumn, ofConstraint);
    }
}
