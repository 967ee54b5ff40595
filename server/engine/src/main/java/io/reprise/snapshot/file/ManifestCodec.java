package io.reprise.snapshot.file;

import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.id.PartitionId;
import io.reprise.storage.row.RowLayout;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The bytes of a manifest; docs/reference/formats/snapshot.md has the whole. Numbers are little endian, those of varying length as
 * everywhere in base 128.
 *
 * <pre>
 *  0  8  "REPRMANI"
 *  8  4  format
 * 12  4  bytes of the body
 * 16  4  CRC32C of the 16 bytes before and the body
 * 20     body
 * </pre>
 */
final class ManifestCodec {
    static final int FORMAT = 2;

    private static final long MAGIC = 0x494E414D52504552L;
    private static final int HEADER = 20;
    private static final int CRC_AT = 16;

    /** A table has at least its id, the length of its name, whether it is replicated, and the number of buckets. */
    private static final int LEAST_TABLE = 4;

    private static final long MOST_ROW_ID = 1L << RowLayout.SEQUENCE_BITS;

    private ManifestCodec() {}

    static byte[] encode(Manifest manifest) {
        Body body = new Body();
        body.fixed(manifest.identity().database().high());
        body.fixed(manifest.identity().database().low());
        body.fixed(manifest.identity().transactionId());
        body.varint(manifest.partitions());
        Manifest.Origin origin = manifest.origin();
        body.fixed(origin.logPosition());
        body.fixed(origin.epochMicros());
        body.varint(origin.catalogVersion());
        body.varint(origin.nextTableId());
        body.text(origin.ddl());
        body.bytes(origin.attachment());
        body.varint(manifest.files().size());
        for (DataFileEntry file : manifest.files()) {
            body.text(file.name());
            body.varint(file.partition());
            body.varint(file.size());
            body.varint(file.indexPosition());
            body.varint(file.blocks());
            body.varint(file.rows());
            body.fixed(file.crc32c() & 0xFFFFFFFFL);
        }
        body.varint(manifest.tables().size());
        manifest.tables().forEach(table -> encode(table, body));
        if (!origin.outcomes().isEmpty()) {
            body.varint(origin.outcomes().size());
            origin.outcomes().forEach(body::bytes);
        }
        byte[] bytes = body.out.toByteArray();
        ByteBuffer whole = ByteBuffer.allocate(HEADER + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        whole.putLong(MAGIC).putInt(FORMAT).putInt(bytes.length);
        whole.put(HEADER, bytes);
        whole.putInt(CRC_AT, crc(whole.array()));
        return whole.array();
    }

    private static void encode(TableContents table, Body body) {
        body.varint(table.id());
        body.text(table.name());
        body.varint(table.replicated() ? 1 : 0);
        int used = 0;
        for (int bucket = 0; bucket < table.buckets(); bucket++) {
            used += table.nextRowId(bucket) == 0 ? 0 : 1;
        }
        body.varint(used);
        int before = 0;
        for (int bucket = 0; bucket < table.buckets(); bucket++) {
            if (table.nextRowId(bucket) != 0) {
                body.varint(bucket - before);
                body.varint(table.nextRowId(bucket));
                body.varint(table.rows(bucket));
                body.fixed(table.hash(bucket));
                before = bucket;
            }
        }
    }

    private static int crc(byte[] whole) {
        CRC32C crc = new CRC32C();
        crc.update(whole, 0, CRC_AT);
        crc.update(whole, HEADER, whole.length - HEADER);
        return (int) crc.getValue();
    }

    /** Reads a manifest; the path is for messages. */
    static Manifest decode(byte[] whole, String path) {
        if (whole.length < HEADER) {
            throw new DamagedSnapshotException(
                    path, whole.length, "it has " + whole.length + " bytes and a manifest has at least " + HEADER);
        }
        ByteBuffer header = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
        if (header.getLong(0) != MAGIC) {
            throw new DamagedSnapshotException(path, 0, "it does not begin as a manifest does");
        }
        if (header.getInt(12) != whole.length - HEADER) {
            throw new DamagedSnapshotException(
                    path,
                    12,
                    "it has " + whole.length + " bytes, but says that " + header.getInt(12) + " follow its header");
        }
        if (header.getInt(CRC_AT) != crc(whole)) {
            throw new DamagedSnapshotException(path, CRC_AT, "its checksum does not match its content");
        }
        if (header.getInt(8) != FORMAT) {
            throw new UnknownSnapshotFormatException(path, header.getInt(8), FORMAT);
        }
        try {
            return decode(new BodyReader(header.position(HEADER)));
        } catch (RuntimeException e) {
            String why = e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
            throw new DamagedSnapshotException(
                    path, header.position(), "its content makes no sense although its checksum matches" + why, e);
        }
    }

    /** Nothing that comes out is impossible: others make room for what is said here, and go where it says. */
    private static Manifest decode(BodyReader body) {
        SnapshotIdentity identity = new SnapshotIdentity(new DatabaseId(body.fixed(), body.fixed()), body.fixed());
        int partitions = body.number(1, PartitionId.MOST, "the number of partitions");
        long logPosition = body.fixed();
        long epochMicros = body.fixed();
        long catalogVersion = body.varint(0, Long.MAX_VALUE, "the catalog's version");
        int nextTableId = body.number(0, Integer.MAX_VALUE, "the next table's id");
        String ddl = body.text();
        byte[] attachment = body.bytes();
        List<DataFileEntry> files = new ArrayList<>();
        body.number(partitions, partitions, "the number of data files");
        for (int partition = 0; partition < partitions; partition++) {
            files.add(file(body, partition));
        }
        List<TableContents> tables =
                tables(body, partitions, nextTableId, identity.database().buckets());
        List<byte[]> outcomes = new ArrayList<>();
        // A snapshot that was copied for another database has none.
        for (int i = body.in.hasRemaining() ? body.number() : 0; i > 0; i--) {
            outcomes.add(body.bytes());
        }
        Manifest.Origin origin =
                new Manifest.Origin(logPosition, epochMicros, catalogVersion, nextTableId, ddl, attachment, outcomes);
        if (body.in.hasRemaining()) {
            throw new IllegalArgumentException(body.in.remaining() + " bytes are left");
        }
        requireSameRows(files, tables);
        return new Manifest(identity, partitions, origin, files, tables);
    }

    private static DataFileEntry file(BodyReader body, int partition) {
        String name = body.text();
        if (!name.equals(SnapshotDirectory.dataFile(partition))) {
            throw new IllegalArgumentException("the data file of partition " + partition + " is called " + name);
        }
        body.number(partition, partition, "a data file's partition");
        long size = body.varint(BlockFormat.FILE_HEADER + BlockFormat.BLOCK_HEADER, Long.MAX_VALUE, "a file's size");
        long indexPosition =
                body.varint(BlockFormat.FILE_HEADER, size - BlockFormat.BLOCK_HEADER, "where a file's index is");
        long blocks = body.varint(0, size / BlockFormat.BLOCK_HEADER, "the number of a file's blocks");
        long rows = body.varint(0, Long.MAX_VALUE, "the number of a file's rows");
        return new DataFileEntry(name, partition, size, indexPosition, blocks, rows, (int) body.fixed());
    }

    private static List<TableContents> tables(BodyReader body, int partitions, int nextTableId, Buckets buckets) {
        List<TableContents> tables = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        for (int i = body.number(0, body.in.remaining() / LEAST_TABLE, "the number of tables"); i > 0; i--) {
            int id = body.number(0, nextTableId - 1, "a table's id");
            ids.add(id);
            tables.add(table(body, id, buckets));
        }
        if (tables.size() != ids.size()) {
            requireByPartition(tables, ids.size(), partitions);
        }
        return tables;
    }

    /** A table that is there several times is there once for each partition, in the same order. */
    private static void requireByPartition(List<TableContents> tables, int count, int partitions) {
        for (int i = 0; i < tables.size(); i++) {
            TableContents first = tables.get(i % count);
            boolean isSame = tables.get(i).id() == first.id()
                    && tables.get(i).name().equals(first.name())
                    && tables.get(i).replicated() == first.replicated();
            if (tables.size() != count * partitions || !isSame) {
                throw new IllegalArgumentException("table " + tables.get(i).id() + " is there twice");
            }
        }
    }

    private static TableContents table(BodyReader body, int id, Buckets buckets) {
        TableContents table =
                new TableContents(id, body.text(), body.number(0, 1, "whether a table is replicated") != 0, buckets);
        int used = body.number(0, table.buckets(), "the number of a table's buckets");
        int bucket = 0;
        for (int i = 0; i < used; i++) {
            bucket += body.number(i == 0 ? 0 : 1, table.buckets() - 1 - bucket, "a step between buckets");
            table.nextRowId(bucket, body.varint(1, MOST_ROW_ID, "the next row's number"));
            table.add(bucket, body.varint(0, MOST_ROW_ID, "the number of a bucket's rows"), body.fixed());
        }
        return table;
    }

    private static void requireSameRows(List<DataFileEntry> files, List<TableContents> tables) {
        long inFiles = 0;
        for (DataFileEntry file : files) {
            inFiles = Math.addExact(inFiles, file.rows());
        }
        long inTables = 0;
        for (TableContents table : tables) {
            inTables = Math.addExact(inTables, table.totalRows());
        }
        if (inFiles != inTables) {
            throw new IllegalArgumentException("the tables have " + inTables + " rows, and the files " + inFiles);
        }
    }

    /** A manifest being written. */
    private static final class Body {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        void fixed(long value) {
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                out.write((int) (value >>> shift));
            }
        }

        void varint(long value) {
            long rest = value;
            while ((rest & -0x80L) != 0) {
                out.write((int) (rest | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
        }

        void bytes(byte[] bytes) {
            varint(bytes.length);
            out.writeBytes(bytes);
        }

        void text(String text) {
            bytes(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** A manifest being read; a buffer that ends too early throws by itself. */
    private record BodyReader(ByteBuffer in) {
        long fixed() {
            return in.getLong();
        }

        long varint() {
            long value = 0;
            for (int shift = 0; shift < Long.SIZE; shift += 7) {
                byte next = in.get();
                value |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return value;
                }
            }
            throw new IllegalArgumentException("a number has more than 10 bytes");
        }

        long varint(long least, long most, String what) {
            long value = varint();
            if (value < least || value > most) {
                throw new IllegalArgumentException(what + " is " + value);
            }
            return value;
        }

        int number(int least, int most, String what) {
            return (int) varint(least, most, what);
        }

        int number() {
            return number(0, Integer.MAX_VALUE, "a number");
        }

        byte[] bytes() {
            int length = number();
            if (length > in.remaining()) {
                throw new IllegalArgumentException("a text has " + length + " bytes of " + in.remaining());
            }
            byte[] bytes = new byte[length];
            in.get(bytes);
            return bytes;
        }

        String text() {
            return new String(bytes(), StandardCharsets.UTF_8);
        }
    }
}
