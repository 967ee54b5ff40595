package io.reprise.engine;

import io.reprise.footprint.Footprint;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.footprint.FootprintChunk;
import io.reprise.footprint.FootprintEncoder;
import io.reprise.footprint.FootprintReader;
import java.util.Arrays;
import java.util.function.Consumer;

/** Takes the footprints of a buffer through their encoding. */
final class FootprintDecoding {
    private FootprintDecoding() {}

    static void decode(FootprintBuffer buffer, FootprintReader reader, Consumer<Footprint> consumer) {
        FootprintEncoder encoder = new FootprintEncoder();
        buffer.passOn();
        for (FootprintChunk chunk = buffer.poll(); chunk != null; chunk = buffer.poll()) {
            int length = encoder.encode(0, chunk);
            reader.over(Arrays.copyOf(encoder.bytes(), length));
            while (reader.next()) {
                consumer.accept(reader.footprint());
            }
            buffer.giveBack(chunk);
        }
    }
}
