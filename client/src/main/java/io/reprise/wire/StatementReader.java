package io.reprise.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A statement that a client wants to be run.
 *
 * @param id the client's number of the request
 * @param sql its text
 * @param arguments its arguments, or those of one row after the other
 * @param rows the number of rows; 0: it is run once
 */
public record StatementReader(long id, String sql, List<Object> arguments, int rows) {
    /** Reads the message of a frame. */
    public static StatementReader read(byte[] bytes) {
        MessageReader reader = new MessageReader().over(bytes, 0, bytes.length);
        ValueReader value = new ValueReader();
        long id = 0;
        String sql = "";
        List<Object> arguments = new ArrayList<>();
        long rows = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            switch (tag) {
                case Wire.STATEMENT_ID:
                    id = reader.varint();
                    break;
                case Wire.STATEMENT_SQL:
                    sql = reader.text();
                    break;
                case Wire.STATEMENT_ARGUMENT:
                    value.read(reader);
                    arguments.add(value.object());
                    break;
                case Wire.STATEMENT_ROWS:
                    rows = reader.varint();
                    break;
                default:
                    reader.skip(tag);
            }
        }
        if (rows < 0 || rows > Math.max(1, arguments.size()) || rows > 0 && arguments.size() % rows != 0) {
            throw new MalformedMessageException(
                    arguments.size() + " arguments can't be those of " + rows + " rows of a statement");
        }
        return new StatementReader(id, sql, arguments, (int) rows);
    }
}
