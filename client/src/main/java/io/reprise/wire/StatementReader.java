package io.reprise.wire;

import java.util.ArrayList;
import java.util.List;

/** A statement that a client wants to be run, as objects: it is planned, so a few more don't matter. */
public record StatementReader(long id, String sql, List<Object> arguments) {
    /** Reads the message of a frame. */
    public static StatementReader read(byte[] bytes) {
        MessageReader reader = new MessageReader().over(bytes, 0, bytes.length);
        ValueReader value = new ValueReader();
        long id = 0;
        String sql = "";
        List<Object> arguments = new ArrayList<>();
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
                default:
                    reader.skip(tag);
            }
        }
        return new StatementReader(id, sql, arguments);
    }
}
