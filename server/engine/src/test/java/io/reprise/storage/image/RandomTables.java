package io.reprise.storage.image;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.RowAccess.Bytes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** Random tables and rows, with whatever is near an edge more often than chance would have it. */
public final class RandomTables {
    private final Random random;

    public RandomTables(Random random) {
        this.random = random;
    }

    /** A table partitioned on its first key column, or on one without a key, of any type that rows can be dealt by. */
    public Table table(int id, String name, boolean withKey) {
        int count = random.nextInt(8) == 0 ? 65 + random.nextInt(80) : 1 + random.nextInt(20);
        List<Integer> positions = new ArrayList<>();
        List<SqlType> types = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            positions.add(i);
            types.add(type());
        }
        Collections.shuffle(positions, random);
        List<Integer> key = new ArrayList<>(positions.subList(0, Math.min(count, 1 + random.nextInt(3))));
        int partitionColumn = key.getFirst();
        while (types.get(partitionColumn).kind() == Kind.DOUBLE) {
            types.set(partitionColumn, type());
        }
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean nullable = !key.contains(i) && random.nextBoolean();
            columns.add(new Column("C" + i, i, types.get(i), nullable, Optional.empty()));
        }
        return new Table(id, name, columns, indexes(name, key, positions, withKey), OptionalInt.of(partitionColumn));
    }

    private List<Index> indexes(String name, List<Integer> key, List<Integer> positions, boolean withKey) {
        List<Index> indexes = new ArrayList<>();
        if (withKey) {
            indexes.add(new Index("PK_" + name, 0, key, true, kind(), true));
        }
        if (random.nextBoolean()) {
            int column = positions.get(random.nextInt(positions.size()));
            indexes.add(new Index("BY_" + name, indexes.size(), List.of(column), false, kind(), false));
        }
        if (random.nextBoolean() && !key.contains(positions.getLast())) {
            List<Integer> columns = List.of(key.getFirst(), positions.getLast());
            indexes.add(new Index("UNIQUE_" + name, indexes.size(), columns, true, kind(), false));
        }
        return indexes;
    }

    private Index.Kind kind() {
        return random.nextBoolean() ? Index.Kind.HASH : Index.Kind.ORDERED;
    }

    private SqlType type() {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        return switch (kind) {
            case DECIMAL -> SqlType.decimal(18, 2);
            case VARCHAR -> SqlType.varchar(random.nextBoolean() ? 1 + random.nextInt(12) : 1 + random.nextInt(300));
            case VARBINARY -> SqlType.varbinary(1 + random.nextInt(100));
            default -> SqlType.of(kind);
        };
    }

    /** A row, as {@link io.reprise.storage.RowAccess} takes it. */
    public List<Object> row(Table table) {
        List<Object> values = new ArrayList<>();
        for (Column column : table.columns()) {
            values.add(value(column));
        }
        return values;
    }

    /** A value for the column. */
    public Object value(Column column) {
        if (column.nullable() && random.nextInt(4) == 0) {
            return null;
        }
        long number = number();
        return switch (column.type().kind()) {
            case BOOLEAN -> number & 1;
            case TINYINT -> (long) (byte) number;
            case SMALLINT -> (long) (short) number;
            case INTEGER, DATE -> (long) (int) number;
            case BIGINT, DECIMAL, TIMESTAMP -> number;
            case TIME -> Math.floorMod(number, SqlType.MICROS_OF_DAY);
            case DOUBLE -> Double.doubleToRawLongBits(number / 4.0);
            case VARCHAR -> text(column.type().precision());
            case VARBINARY -> binary(column.type().precision());
        };
    }

    /** The bucket of a row of a partitioned table. */
    public static int bucket(Table table, List<Object> row) {
        return Buckets.DEFAULT.of(
                switch (row.get(table.partitionColumn().getAsInt())) {
                    case Bytes text -> Memory.hash(MemorySegment.ofArray(text.bytes()), 0, text.bytes().length);
                    case Object number -> (Long) number;
                });
    }

    private long number() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(10) - 5;
            case 1 -> (1L << random.nextInt(64)) - random.nextInt(3);
            case 2 -> -(1L << random.nextInt(64)) + random.nextInt(3);
            default -> random.nextLong();
        };
    }

    private Bytes text(int most) {
        int length = random.nextInt(4) == 0 ? most : random.nextInt(most + 1);
        String alphabet = random.nextBoolean() ? "abc" : "a\0ä日";
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return new Bytes(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private Bytes binary(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        return new Bytes(bytes);
    }
}
