package io.reprise.net.postgres;

import io.reprise.session.ErrorFields;
import io.reprise.session.Notice;
import io.reprise.session.PgType;
import io.reprise.session.ResultColumn;
import io.reprise.session.SessionException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the messages of the server. */
final class Replies {
    private static final int TEXT = 0;
    private static final int BINARY = 1;
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final BodyWriter out;

    Replies(BodyWriter out) {
        this.out = out;
    }

    BodyWriter out() {
        return out;
    }

    void authentication(int kind) {
        int place = out.begin('R');
        out.int32(kind);
        out.end(place);
    }

    void saslMechanisms(String mechanism) {
        int place = out.begin('R');
        out.int32(SASL).string(mechanism).int8(0);
        out.end(place);
    }

    /** A step of SCRAM: more is expected, or the last one. */
    void sasl(boolean last, String message) {
        int place = out.begin('R');
        out.int32(last ? SASL_FINAL : SASL_CONTINUE).raw(message.getBytes(StandardCharsets.UTF_8));
        out.end(place);
    }

    void parameterStatus(String name, String value) {
        int place = out.begin('S');
        out.string(name).string(value);
        out.end(place);
    }

    void backendKey(int processId, int secret) {
        int place = out.begin('K');
        out.int32(processId).int32(secret);
        out.end(place);
    }

    void negotiateVersion(int newestMinor, List<String> unknownOptions) {
        int place = out.begin('v');
        out.int32(newestMinor).int32(unknownOptions.size());
        unknownOptions.forEach(out::string);
        out.end(place);
    }

    void ready(char status) {
        int place = out.begin('Z');
        out.int8(status);
        out.end(place);
    }

    void parseComplete() {
        out.empty('1');
    }

    void bindComplete() {
        out.empty('2');
    }

    void closeComplete() {
        out.empty('3');
    }

    void noData() {
        out.empty('n');
    }

    void portalSuspended() {
        out.empty('s');
    }

    void emptyQuery() {
        out.empty('I');
    }

    void commandComplete(String tag) {
        int place = out.begin('C');
        out.string(tag);
        out.end(place);
    }

    /** The beginning of a COPY: {@code G} of one to the server, {@code H} of one to the client. */
    void copyResponse(char kind, boolean binary, int columns) {
        int place = out.begin(kind);
        int format = binary ? BINARY : TEXT;
        out.int8(format).int16(columns);
        for (int i = 0; i < columns; i++) {
            out.int16(format);
        }
        out.end(place);
    }

    void copyDone() {
        out.empty('c');
    }

    void parameterDescription(List<PgType> types) {
        int place = out.begin('t');
        out.int16(types.size());
        types.forEach(type -> out.int32(type.oid()));
        out.end(place);
    }

    void rowDescription(List<ResultColumn> columns, int... formats) {
        int place = out.begin('T');
        out.int16(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            ResultColumn column = columns.get(i);
            out.string(column.name())
                    .int32(0)
                    .int16(0)
                    .int32(column.type().oid())
                    .int16(column.type().size())
                    .int32(column.type().modifier())
                    .int16(isBinary(formats, i) ? BINARY : TEXT);
        }
        out.end(place);
    }

    /** Whether a column is sent in binary: no format means text for all, one holds for all. */
    static boolean isBinary(int[] formats, int column) {
        if (formats.length == 0) {
            return false;
        }
        return formats[formats.length == 1 ? 0 : column] == BINARY;
    }

    void error(SessionException failure) {
        report('E', "ERROR", failure.state(), failure.getMessage(), failure.fields());
    }

    void fatal(String state, String message) {
        report('E', "FATAL", state, message, ErrorFields.NONE);
    }

    void notice(Notice notice) {
        report('N', notice.severity(), notice.state(), notice.message(), ErrorFields.NONE);
    }

    private void report(char kind, String severity, String state, String message, ErrorFields fields) {
        int place = out.begin(kind);
        out.int8('S').string(severity);
        out.int8('V').string(severity);
        out.int8('C').string(state);
        out.int8('M').string(String.valueOf(message).replace("\0", ""));
        field('D', fields.detail());
        field('H', fields.hint());
        field('P', fields.position() > 0 ? Integer.toString(fields.position()) : "");
        field('W', fields.where());
        field('s', fields.schema());
        field('t', fields.table());
        field('c', fields.column());
        field('n', fields.constraint());
        out.int8(0);
        out.end(place);
    }

    private void field(char name, String value) {
        if (!value.isEmpty()) {
            out.int8(name).string(value.replace("\0", ""));
        }
    }
}
