package io.reprise.session;

import io.reprise.catalog.DdlException;
import io.reprise.catalog.SqlType;
import io.reprise.engine.StatementShape;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.ParameterType;
import io.reprise.execution.work.ProcedureWork;
import io.reprise.execution.work.StatementWork;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Cancellation;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.physical.PlanField;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Prepares statements: translates them, has them planned, and finds the types of parameters and columns. Owned by a session. */
final class Preparation {
    private static final Pattern UNTYPED = Pattern.compile("the type of parameter (\\d+) does not follow");
    private static final Pattern UNNAMED = Pattern.compile("COLUMN_\\d+");
    private static final Pattern NO_VALUE = Pattern.compile("Column '(.+)' has no default value");
    private static final int MOST_CASTS = 100;

    private final SessionEngine engine;
    private final SessionFunctions functions;
    private final Supplier<Backends> backends;

    /**
     * Preparation for a session.
     *
     * @param backends the sessions that its user reaches now
     */
    Preparation(SessionEngine engine, SessionFunctions functions, Supplier<Backends> backends) {
        this.engine = engine;
        this.functions = functions;
        this.backends = backends;
    }

    Prepared prepare(Cancellation by, ClientStatement statement, int... declared) {
        ClientStatement.Kind kind = statement.kind();
        return switch (kind) {
            case SESSION -> session(kind, statement, SettingStatements.columns(statement));
            case PREPARE -> session(kind, statement, List.of());
            case TRUNCATE -> {
                Truncation.parse(statement);
                yield session(kind, statement, List.of());
            }
            case COPY -> {
                CopyStatement.parse(statement);
                yield session(kind, statement, List.of());
            }
            case DDL ->
                new Prepared(
                        statement,
                        kind,
                        Translator.translate(statement, functions.searchPath(), name -> null, Map.of()),
                        List.of(),
                        List.of(),
                        "",
                        List.of(),
                        declared,
                        List.of(),
                        false);
            case CALL -> call(statement, ProcedureCall.ofCall(statement), declared);
            case SYSTEM -> system(statement, declared);
            case EXECUTE, ADVISORY, SET_CONFIG ->
                throw new IllegalArgumentException("no statement of its own: " + kind);
            case QUERY -> {
                Optional<AdvisoryCall> lock = AdvisoryCall.of(statement);
                if (lock.isPresent()) {
                    yield lock.get().prepared(statement, declared);
                }
                Optional<SetConfigCall> setting = SetConfigCall.of(statement);
                if (setting.isPresent()) {
                    yield setting.get().prepared(statement, declared);
                }
                if (SystemQueries.isSystemQuery(statement)) {
                    yield system(statement, declared);
                }
                Optional<ProcedureCall> call = ProcedureCall.ofQuery(statement, name -> engine.procedure(name) != null);
                yield call.isPresent() ? call(statement, call.get(), declared) : planned(by, statement, declared);
            }
            case WRITE, EXPLAIN -> planned(by, statement, declared);
            case DECLARE -> declare(by, statement, declared);
        };
    }

    /** A statement that the session runs itself. */
    static Prepared session(ClientStatement.Kind kind, ClientStatement statement, List<ResultColumn> columns) {
        return new Prepared(statement, kind, null, List.of(), List.of(), "", List.of(), new int[0], columns, true);
    }

    /** An EXECUTE of a statement, with its columns. */
    static Prepared executed(ClientStatement statement, Prepared target) {
        if (target == null) {
            throw SessionException.unsupported("EXECUTE of an empty statement is not supported");
        }
        return new Prepared(
                statement,
                ClientStatement.Kind.EXECUTE,
                null,
                List.of(),
                List.of(),
                "",
                List.of(),
                new int[0],
                target.columns(),
                target.readOnly(),
                target);
    }

