package io.reprise.node.http;

import io.reprise.engine.Reprise;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A change of the schema as it was sent.
 *
 * @param script of DDL; may be blank where there is a jar
 * @param jar with procedure classes
 */
record SchemaRequest(String script, Optional<byte[]> jar) {
    private static final int MOST_DIGITS = 9;

    static SchemaRequest of(byte[] body) {
        return new SchemaRequest(text(body, 0, body.length), Optional.empty());
    }

    static SchemaRequest withJar(byte[] body) {
        int digits = 0;
        while (digits < body.length && digits < MOST_DIGITS && body[digits] >= '0' && body[digits] <= '9') {
            digits++;
        }
        if (digits == 0 || digits == body.length || body[digits] != '\n') {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST, "the body has to begin with the script's length in bytes, on a line");
        }
        int begin = digits + 1;
        int length = Integer.parseInt(new String(body, 0, digits, StandardCharsets.US_ASCII));
        if (length > body.length - begin) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "the script's length is given as " + length + ", and only " + (body.length - begin)
                            + " bytes came");
        }
        return new SchemaRequest(
                text(body, begin, length), Optional.of(Arrays.copyOfRange(body, begin + length, body.length)));
    }

    /** Rejects bytes that are no UTF-8, because they would be stored as other characters. */
    static String text(byte[] body, int from, int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body, from, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProcedureException(ErrorCode.INVALID_REQUEST, "what was sent is not in UTF-8; convert it");
        }
    }

    void run(Reprise engine) {
        if (jar.isPresent()) {
            engine.deploy(jar.get(), script);
        } else {
            engine.ddl(script);
        }
    }
}
