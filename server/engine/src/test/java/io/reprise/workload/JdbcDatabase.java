package io.reprise.workload;

import io.reprise.procedure.Binding;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.ResultTable;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.procedure.TransactionRandom;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The workloads' procedures on H2: an independent engine under the same procedures, so that what goes wrong on Reprise but
 * not here is Reprise's fault, and the checkers can be tested for what they find.
 */
final class JdbcDatabase implements Database, AutoCloseable {
    private static final Pattern FROM_CLASS = Pattern.compile("FROM CLASS ([A-Za-z.]+)");

    private final Connection connection;
    private final Placement placement;
    private final Map<String, Procedure> procedures = new HashMap<>();
    private final List<JdbcRows.Table> tables = new ArrayList<>();
    private long clock = 1_700_000_000_000_000L;

    JdbcDatabase(Workload workload, Placement placement) throws SQLException {
        this.placement = placement;
        connection = DriverManager.getConnection("jdbc:h2:mem:");
        connection.setAutoCommit(false);
        for (String statement : workload.ddl().replaceAll("--[^\n]*", "").split(";")) {
            declare(statement.strip());
        }
        connection.commit();
    }

    private void declare(String statement) throws SQLException {
        Matcher fromClass = FROM_CLASS.matcher(statement);
        if (statement.startsWith("CREATE PROCEDURE") && fromClass.find()) {
            Procedure procedure = instantiate(fromClass.group(1));
            procedures.put(procedure.getClass().getSimpleName(), procedure);
        } else if (statement.startsWith("CREATE")) {
            try (var plain = connection.createStatement()) {
                plain.execute(statement.replaceAll(" USING (HASH|ORDERED)", ""));
            }
        }
    }

    private Procedure instantiate(String className) {
        return new JdbcBinding().during(() -> {
            try {
                return Class.forName(className)
                        .asSubclass(Procedure.class)
                        .getDeclaredConstructor()
                        .newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Override
    public Rows call(String procedure, Object... arguments) {
        tables.forEach(JdbcRows.Table::clear);
        clock += 100;
        try {
            Rows result = invoke(procedures.get(procedure), arguments);
            connection.commit();
            return result;
        } catch (ProcedureException e) {
            rollback();
            throw e;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Rows invoke(Procedure procedure, Object... arguments) {
        Method run = Arrays.stream(procedure.getClass().getMethods())
                .filter(m -> m.getName().equals("run"))
                .findFirst()
                .orElseThrow();
        Object[] converted = new Object[arguments.length];
        for (int i = 0; i < arguments.length; i++) {
            converted[i] = convert(arguments[i], run.getParameterTypes()[i]);
        }
        try {
            Object result = run.invoke(procedure, converted);
            return switch (result) {
                case null -> new JdbcRows(List.of());
                case JdbcRows.Table table -> table.filled();
                case Rows rows -> rows;
                default -> JdbcRows.single(result);
            };
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof ProcedureException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object convert(Object argument, Class<?> type) {
        if (argument instanceof Number number) {
            return type == byte.class
                    ? (Object) number.byteValue()
                    : type == short.class
                            ? (Object) number.shortValue()
                            : type == int.class ? (Object) number.intValue() : (Object) number.longValue();
        }
        return argument instanceof String string && type == Text.class ? Text.of(string) : argument;
    }

    @Override
    public Rows query(String sql, Object... arguments) {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            Rows result = statement.execute()
                    ? JdbcRows.read(statement.getResultSet())
                    : JdbcRows.single((long) statement.getUpdateCount());
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw JdbcStatement.failure(e);
        }
    }

    @Override
    public Placement placement() {
        return placement;
    }

    private void rollback() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private final class JdbcBinding extends Binding {
        @Override
        protected Statement statement(String text) {
            try {
                return new JdbcStatement(connection.prepareStatement(text));
            } catch (SQLException e) {
                throw new IllegalStateException(text, e);
            }
        }

        @Override
        protected ResultTable table(String... columnNames) {
            JdbcRows.Table table = new JdbcRows.Table(columnNames);
            tables.add(table);
            return table;
        }

        @Override
        protected long timestampMicros() {
            return clock;
        }

        @Override
        protected long transactionId() {
            return clock;
        }

        @Override
        protected TransactionRandom random() {
            TransactionRandom random = new TransactionRandom();
            random.seed(clock);
            return random;
        }

        @Override
        protected void flush() {
            throw new UnsupportedOperationException("the workloads queue no statements");
        }

        @Override
        protected int savepoint() {
            throw new UnsupportedOperationException("the workloads take no savepoints");
        }

        @Override
        protected void rollbackTo(int savepoint) {
            throw new UnsupportedOperationException("the workloads take no savepoints");
        }
    }
}
