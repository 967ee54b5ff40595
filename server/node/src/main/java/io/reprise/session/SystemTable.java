package io.reprise.session;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.ScannableTable;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.sql.type.SqlTypeName;

/** A table of the system catalogue: names and kinds of columns, and rows. */
final class SystemTable extends AbstractTable implements ScannableTable {
    private final List<String> names = new ArrayList<>();
    private final List<SqlTypeName> types = new ArrayList<>();
    private final List<Object[]> rows = new ArrayList<>();

    /**
     * A table without rows.
     *
     * @param columns names with blanks between; a sign behind a name tells the type: # BIGINT, ? BOOLEAN, none VARCHAR
     */
    SystemTable(String columns) {
        for (String column : columns.trim().split("\\s+")) {
            char sign = column.charAt(column.length() - 1);
            SqlTypeName type = switch (sign) {
                case '#' -> SqlTypeName.BIGINT;
                case '?' -> SqlTypeName.BOOLEAN;
                default -> SqlTypeName.VARCHAR;
            };
            types.add(type);
            names.add(type == SqlTypeName.VARCHAR ? column : column.substring(0, column.length() - 1));
        }
    }

    /** Adds a row; integers become BIGINT. */
    SystemTable row(Object... values) {
        if (values.length != names.size()) {
            throw new IllegalArgumentException(values.length + " values for the columns " + names);
        }
        Object[] row = new Object[values.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = values[i] instanceof Integer number ? Long.valueOf(number) : values[i];
        }
        rows.add(row);
        return this;
    }

    /** The table with a row for each number in a list: its place as key_n, the number as key_x. Calcite can't expand lists. */
    SystemTable expanded(String list) {
        StringBuilder columns = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            char sign = types.get(i) == SqlTypeName.BIGINT ? '#' : types.get(i) == SqlTypeName.BOOLEAN ? '?' : ' ';
            columns.append(names.get(i)).append(sign).append(' ');
        }
        SystemTable expanded = new SystemTable(columns + "key_n# key_x#");
        int at = names.indexOf(list);
        for (Object[] row : rows) {
            String[] numbers = String.valueOf(row[at]).replaceAll("[{}]", "").split("[, ]");
            for (int i = 0; i < numbers.length; i++) {
                Object[] longer = Arrays.copyOf(row, row.length + 2);
                longer[row.length] = i + 1;
                longer[row.length + 1] = Long.valueOf(numbers[i]);
                expanded.row(longer);
            }
        }
        return expanded;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory factory) {
        RelDataTypeFactory.Builder builder = factory.builder();
        for (int i = 0; i < names.size(); i++) {
            builder.add(names.get(i), types.get(i)).nullable(true);
        }
        return builder.build();
    }

    @Override
    public Enumerable<Object[]> scan(DataContext root) {
        return Linq4j.asEnumerable(rows);
    }
}
