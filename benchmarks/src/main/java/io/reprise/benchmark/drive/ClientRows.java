package io.reprise.benchmark.drive;

import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import java.math.BigDecimal;

/** Rows that came over a connection, as loaders and checkers of workloads read them. */
final class ClientRows extends Rows {
    private final io.reprise.client.Rows rows;

    ClientRows(io.reprise.client.Rows rows) {
        this.rows = rows;
    }

    @Override
    public int count() {
        return rows.count();
    }

    @Override
    public boolean next() {
        return rows.next();
    }

    @Override
    public void rewind() {
        rows.rewind();
    }

    @Override
    public int columns() {
        return rows.columns();
    }

    @Override
    public String columnName(int column) {
        return rows.columnName(column);
    }

    @Override
    public String columnType(int column) {
        return rows.columnType(column);
    }

    @Override
    public Object valueAt(int column) {
        return rows.valueAt(column);
    }

    @Override
    public boolean isNull(int column) {
        return rows.isNull(column);
    }

    @Override
    public long longAt(int column) {
        BigDecimal decimal = rows.decimalAt(column);
        return decimal.longValue();
    }

    @Override
    public double doubleAt(int column) {
        return rows.doubleAt(column);
    }

    @Override
    public long unscaledAt(int column) {
        return rows.decimalAt(column).unscaledValue().longValueExact();
    }

    @Override
    public BigDecimal decimalAt(int column) {
        return rows.decimalAt(column);
    }

    @Override
    public String stringAt(int column) {
        return rows.stringAt(column);
    }

    @Override
    public byte[] bytesAt(int column) {
        return rows.bytesAt(column);
    }

    @Override
    public Text textAt(int column) {
        String value = rows.stringAt(column);
        return value == null ? null : Text.of(value);
    }
}
