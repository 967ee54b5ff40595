package io.reprise.net.reprise;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.Wire;
import io.reprise.wire.message.SchemaPart;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Joins the parts of a connection's changes of the schema, one change after the other. Owned by the network loop. */
final class SchemaParts {
    /** A change whose last part has come; one that was rejected has no script and no jar. */
    record Change(long id, boolean rejected, String script, byte[] jar) {}

    private ByteString script = ByteString.EMPTY;
    private ByteString jar = ByteString.EMPTY;
    private long id;
    private boolean joining;
    private boolean rejected;

    /**
     * Adds a part; returns the change if it is whole.
     *
     * @param permitted false: the change is rejected, and its parts are dropped
     */
    Optional<Change> add(byte[] message, boolean permitted) throws InvalidProtocolBufferException {
        SchemaPart part = SchemaPart.parseFrom(message);
        if (joining && part.getId() != id) {
            throw new MalformedMessageException("a change of the schema begins before another has ended");
        }
        joining = part.getMore();
        id = part.getId();
        rejected |= !permitted;
        if (!rejected) {
            script = script.concat(part.getScript());
            jar = jar.concat(part.getJar());
            if (script.size() > Wire.MAX_CHANGE_BYTES - jar.size()) {
                throw new MalformedMessageException(
                        "a change of the schema has more than " + Wire.MAX_CHANGE_BYTES + " bytes");
            }
        }
        return joining ? Optional.empty() : Optional.of(end());
    }

    private Change end() {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(script.toByteArray()))
                    .toString();
            return new Change(id, rejected, text, jar.toByteArray());
        } catch (CharacterCodingException e) {
            throw new MalformedMessageException("a script is not UTF-8");
        } finally {
            script = ByteString.EMPTY;
            jar = ByteString.EMPTY;
            rejected = false;
        }
    }
}
