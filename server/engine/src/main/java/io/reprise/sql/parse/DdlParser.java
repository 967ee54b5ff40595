package io.reprise.sql.parse;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Ddl;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Index;
import io.reprise.catalog.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads one DDL statement, by recursive descent. Names are upper case unless quoted; a word that is reserved in queries
 * must be quoted to be a name.
 *
 * <pre>
 * CREATE TABLE [IF NOT EXISTS] t (element, ...) [LOGGED AS {DATA | COMMAND}]
 *   element:  c type {NOT NULL | NULL | DEFAULT value | PRIMARY KEY | UNIQUE}...
 *           | [CONSTRAINT n] {PRIMARY KEY | UNIQUE} (c, ...) [USING {HASH | ORDERED}]
 *   type:     BOOLEAN, TINYINT, SMALLINT, INTEGER or INT, BIGINT, DOUBLE [PRECISION] or FLOAT,
 *             DECIMAL or NUMERIC [(p [, s])], VARCHAR(n), CHAR(n), VARBINARY(n), TIMESTAMP, DATE, TIME
 *   value:    a literal, NULL, CURRENT_TIMESTAMP or NOW
 * PARTITION TABLE t ON COLUMN c
 * CREATE [UNIQUE] INDEX [IF NOT EXISTS] i ON t [USING {HASH | ORDERED | BTREE}] (c, ...) [USING {HASH | ORDERED}]
 * CREATE SCHEMA [IF NOT EXISTS] s
 * DROP {TABLE | INDEX | VIEW | SEQUENCE | SCHEMA} [IF EXISTS] n, ... [CASCADE | RESTRICT]
 * DROP PROCEDURE [IF EXISTS] n
 * ALTER TABLE [ONLY] t {ADD [COLUMN] c type ... | ADD [CONSTRAINT n] {PRIMARY KEY | UNIQUE} (c, ...) [USING ...] | DROP [COLUMN] c | LOGGED AS {DATA | COMMAND | CONFIGURED}}
 * CREATE [OR REPLACE] PROCEDURE [p] [clause]... {FROM CLASS a.b.C | AS statement} [clause]...
 *   clause:    partition | LOGGED AS {DATA | COMMAND}
 *   partition: PARTITION ON TABLE t COLUMN c [PARAMETER n] [AND ON TABLE t COLUMN c [PARAMETER n]]...
 * </pre>
 *
 * <p>A table, view or sequence may have its schema in front: s.t. IN SCHEMA s, ... in front of a statement is its search path.
 * DECIMAL without digits is DECIMAL(18,6), with p alone DECIMAL(p,0). CHAR(n) is VARCHAR(n): nothing is padded.
 * PRIMARY KEY and UNIQUE of one column are HASH unless told otherwise, of several columns ORDERED, as CREATE INDEX is. Parameters count from 0; without
 * PARAMETER it is 0. A procedure from a class has the class's simple name unless another is given.
 */
public final class DdlParser {
    private static final Map<String, String> NOT_CREATED = Map.ofEntries(
            Map.entry("ASSUMEUNIQUE", "ASSUMEUNIQUE is not supported; use UNIQUE with the partitioning column"),
            Map.entry("MATERIALIZED", "materialized views are not supported; keep the sums in a table"),
            Map.entry("STREAM", "streams are not supported"),
            Map.entry("FUNCTION", "functions are not supported; compute it in a procedure"),
            Map.entry("TRIGGER", "triggers are not supported; do it in the procedure that writes"),
            Map.entry("TEMPORARY", "temporary tables are not supported"),
            Map.entry("DATABASE", "a process has one database, which need not be created"),
            Map.entry("ROLE", "roles are not supported"),
            Map.entry("USER", "users are not supported"),
            Map.entry("TASK", "tasks are not supported"),
            Map.entry("TOPIC", "topics are not supported"));

    private final String text;
    private final TokenCursor tokens;

    private DdlParser(String text, Position start, boolean recorded, Catalog catalog) {
        this.text = text;
        this.tokens = new TokenCursor(text, start, recorded, catalog);
    }

    /** Reads a statement on its own, without a search path; throws {@link DdlException}. */
    public static Ddl parse(String statement) {
        return new DdlParser(statement, Position.START, false, Catalog.empty()).statement();
    }

    /**
     * Reads a statement of a script, so that errors name the line in the script; throws {@link DdlException}.
     *
     * @param catalog the catalog that the statement changes, in which its search path looks names up
     */
    public static Ddl parse(ScriptStatement statement, Catalog catalog) {
        return new DdlParser(statement.text(), statement.at(), false, catalog).statement();
    }

