package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.TableStore;

/**
 * Images of rows and of sets of columns, encoded and decoded column by column, for any table and any bytes. {@link RowImageCodec} draws the
 * format, and uses generated code instead where it suffices. Owned like the codec.
 */
final class PlainImages {
    private final TableStore store;
    private final Memory memory;
    private final ColumnImages columns;
    private final ColumnSets sets;
    private final int rowNullBytes;

    PlainImages(TableStore store, Memory memory, ColumnImages columns, ColumnSets sets, int rowNullBytes) {
        this.store = store;
        this.memory = memory;
        this.columns = columns;
        this.sets = sets;
        this.rowNullBytes = rowNullBytes;
    }

    long writeRow(long row, Memory target, long address) {
        long at = address + rowNullBytes;
        int nullables = 0;
        int nulls = 0;
        for (int column = 0; column < columns.count(); column++) {
            if (columns.isNullable(column)) {
                boolean isNull = columns.isNull(row, column);
                nulls |= (isNull ? 1 : 0) << (nullables & 7);
                if ((++nullables & 7) == 0) {
                    target.putByte(address + (nullables >> 3) - 1, (byte) nulls);
                    nulls = 0;
                }
                if (isNull) {
                    continue;
                }
            }
            at = columns.write(column, row, target, at);
        }
        if ((nullables & 7) != 0) {
            target.putByte(address + (nullables >> 3), (byte) nulls);
        }
        return at;
    }

    void readRow(ImageCursor in, long row) {
        long nullBits = in.skip(rowNullBytes);
        int nullables = 0;
        for (int column = 0; column < columns.count(); column++) {
            if (columns.isNullable(column)) {
                if (isSet(in, nullBits, nullables++)) {
                    store.layout().setNull(memory, row, column);
                    continue;
                }
            }
            columns.readIntoNew(row, column, in);
        }
    }

    boolean unpackRow(ImageCursor in, Memory target, long row) {
        long nullBits = in.skip(rowNullBytes);
        int nullables = 0;
        for (int column = 0; column < columns.count(); column++) {
            if (columns.isNullable(column)) {
                if (isSet(in, nullBits, nullables++)) {
                    store.layout().setNull(target, row, column);
                    continue;
                }
            }
            if (!columns.unpack(column, in, target, row)) {
                return false;
            }
        }
        return true;
    }

    long unpackColumns(ImageCursor in, long[] set, Memory target, long address) {
        long nullBits = in.skip((sets.nullableIn(set) + 7) / 8);
        int nullables = 0;
        long at = address;
        for (int column = sets.next(set, 0); column >= 0; column = sets.next(set, column + 1)) {
            if (columns.isString(column)) {
                return -1;
            }
            long value = 0;
            if (columns.isNullable(column)) {
                boolean isNull = isSet(in, nullBits, nullables++);
                at = ColumnWrites.putNull(target, at, columns.nullByte(column), columns.nullMask(column), isNull);
                value = isNull ? 0 : columns.read(column, in);
            } else {
                value = columns.read(column, in);
            }
            at = ColumnWrites.put(target, at, columns.offset(column), columns.width(column), value);
        }
        return at;
    }

    void skipRow(ImageCursor in) {
        long nullBits = in.skip(rowNullBytes);
        int nullables = 0;
        for (int column = 0; column < columns.count(); column++) {
            if (columns.isNullable(column)) {
                if (isSet(in, nullBits, nullables++)) {
                    continue;
                }
            }
            columns.skip(column, in);
        }
    }

    long writeColumns(long row, long[] set, Memory target, long address) {
        sets.write(set, target, address);
        long nullBits = address + sets.imageBytes();
        long at = nullBits + (sets.nullableIn(set) + 7) / 8;
        for (long zero = nullBits; zero < at; zero++) {
            target.putByte(zero, (byte) 0);
        }
        int nullables = 0;
        for (int column = sets.next(set, 0); column >= 0; column = sets.next(set, column + 1)) {
            if (columns.isNullable(column)) {
                int bit = nullables++;
                if (columns.isNull(row, column)) {
                    long byteAt = nullBits + (bit >> 3);
                    target.putByte(byteAt, (byte) (target.getByte(byteAt) | 1 << (bit & 7)));
                    continue;
                }
            }
            at = columns.write(column, row, target, at);
        }
        return at;
    }

    void readColumns(ImageCursor in, long[] set, long row) {
        long nullBits = in.skip((sets.nullableIn(set) + 7) / 8);
        int nullables = 0;
        for (int column = sets.next(set, 0); column >= 0; column = sets.next(set, column + 1)) {
            if (columns.isNullable(column)) {
                if (isSet(in, nullBits, nullables++)) {
                    columns.setNull(row, column);
                    continue;
                }
                columns.clearNull(row, column);
            }
            columns.readInto(row, column, in);
        }
    }

    void skipColumns(ImageCursor in, long[] set) {
        long nullBits = in.skip((sets.nullableIn(set) + 7) / 8);
        int nullables = 0;
        for (int column = sets.next(set, 0); column >= 0; column = sets.next(set, column + 1)) {
            if (columns.isNullable(column)) {
                if (isSet(in, nullBits, nullables++)) {
                    continue;
                }
            }
            columns.skip(column, in);
        }
    }

    static boolean isSet(ImageCursor in, long bits, int bit) {
        return SetReader.isNull(in.memory(), bits, bit);
    }
}
