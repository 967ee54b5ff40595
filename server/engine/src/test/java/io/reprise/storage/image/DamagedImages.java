package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import java.util.Random;

/** Images with something wrong in them. */
final class DamagedImages {
    private DamagedImages() {}

    /** Cuts some bytes off or changes a bit. Returns how many bytes there are now. */
    static long damage(Memory memory, long at, long length, Random random) {
        if (length == 0 || random.nextInt(3) == 0) {
            return random.nextLong(length + 1);
        }
        long where = at + random.nextLong(length);
        memory.putByte(where, (byte) (memory.getByte(where) ^ 1 << random.nextInt(8)));
        return length;
    }
}
