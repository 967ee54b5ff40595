package io.reprise.node.http;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.Table;
import io.reprise.engine.Reprise;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.ProcedureSignature;
import io.reprise.execution.work.ProcedureWork;
import io.reprise.execution.work.RefusedWork;
import java.util.Locale;
import java.util.Optional;

/**
 * The schema, for programs: the knowledge of the page's browser and of the shell's completion.
 *
 * <pre>
 *  {"version":3,
 *   "tables":[{"name":"ACCOUNT","replicated":false,"partitionColumn":"ID",
 *     "columns":[{"name":"ID","type":"BIGINT","nullable":false,"primaryKey":true}],
 *     "indexes":[{"name":"...","kind":"hash","unique":true,"primaryKey":true,"columns":["ID"]}]}],
 *   "procedures":[{"name":"Deposit","scope":"key","readOnly":false,"className":"com.example.Deposit",
 *     "parameters":["long account"],"routing":["account: ACCOUNT.ID"],"returns":"long","statements":["UPDATE ..."]}]}
 *  A procedure that this version of the server can't run has "refused", the reason, and neither parameters nor statements.
 * </pre>
 */
final class SchemaJson {
    private final Json json = new Json();

    private SchemaJson() {}

    static String of(Reprise engine) {
        SchemaJson schema = new SchemaJson();
        Catalog catalog = engine.catalog();
        schema.json.object().put("version", catalog.version()).list("tables");
        catalog.tables().values().forEach(schema::table);
        schema.json.endList().list("procedures");
        engine.procedures().forEach((name, work) -> schema.procedure(name, work, catalog.procedure(name)));
        return schema.json.endList().endObject().toString();
    }

    private void table(Table table) {
        json.object().put("name", table.name()).put("replicated", table.replicated());
        table.partitionColumn()
                .ifPresent(position -> json.put(
                        "partitionColumn", table.columns().get(position).name()));
        json.list("columns");
        table.columns().forEach(column -> column(table, column));
        json.endList().list("indexes");
        table.indexes().forEach(index -> index(table, index));
        json.endList().endObject();
    }

    private void column(Table table, Column column) {
        boolean inKey = table.primaryKey()
                .filter(key -> key.columns().contains(column.position()))
                .isPresent();
        json.object()
                .put("name", column.name())
                .put("type", column.type().toString())
                .put("nullable", column.nullable())
                .put("primaryKey", inKey);
        column.defaultValue().ifPresent(value -> json.put("default", value));
        json.endObject();
    }

    private void index(Table table, Index index) {
        json.object()
                .put("name", index.name())
                .put("kind", lower(index.kind()))
                .put("unique", index.unique())
                .put("primaryKey", index.primaryKey())
                .list("columns");
        index.columns()
                .forEach(position -> json.add(table.columns().get(position).name()));
        json.endList().endObject();
    }

    private void procedure(String name, Work work, Optional<ProcedureDefinition> definition) {
        json.object().put("name", name).put("scope", lower(work.scope())).put("readOnly", work.readOnly());
        Optional<ProcedureSignature> signature =
                work instanceof ProcedureWork procedure ? Optional.of(procedure.signature()) : Optional.empty();
        if (work instanceof ProcedureWork procedure) {
            json.put("className", procedure.className());
            json.put("returns", procedure.signature().result().javaType().getSimpleName());
        }
        if (work instanceof RefusedWork refused) {
            json.put("refused", refused.reason());
        }
        json.list("parameters");
        signature.ifPresentOrElse(
                this::parameters,
                () -> work.statements()
                        .forEach(statement ->
                                statement.traits().parameters().forEach(type -> json.add(type.toString()))));
        json.endList().list("routing");
        definition.ifPresent(declared -> declared.routing()
                .forEach(routing -> json.add(signature
                                .map(s -> s.names().get(routing.parameter()))
                                .orElse("parameter " + (routing.parameter() + 1))
                        + ": " + routing.table() + "." + routing.column())));
        json.endList().list("statements");
        work.statements().forEach(statement -> json.add(statement.traits().sql()));
        json.endList().endObject();
    }

    private void parameters(ProcedureSignature signature) {
        for (int i = 0; i < signature.parameters().size(); i++) {
            json.add(signature.parameters().get(i).javaType().getSimpleName() + " "
                    + signature.names().get(i));
        }
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
