package io.reprise.torture;

import java.io.IOException;
import java.nio.file.Path;

/** The place of a victim's data, and its successor's view of them. */
interface VictimDisk extends AutoCloseable {
    /** For the data directory. */
    Path directory();

    /** The process has been killed, and the machine may have died with it. */
    void died() throws IOException, InterruptedException;

    @Override
    void close() throws IOException, InterruptedException;

    /** The machine lives on: written bytes are there, forced or not. */
    static VictimDisk ofMachine(Path directory) {
        return new VictimDisk() {
            @Override
            public Path directory() {
                return directory;
            }

            @Override
            public void died() {}

            @Override
            public void close() {}
        };
    }
}