    /**
     * The same for a statement that a database has carried out and has a record of: words that have become reserved since are
     * names in it, for the database can't be opened without what it declares.
     */
    public static Ddl parseRecorded(ScriptStatement statement, Catalog catalog) {
        return new DdlParser(statement.text(), statement.at(), true, catalog).statement();
    }

    private Ddl statement() {
        tokens.acceptPath();
        if (tokens.accept("CREATE")) {
            return create();
        }
        if (tokens.accept("DROP")) {
            return drop();
        }
        if (tokens.accept("ALTER", "SEQUENCE")) {
            return new SequenceParser(tokens).alter();
        }
        if (tokens.accept("ALTER")) {
            return new TableParser(tokens).alter();
        }
        if (tokens.accept("PARTITION")) {
            return partition();
        }
        throw tokens.expected("CREATE", "DROP", "ALTER", "PARTITION");
    }

    private Ddl create() {
        if (tokens.accept("TABLE")) {
            return new TableParser(tokens).create();
        }
        if (tokens.accept("UNIQUE", "INDEX")) {
            return index(true);
        }
        if (tokens.accept("UNIQUE")) {
            throw tokens.expected("INDEX");
        }
        if (tokens.accept("INDEX")) {
            return index(false);
        }
        if (tokens.accept("PROCEDURE")) {
            return new ProcedureParser(text, tokens).create(false);
        }
        if (tokens.accept("VIEW")) {
            return new ViewParser(text, tokens).create(false);
        }
        if (tokens.accept("SEQUENCE")) {
            return new SequenceParser(tokens).create();
        }
        if (tokens.accept("SCHEMA")) {
            return schema();
        }
        if (tokens.accept("OR")) {
            tokens.expect("REPLACE");
            if (tokens.accept("VIEW")) {
                return new ViewParser(text, tokens).create(true);
            }
            tokens.expect("PROCEDURE");
            return new ProcedureParser(text, tokens).create(true);
        }
        refuseKnown(NOT_CREATED);
        throw tokens.expected(
                "TABLE", "INDEX", "UNIQUE INDEX", "PROCEDURE", "OR REPLACE PROCEDURE", "VIEW", "SEQUENCE", "SCHEMA");
    }

    /** CREATE SCHEMA [IF NOT EXISTS] {s [AUTHORIZATION r] | AUTHORIZATION r}: schemas have no owners. */
    private Ddl schema() {
        boolean ifNotExists = tokens.accept("IF", "NOT", "EXISTS");
        boolean named = !tokens.accept("AUTHORIZATION");
        Ddl.Name name = tokens.unqualified("the name of a schema");
        if (named && tokens.accept("AUTHORIZATION")) {
            tokens.name("the name of a role");
        }
        if (tokens.peek().isWord("CREATE")) {
            throw tokens.refused("CREATE SCHEMA makes an empty schema; write what is in it as statements of their own");
        }
        tokens.expectEnd("AUTHORIZATION");
        return new Ddl.CreateSchema(name, ifNotExists);
    }

    private Ddl partition() {
        if (tokens.accept("PROCEDURE")) {
            throw tokens.refused(
                    "PARTITION PROCEDURE is not supported; write the PARTITION clause into CREATE PROCEDURE");
        }
        tokens.expect("TABLE");
        Ddl.Name table = tokens.relation("the name of a table");
        tokens.expect("ON");
        tokens.expect("COLUMN");
        Ddl.Name column = tokens.name("the name of a column");
        tokens.expectEnd();
        return new Ddl.PartitionTable(table, column);
    }

    private Ddl index(boolean unique) {
        boolean ifNotExists = tokens.accept("IF", "NOT", "EXISTS");
        Ddl.Name name = tokens.unqualified("the name of the index");
        tokens.expect("ON");
        Ddl.Name table = tokens.relation("the name of a table");
        Index.Kind before = kindBefore();
        List<Ddl.Name> columns = keyColumns(tokens);
        Index.Kind kind = kind(tokens, before);
        if (tokens.peek().isWord("WHERE")) {
            throw tokens.refused("an index over a part of the rows is not supported; leave WHERE out");
        }
        TableParser.skipStorageParameters(tokens);
        tokens.expectEnd("USING");
        return new Ddl.CreateIndex(tokens.beside(table, name), unique, ifNotExists, table, columns, kind);
    }

