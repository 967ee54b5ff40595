package io.reprise.workload;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import java.math.BigDecimal;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A procedure's statement run by another database. For tests. */
final class JdbcStatement extends Statement {
    /** The scale of parameters in arithmetic, of which H2 knows nothing; the workloads compute with money only. */
    private static final int MONEY_SCALE = 2;

    private final PreparedStatement statement;
    private final int[] types;
    private final int[] scales;
    private JdbcRows rows;

    /** Asks for the parameters' types now: later H2 would tell those of the values set. */
    JdbcStatement(PreparedStatement statement) throws SQLException {
        this.statement = statement;
        ParameterMetaData parameters = statement.getParameterMetaData();
        types = new int[parameters.getParameterCount()];
        scales = new int[types.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = parameters.getParameterType(i + 1);
            boolean decimal = types[i] == Types.DECIMAL || types[i] == Types.NUMERIC;
            scales[i] = decimal ? parameters.getScale(i + 1) : MONEY_SCALE;
        }
    }

    private JdbcStatement bind(int parameter, Object value) {
        try {
            statement.setObject(parameter + 1, value);
            return this;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    static ProcedureException failure(SQLException e) {
        if (e instanceof SQLIntegrityConstraintViolationException) {
            return new ProcedureException(ErrorCode.CONSTRAINT_VIOLATION, e.getMessage());
        }
        throw new IllegalStateException(e);
    }

    @Override
    public Statement set(int parameter, long value) {
        if (types[parameter] == Types.TIMESTAMP) {
            return bind(
                    parameter, LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC).plus(value, ChronoUnit.MICROS));
        }
        return bind(parameter, value);
    }

    @Override
    public Statement set(int parameter, double value) {
        return bind(parameter, value);
    }

    @Override
    public Statement set(int parameter, boolean value) {
        return bind(parameter, value);
    }

    @Override
    public Statement set(int parameter, String value) {
        return bind(parameter, value);
    }

    @Override
    public Statement set(int parameter, Text value) {
        return bind(parameter, value == null ? null : value.toString());
    }

    @Override
    public Statement set(int parameter, byte[] value) {
        return bind(parameter, value);
    }

    @Override
    public Statement set(int parameter, BigDecimal value) {
        return bind(parameter, value);
    }

    @Override
    public Statement setUnscaled(int parameter, long unscaled) {
        return bind(parameter, BigDecimal.valueOf(unscaled, scales[parameter]));
    }

    @Override
    public Statement setNull(int parameter) {
        return bind(parameter, null);
    }

    @Override
    public Rows query() {
        try (var result = statement.executeQuery()) {
            rows = JdbcRows.read(result);
            return rows;
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public Rows rows() {
        return rows;
    }

    @Override
    public long update() {
        try {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    @Override
    public Rows queue() {
        throw new UnsupportedOperationException("the workloads queue no statements");
    }
}
