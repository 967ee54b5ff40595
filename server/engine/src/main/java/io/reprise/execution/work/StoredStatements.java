package io.reprise.execution.work;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.CatalogPrinter;
import io.reprise.catalog.Index;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.Table;
import io.reprise.execution.Work;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.ImageInput;
import io.reprise.sql.compile.runtime.ImageOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;

/**
 * Compiled statements of procedures from an earlier process, so that a start neither plans nor compiles them. They are used only by the
 * program that made them, and only for the catalog that they were planned for. Anything that does not fit is planned anew.
 *
 * <pre>
 *  int format (1) | text program | text catalog | int count, then for each procedure:
 *      text use | flag tells reads | int count, then each text | bytes: int count, then the image of each statement
 *  int CRC32C of all bytes before it
 *
 *  text: bytes in UTF-8;  bytes: int length, then so many;  numbers: big endian
 * </pre>
 *
 * <p>Any thread.
 */
public final class StoredStatements {
    private static final int FORMAT = 1;

    /** Nothing. */
    public static final StoredStatements NONE = new StoredStatements("", new TreeMap<>());

    private final String catalog;
    private final SortedMap<String, byte[]> images;

    /** The last catalog that was compared. */
    private final AtomicReference<Compared> compared = new AtomicReference<>(new Compared(null, false));

    private final AtomicInteger found = new AtomicInteger();

    /** A procedure's statements: all that their classes depend on beside the catalog. */
    private record Key(CompiledStatements.Use use, boolean tellsReads, List<String> texts) {
        /** The same as one text. */
        String text() {
            return use.name() + tellsReads + String.join("\0", texts);
        }
    }

    private record Compared(Catalog catalog, boolean isSame) {}

    private StoredStatements(String catalog, SortedMap<String, byte[]> images) {
        this.catalog = catalog;
        this.images = images;
    }

    /**
     * The statements that {@link #encode} has written; none, if the bytes are damaged or another program's.
     *
     * @param program identifies the program
     */
    public static StoredStatements decode(byte[] bytes, String program) {
        int body = bytes.length - Integer.BYTES;
        if (body < 0 || crc(bytes, body) != new ImageInput(Arrays.copyOfRange(bytes, body, bytes.length)).number()) {
            return NONE;
        }
        ImageInput in = new ImageInput(Arrays.copyOf(bytes, body));
        if (in.number() != FORMAT || !program.equals(in.text())) {
            return NONE;
        }
        String ofCatalog = in.text();
        SortedMap<String, byte[]> images = new TreeMap<>();
        for (int i = in.count(); i > 0; i--) {
            CompiledStatements.Use use = in.constant(CompiledStatements.Use.class);
            boolean tellsReads = in.flag();
            List<String> texts = new ArrayList<>();
            for (int text = in.count(); text > 0; text--) {
                texts.add(in.text());
            }
            images.put(new Key(use, tellsReads, texts).text(), in.bytes());
        }
        return new StoredStatements(ofCatalog, images);
    }

    /** The statements of all procedures that can be run, planned for this catalog. Plans those that are not known for it yet. */
    public static byte[] encode(
            String program, Catalog catalog, Map<String, Work> works, StatementCollector collector) {
        ImageOutput out = new ImageOutput();
        List<Runnable> entries = new ArrayList<>();
        for (ProcedureDefinition definition : catalog.procedures().values()) {
            Work work = works.get(definition.name());
            if (work instanceof RefusedWork || work == null || work.statements().isEmpty()) {
                continue;
            }
            boolean alone = definition.source() instanceof ProcedureDefinition.FromStatement;
            List<String> texts = work.statements().stream()
                    .map(factory -> factory.traits().sql())
                    .toList();
            List<StatementFactory> factories = compiled(catalog, definition.name(), alone, texts, collector);
            if (!factories.isEmpty()) {
                CompiledStatements.Use use = alone ? CompiledStatements.Use.ALONE : CompiledStatements.Use.IN_CLASS;
                entries.add(() -> encode(out, new Key(use, collector.tellsReads(), texts), factories));
            }
        }
        out.number(FORMAT).text(program).text(text(catalog)).number(entries.size());
        entries.forEach(Runnable::run);
        byte[] body = out.toByteArray();
        return out.number(crc(body, body.length)).toByteArray();
    }

    private static List<StatementFactory> compiled(
            Catalog catalog, String procedure, boolean alone, List<String> texts, StatementCollector collector) {
        try {
            return alone
                    ? CompiledStatements.alone(catalog, procedure, texts.getFirst(), collector)
                    : CompiledStatements.inClass(catalog, procedure, texts, collector);
        } catch (ProcedureException e) {
            // The tables have changed so that it can't be planned any more. The next start finds that out by itself.
            return List.of();
        }
    }

    private static void encode(ImageOutput out, Key key, List<StatementFactory> factories) {
        out.constant(key.use).flag(key.tellsReads).number(key.texts.size());
        key.texts.forEach(out::text);
        ImageOutput image = new ImageOutput();
        image.number(factories.size());
        factories.forEach(factory -> factory.writeImage(image));
        out.bytes(image.toByteArray());
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    /** The statements of a procedure, or null. */
    List<StatementFactory> find(Catalog of, CompiledStatements.Use use, boolean tellsReads, List<String> texts) {
        byte[] image = images.get(new Key(use, tellsReads, texts).text());
        if (image == null || !isOf(of)) {
            return null;
        }
        try {
            ImageInput in = new ImageInput(image);
            List<StatementFactory> factories = new ArrayList<>();
            for (int i = in.count(); i > 0; i--) {
                factories.add(StatementFactory.ofImage(in));
            }
            found.incrementAndGet();
            return List.copyOf(factories);
        } catch (RuntimeException | LinkageError e) {
            return null;
        }
    }

    /** The number of procedures whose statements were found here. */
    public int found() {
        return found.get();
    }

    private boolean isOf(Catalog of) {
        Compared last = compared.get();
        if (last.catalog != of) {
            last = new Compared(of, catalog.equals(text(of)));
            compared.set(last);
        }
        return last.isSame;
    }

    /** A catalog as far as plans and classes depend on it: declarations, ids and positions. */
    private static String text(Catalog of) {
        StringBuilder text = new StringBuilder(CatalogPrinter.print(of));
        for (Table table : of.tables().values()) {
            text.append(table.name()).append(' ').append(table.id()).append('\n');
            for (Index index : table.indexes()) {
                text.append(index.name()).append(' ').append(index.position()).append(index.columns());
                text.append(index.kind()).append(index.unique()).append('\n');
            }
        }
        return text.toString();
    }
}