    /** The kind in front of the columns, where PostgreSQL has it; ORDERED without. */
    private Index.Kind kindBefore() {
        if (tokens.accept("USING", "BTREE") || tokens.accept("USING", "ORDERED")) {
            return Index.Kind.ORDERED;
        }
        return tokens.accept("USING", "HASH") ? Index.Kind.HASH : Index.Kind.ORDERED;
    }

    private Ddl drop() {
        if (tokens.accept("TABLE")) {
            return drops(
                    tokens::relation,
                    "a table",
                    (name, ifExists, cascade) -> new Ddl.DropTable(name, ifExists, cascade));
        }
        if (tokens.accept("INDEX")) {
            return drops(tokens::index, "an index", (name, ifExists, cascade) -> new Ddl.DropIndex(name, ifExists));
        }
        if (tokens.accept("PROCEDURE")) {
            boolean ifExists = tokens.accept("IF", "EXISTS");
            Ddl.Name name = tokens.name("the name of a procedure");
            tokens.expectEnd();
            return new Ddl.DropProcedure(name, ifExists);
        }
        if (tokens.accept("VIEW")) {
            return drops(tokens::relation, "a view", Ddl.DropView::new);
        }
        if (tokens.accept("SEQUENCE")) {
            return drops(tokens::relation, "a sequence", Ddl.DropSequence::new);
        }
        if (tokens.accept("SCHEMA")) {
            return drops(tokens::unqualified, "a schema", Ddl.DropSchema::new);
        }
        throw tokens.expected("TABLE", "INDEX", "PROCEDURE", "VIEW", "SEQUENCE", "SCHEMA");
    }

    /** A statement that drops one thing. */
    private interface Drop {
        Ddl of(Ddl.Name name, boolean ifExists, boolean cascade);
    }

    /** [IF EXISTS] n, ... [CASCADE | RESTRICT]. */
    private Ddl drops(Function<String, Ddl.Name> reader, String what, Drop drop) {
        boolean ifExists = tokens.accept("IF", "EXISTS");
        List<Ddl.Name> names = new ArrayList<>();
        do {
            names.add(reader.apply("the name of " + what));
        } while (tokens.acceptSign(','));
        boolean cascade = ViewParser.cascade(tokens);
        tokens.expectEnd("CASCADE", "RESTRICT");
        List<Ddl> statements =
                names.stream().map(name -> drop.of(name, ifExists, cascade)).toList();
        return statements.size() == 1 ? statements.getFirst() : new Ddl.Several(statements);
    }

    private void refuseKnown(Map<String, String> refusals) {
        Token token = tokens.peek();
        refusals.forEach((word, refusal) -> {
            if (token.isWord(word)) {
                throw tokens.refused(refusal);
            }
        });
    }

    /** The columns of a key, in parentheses. */
    static List<Ddl.Name> keyColumns(TokenCursor tokens) {
        tokens.expectSign('(');
        List<Ddl.Name> columns = new ArrayList<>();
        do {
            if (tokens.peek().isSign('(') || tokens.peek(1).isSign('(')) {
                throw expression(tokens);
            }
            columns.add(tokens.name("the name of a column"));
            Token after = tokens.peek();
            if (after.isWord("ASC") || after.isWord("DESC")) {
                throw tokens.refused("an index has no direction: an ordered one is read both ways; leave "
                        + after.describe() + " out");
            }
            if (after.kind() == Token.Kind.SIGN && !after.isSign(',') && !after.isSign(')')) {
                throw expression(tokens);
            }
        } while (tokens.acceptSign(','));
        if (!tokens.acceptSign(')')) {
            throw tokens.expected("','", "')'");
        }
        return columns;
    }

    private static DdlException expression(TokenCursor tokens) {
        return tokens.refused("an index can have columns only, no expressions; add a column for the expression's value,"
                + " which the procedures that write keep up to date, and index it");
    }

    /** The kind of an index, if it is given. */
    static Index.Kind kind(TokenCursor tokens, Index.Kind otherwise) {
        if (!tokens.accept("USING")) {
            return otherwise;
        }
        if (tokens.accept("HASH")) {
            return Index.Kind.HASH;
        }
        if (tokens.accept("ORDERED")) {
            return Index.Kind.ORDERED;
        }
        if (tokens.peek().isWord("BTREE") || tokens.peek().isWord("TREE")) {
            throw tokens.refused("unknown kind of index " + tokens.peek().describe() + "; use ORDERED");
        }
        throw tokens.expected("HASH", "ORDERED");
    }
}
