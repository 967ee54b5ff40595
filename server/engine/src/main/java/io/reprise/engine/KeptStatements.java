package io.reprise.engine;

import io.reprise.execution.work.StoredStatements;
import io.reprise.procedure.Procedure;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ProgramFiles;
import io.reprise.runtime.file.StorageException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code statements.cache} of a data directory: compiled statements of the procedures, so that the next start does not plan
 * them. It is read before the schema is recovered, and written some time after the schema has changed. The file may be missing, damaged
 * or another program's: the start plans what it needs then.
 *
 * <p>{@link #read} runs on the opening thread, the agent on one of its own.
 */
final class KeptStatements implements Agent {
    static final String FILE = "statements.cache";
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.schema");
    private static final String DRAFT = FILE + ".new";

    /** Found out once: it is that of the classes which this process has loaded. */
    private static final Optional<String> PROGRAM = ProgramFiles.identity(KeptStatements.class, Procedure.class);

    /** The time from a change of the schema to the writing of the file: a start has more urgent work, and changes come in groups. */
    private static final long DELAY_NS = 2_000_000_000L;

    private final FileStore files;
    private final EngineSchema schema;
    private byte[] content = {};
    private Schema written;
    private Schema seen;
    private long seenNs;

    KeptStatements(FileStore files, EngineSchema schema) {
        this.files = files;
        this.schema = schema;
    }

    /** Reads the file; nothing if it is of no use. */
    StoredStatements read() {
        if (PROGRAM.isEmpty() || !files.exists(FILE)) {
            return StoredStatements.NONE;
        }
        try (DataFile file = files.openReadOnly(FILE)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
            int count = file.read(0, bytes);
            content = Arrays.copyOf(bytes.array(), count);
            return StoredStatements.decode(content, PROGRAM.get());
        } catch (RuntimeException e) {
            LOG.debug("{} can't be used", FILE, e);
            return StoredStatements.NONE;
        }
    }

    @Override
    public String roleName() {
        return "statements";
    }

    @Override
    public int doWork(long nowNs) {
        Schema now = schema.now();
        if (now == written || PROGRAM.isEmpty()) {
            return 0;
        }
        if (now != seen) {
            seen = now;
            seenNs = nowNs;
        }
        if (nowNs - seenNs < DELAY_NS) {
            return 0;
        }
        keep(now);
        return 1;
    }

    /** A node that stops early has them too. */
    @Override
    public void onClose() {
        Schema now = schema.now();
        if (now != written && PROGRAM.isPresent()) {
            keep(now);
        }
    }

    private void keep(Schema now) {
        written = now;
        try {
            write(now);
        } catch (StorageException e) {
            LOG.warn(
                    "The next start has to plan the statements of procedures, because {} can't be written: {}",
                    FILE,
                    e.getMessage());
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            LOG.warn("The next start has to plan the statements of procedures, because {} can't be made", FILE, e);
        }
    }

    private void write(Schema now) {
        byte[] made = StoredStatements.encode(PROGRAM.orElseThrow(), now.catalog(), now.works(), schema.statements());
        if (Arrays.equals(made, content)) {
            return;
        }
        if (files.exists(DRAFT)) {
            files.delete(DRAFT);
        }
        try (DataFile file = files.create(DRAFT)) {
            file.write(0, ByteBuffer.wrap(made));
        }
        files.rename(DRAFT, FILE);
        content = made;
    }
}