    private Prepared declare(Cancellation by, ClientStatement statement, int... declared) {
        int from = Cursors.Declaration.parse(statement).query();
        List<ClientStatement> parts = ClientStatement.split(statement.text().substring(from));
        if (parts.size() != 1 || parts.getFirst().kind() != ClientStatement.Kind.QUERY) {
            throw SessionException.syntax("DECLARE takes a query", from);
        }
        Prepared query;
        try {
            query = prepare(by, parts.getFirst(), declared);
        } catch (SessionException failure) {
            throw failure.movedBy(from + parts.getFirst().offset());
        }
        return new Prepared(
                statement,
                ClientStatement.Kind.DECLARE,
                null,
                List.of(),
                List.of(),
                "",
                query.parameterTypes(),
                declared,
                List.of(),
                true,
                query);
    }

    /** The arguments of a statement with arrays. */
    static Object[] arrayArguments(Prepared prepared, Map<Integer, ArrayParameter> arrays, RawParameter... values) {
        int[] parameters = prepared.translation().parameters();
        int[] elements = prepared.translation().elements();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < arguments.length; i++) {
            SqlType type = prepared.engineTypes().get(i);
            ArrayParameter array = arrays.get(parameters[i]);
            int element = elements[i];
            int parameter = parameters[i];
            if (parameter < 0) {
                arguments[i] = Literals.value(prepared.translation().literal(parameter), type)
                        .orElseThrow();
                continue;
            }
            arguments[i] = converted(
                    parameter,
                    () -> element < 0
                            ? ParameterValues.of(values[parameter], oid(prepared, parameter), type)
                            : ParameterValues.of(array.at(element), array.oid(), type));
        }
        return arguments;
    }

    private Prepared system(ClientStatement statement, int... declared) {
        int count = 0;
        for (Token token : statement.tokens()) {
            if (token.kind() == Token.Kind.PARAMETER) {
                count = Math.max(count, Translator.parameterNumber(token));
            }
        }
        List<PgType> types = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            types.add(i < declared.length && declared[i] != 0 ? PgType.declared(declared[i]) : PgType.TEXT);
        }
        return new Prepared(
                statement,
                ClientStatement.Kind.SYSTEM,
                null,
                List.of(),
                List.of(),
                "",
                types,
                declared,
                runSystem(statement, Backends.NONE).columns(),
                true);
    }

    /** Runs a query of the system catalogue, with literals as arguments. */
    SystemCatalog.Found runSystem(ClientStatement statement, String... arguments) {
        return runSystem(statement, backends.get(), arguments);
    }

    /** The same with other sessions: with none, it has no effect on any. */
    private SystemCatalog.Found runSystem(ClientStatement statement, Backends reached, String... arguments) {
        if (EmptyCatalogTables.isOfKeywords(statement)) {
            List<Object[]> one = new ArrayList<>();
            one.add(new Object[] {""});
            return new SystemCatalog.Found(List.of(new ResultColumn("string_agg", PgType.TEXT)), one);
        }
        Optional<List<ResultColumn>> none = EmptyCatalogTables.columns(statement);
        if (none.isPresent()) {
            return new SystemCatalog.Found(none.get(), List.of());
        }
        SystemCatalog catalog = new SystemCatalog(
                engine.catalog(), functions.database(), functions.user(), functions.settings(), reached);
        return catalog.run(SystemTranslator.translate(
                statement, functions.searchPath(), functions, catalog::relationOid, arguments));
    }

    private static Object[] literals(Prepared prepared, RawParameter... values) {
        Object[] literals = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            int oid = oid(prepared, i);
            boolean number = oid == PgType.INT2.oid()
                    || oid == PgType.INT4.oid()
                    || oid == PgType.INT8.oid()
                    || oid == PgType.OID.oid();
            Object value =
                    ParameterValues.of(values[i], oid, number ? SqlType.of(SqlType.Kind.BIGINT) : SqlType.varchar(1));
            literals[i] = value == null ? "NULL" : number ? value.toString() : Translator.literal(value.toString());
        }
        return literals;
    }

    private Prepared planned(Cancellation by, ClientStatement statement, int... declared) {
        return planned(by, statement, Map.of(), declared);
    }

    /** A statement whose parameters that are arrays have places for so many elements. */
    Prepared planned(Cancellation by, ClientStatement statement, Map<Integer, Integer> places, int... declared) {
        Map<Integer, String> casts = new TreeMap<>();
        Optional<Prepared> lifted = lifted(by, statement, places, declared);
        if (lifted.isPresent()) {
            return lifted.get();
        }
        for (int attempt = 0; ; attempt++) {
            Translation translation =
                    Translator.translate(statement, functions.searchPath(), functions, casts, places, false);
            try {
                return planned(statement, translation, engine.shape(by, translation.sql()), declared);
            } catch (ProcedureException e) {
                Matcher untyped = UNTYPED.matcher(String.valueOf(e.getMessage()));
                if (attempt == MOST_CASTS || !untyped.find()) {
                    throw withColumn(statement, failure(e, translation));
                }
                int parameter = translation.parameters()[Integer.parseInt(untyped.group(1)) - 1];
                int oid = parameter < declared.length ? declared[parameter] : 0;
                if (casts.put(parameter, PgType.engineType(oid)) != null) {
                    throw failure(e, translation);
                }
            }
        }
    }

    /** The statement with its literals as parameters, so that it shares the plan of others; empty: it has none, or they don't fit. */
    private Optional<Prepared> lifted(
            Cancellation by, ClientStatement statement, Map<Integer, Integer> places, int... declared) {
        if (statement.kind() == ClientStatement.Kind.EXPLAIN) {
            return Optional.empty();
        }
        Translation translation =
                Translator.translate(statement, functions.searchPath(), functions, Map.of(), places, true);
        if (translation.literals().isEmpty()) {
            return Optional.empty();
        }
        try {
            StatementShape shape = engine.shape(by, translation.sql());
            for (int i = 0; i < translation.parameters().length; i++) {
                int parameter = translation.parameters()[i];
                boolean unfit = parameter < 0
                        && Literals.value(
                                        translation.literal(parameter),
                                        shape.parameters().get(i))
                                .isEmpty();
                if (unfit) {
                    return Optional.empty();
                }
            }
            return Optional.of(planned(statement, translation, shape, declared));
        } catch (ProcedureException literalsTell) {
            // The statement as it stands is planned next, or its failure told.
            return Optional.empty();
        }
    }

    /** The planner's library tells a column without a value in its message only. */
    private SessionException withColumn(ClientStatement statement, SessionException failure) {
        Matcher column = NO_VALUE.matcher(failure.getMessage());
        if (!failure.state().equals("23502") || !column.lookingAt()) {
            return failure;
        }
        int at = 0;
        while (!statement.word(at).equals("INTO") && !statement.word(at).equals("UPDATE")) {
            if (++at >= statement.tokens().size()) {
                return failure;
            }
        }
        String table = RelationName.at(statement, at + 1).in(engine.catalog(), functions.searchPath());
        return new SessionException(
                failure.state(),
                failure.getMessage(),
                failure.fields().about(table, Names.turned(column.group(1)), ""));
    }

    private static Prepared planned(
            ClientStatement statement, Translation translation, StatementShape shape, int... declared) {
        PgType[] types = new PgType[translation.clientParameters()];
        for (int i = 0; i < translation.parameters().length; i++) {
            int parameter = translation.parameters()[i];
            if (parameter >= 0 && types[parameter] == null) {
                PgType type = PgType.of(shape.parameters().get(i));
                types[parameter] = translation.elements()[i] < 0 ? type : type.array();
            }
        }
        for (int i = 0; i < types.length; i++) {
            if (i < declared.length && declared[i] != 0) {
                types[i] = PgType.declared(declared[i]);
            } else if (types[i] == null) {
                types[i] = PgType.TEXT;
            }
        }
        List<ResultColumn> columns = new ArrayList<>();
        for (PlanField field : shape.columns()) {
            String name = columnName(
                    statement, field.name(), columns.size(), shape.columns().size());
            columns.add(new ResultColumn(name, PgType.of(field.type())));
        }
        return new Prepared(
                statement,
                statement.kind(),
                translation,
                shape.parameters(),
                List.of(),
                "",
                List.of(types),
                declared,
                List.copyOf(columns),
                shape.readOnly());
    }

    private static String columnName(ClientStatement statement, String name, int column, int columns) {
        if (statement.kind() == ClientStatement.Kind.EXPLAIN) {
            return "QUERY PLAN";
        }
        return UNNAMED.matcher(name).matches() ? ItemNames.of(statement, column, columns) : Names.turned(name);
    }

    private Prepared call(ClientStatement statement, ProcedureCall written, int... declared) {
        ProcedureCall call = written.withoutOutputs(declared);
        Work work = engine.procedure(call.name());
        if (work == null) {
            throw new SessionException("42883", "procedure " + call.name() + " does not exist");
        }
        List<ParameterType> types =
                work instanceof ProcedureWork procedure ? procedure.signature().parameters() : List.of();
        List<SqlType> statementTypes =
                work instanceof StatementWork one ? one.traits().parameters() : List.of();
        int expected = Math.max(types.size(), statementTypes.size());
        if (expected != call.arguments().size()) {
            throw new SessionException(
                    "42883",
                    "procedure " + call.name() + " takes " + expected + " arguments, but "
                            + call.arguments().size() + " were given");
        }
        int count = 0;
        for (Object argument : written.arguments()) {
            if (argument instanceof ProcedureCall.Parameter(int number)) {
                count = Math.max(count, number + 1);
            }
        }
        PgType[] parameterTypes = new PgType[count];
        for (int i = 0; i < count; i++) {
            parameterTypes[i] = i < declared.length && declared[i] != 0 ? PgType.declared(declared[i]) : PgType.TEXT;
        }
        for (int i = 0; i < call.arguments().size(); i++) {
            if (call.arguments().get(i) instanceof ProcedureCall.Parameter(int number)
                    && (number >= declared.length || declared[number] == 0)) {
                parameterTypes[number] = types.isEmpty() ? PgType.of(statementTypes.get(i)) : type(types.get(i));
            }
        }
        return new Prepared(
                statement,
                ClientStatement.Kind.CALL,
                null,
                statementTypes,
                types,
                call.name(),
                List.of(parameterTypes),
                declared,
                List.of(),
                work.readOnly());
    }

    private static PgType type(ParameterType type) {
        return switch (ParameterValues.kind(type)) {
            case "BOOLEAN" -> PgType.BOOL;
            case "BIGINT" -> PgType.INT8;
            case "DOUBLE" -> PgType.FLOAT8;
            case "DECIMAL" -> PgType.NUMERIC;
            case "VARBINARY" -> PgType.BYTEA;
            default -> PgType.TEXT;
        };
    }

    /** The arguments for the engine. */
    static Object[] arguments(Prepared prepared, RawParameter... values) {
        if (values.length != prepared.parameterTypes().size()) {
            throw new SessionException(
                    SqlStates.PROTOCOL_VIOLATION,
                    "bind message supplies " + values.length + " parameters, but the prepared statement requires "
                            + prepared.parameterTypes().size());
        }
        if (prepared.kind() == ClientStatement.Kind.CALL) {
            return callArguments(prepared, values);
        }
        if (prepared.kind() == ClientStatement.Kind.SET_CONFIG) {
            return SetConfigCall.of(prepared.statement()).orElseThrow().arguments(prepared, values);
        }
        if (prepared.kind() == ClientStatement.Kind.ADVISORY) {
            return AdvisoryCall.of(prepared.statement()).orElseThrow().arguments(prepared, values);
        }
        if (prepared.kind() == ClientStatement.Kind.SYSTEM) {
            return literals(prepared, values);
        }
        if (prepared.translation() == null) {
            return new Object[0];
        }
        int[] parameters = prepared.translation().parameters();
        Object[] arguments = new Object[prepared.isEngineStatement() ? parameters.length : 0];
        for (int i = 0; i < arguments.length; i++) {
            int index = i;
            SqlType type = prepared.engineTypes().get(i);
            if (parameters[i] < 0) {
                arguments[i] = Literals.value(prepared.translation().literal(parameters[i]), type)
                        .orElseThrow();
                continue;
            }
            arguments[i] = converted(
                    parameters[i],
                    () -> ParameterValues.of(values[parameters[index]], oid(prepared, parameters[index]), type));
        }
        return arguments;
    }

    /** The engine's value for a parameter of an INSERT that each column has one of. */
    static Object argument(Prepared insert, int column, RawParameter value) {
        try {
            return ParameterValues.of(
                    value, oid(insert, column), insert.engineTypes().get(column));
        } catch (ProcedureException e) {
            throw new SessionException("22007", e.getMessage());
        }
    }

    private static Object[] callArguments(Prepared prepared, RawParameter... values) {
        ClientStatement statement = prepared.statement();
        ProcedureCall written = statement.kind() == ClientStatement.Kind.CALL
                ? ProcedureCall.ofCall(statement)
                : ProcedureCall.ofQuery(statement, name -> true).orElseThrow();
        ProcedureCall call = written.withoutOutputs(prepared.declared());
        Object[] arguments = new Object[call.arguments().size()];
        for (int i = 0; i < arguments.length; i++) {
            Object argument = call.arguments().get(i);
            ParameterType type = prepared.procedureTypes().isEmpty()
                    ? null
                    : prepared.procedureTypes().get(i);
            SqlType sqlType = type == null ? prepared.engineTypes().get(i) : null;
            if (argument instanceof ProcedureCall.Parameter(int number)) {
                arguments[i] = converted(
                        number,
                        () -> type == null
                                ? ParameterValues.of(values[number], oid(prepared, number), sqlType)
                                : ParameterValues.of(values[number], oid(prepared, number), type));
            } else if (argument != ProcedureCall.NULL) {
                String kind = type == null ? ParameterValues.kind(sqlType) : ParameterValues.kind(type);
                arguments[i] = ParameterValues.converted(
                        argument instanceof BigDecimal number && kind.equals("VARCHAR")
                                ? number.toPlainString()
                                : argument,
                        kind,
                        sqlType == null ? -1 : sqlType.decimals());
            }
        }
        return arguments;
    }

    static int oid(Prepared prepared, int parameter) {
        int[] declared = prepared.declared();
        return parameter < declared.length && declared[parameter] != 0
                ? declared[parameter]
                : prepared.parameterTypes().get(parameter).oid();
    }

    static Object converted(int parameter, java.util.function.Supplier<Object> conversion) {
        try {
            return conversion.get();
        } catch (SessionException e) {
            throw new SessionException(
                    e.state(), e.getMessage() + ", in parameter $" + (parameter + 1), e.hint(), e.position());
        } catch (ProcedureException e) {
            throw new SessionException("22007", e.getMessage() + ", in parameter $" + (parameter + 1));
        }
    }

    /** A failure of the engine as the client sees it, with its place in the client's statement. */
    static SessionException failure(ProcedureException e, Translation translation) {
        String message = String.valueOf(e.getMessage());
        int line = 0;
        int column = 0;
        Throwable where = e.getCause() == null ? e : e.getCause();
        if (where instanceof SqlPlanningException planning) {
            line = planning.line();
            column = planning.column();
            message = message.replaceFirst(" at line \\d+, column \\d+$", "");
        } else if (where instanceof DdlException ddl) {
            line = ddl.position().line();
            column = ddl.position().column();
            message = ddl.problem();
        }
        ErrorSubject subject = e.subject();
        String state = subject == null ? SqlStates.of(e.code(), message) : SqlStates.of(subject.kind());
        ErrorFields fields =
                ErrorFields.NONE.withPosition(translation == null ? 0 : translation.position(line, column));
        if (subject != null) {
            fields = fields.about(subject.table(), Names.turned(subject.column()), Names.simple(subject.constraint()));
        }
        return new SessionException(state, message, fields);
    }
}
