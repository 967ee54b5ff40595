package io.reprise.catalog;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A DDL statement as it was written, before it is checked against a catalog; {@link CatalogEditor} carries it out. The
 * parser that makes these is {@code sql.parse.DdlParser}. Names are in the catalog's case and know where they stand, so
 * that a refusal can say so.
 */
public sealed interface Ddl {
    /** CREATE TABLE; {@code id} only where a printed catalog is read again. */
    record CreateTable(
            Name table,
            boolean ifNotExists,
            List<ColumnDefinition> columns,
            List<KeyDefinition> keys,
            List<ForeignKeyDefinition> foreignKeys,
            List<CheckDefinition> checks,
            OptionalInt id,
            ProcedureDefinition.Logging logging)
            implements Ddl {}

    /** ALTER TABLE ... LOGGED AS. */
    record SetLogging(Name table, ProcedureDefinition.Logging logging) implements Ddl {}

    /** PARTITION TABLE t ON COLUMN c. */
    record PartitionTable(Name table, Name column) implements Ddl {}

    /** CREATE [UNIQUE] INDEX. */
    record CreateIndex(Name index, boolean unique, boolean ifNotExists, Name table, List<Name> columns, Index.Kind kind)
            implements Ddl {}

    /** DROP TABLE. */
    record DropTable(Name table, boolean ifExists, boolean cascade) implements Ddl {}

    /** CREATE [OR REPLACE] VIEW; {@code mentioned} are the words of the query that may be names. */
    record CreateView(Name view, boolean replace, List<Name> columns, String query, List<String> mentioned)
            implements Ddl {}

    /** CREATE SCHEMA. */
    record CreateSchema(Name schema, boolean ifNotExists) implements Ddl {}

    /** DROP SCHEMA; CASCADE drops everything in it. */
    record DropSchema(Name schema, boolean ifExists, boolean cascade) implements Ddl {}

    /** DROP VIEW. */
    record DropView(Name view, boolean ifExists, boolean cascade) implements Ddl {}

    /** ALTER TABLE ... ADD FOREIGN KEY. */
    record AddForeignKey(Name table, ForeignKeyDefinition key) implements Ddl {}

    /** ALTER TABLE ... ADD CHECK. */
    record AddCheck(Name table, CheckDefinition check) implements Ddl {}

    /** ALTER TABLE ... DROP CONSTRAINT. */
    record DropConstraint(Name table, Name constraint, boolean ifExists) implements Ddl {}

    /** CREATE SEQUENCE; {@code id} only where a printed catalog is read again. */
    record CreateSequence(Name sequence, boolean ifNotExists, SequenceOptions options, OptionalInt id) implements Ddl {}

    /** ALTER SEQUENCE: RESTART, with the next value or that of START, or OWNED BY. */
    record AlterSequence(
            Name sequence,
            boolean ifExists,
            boolean restarts,
            OptionalLong restart,
            boolean setsOwner,
            Optional<SequenceOwner> owner)
            implements Ddl {}

    /** DROP SEQUENCE. */
    record DropSequence(Name sequence, boolean ifExists, boolean cascade) implements Ddl {}

    /** ALTER TABLE ... ALTER COLUMN ... SET DEFAULT or DROP DEFAULT. */
    record SetDefault(Name table, Name column, Optional<Default> value) implements Ddl {}

    /** ALTER TABLE ... ADD PRIMARY KEY or UNIQUE. */
    record AddKey(Name table, KeyDefinition key) implements Ddl {}

    /** A statement that drops several things: all of them, or none. */
    record Several(List<Ddl> statements) implements Ddl {}

    /** DROP INDEX. */
    record DropIndex(Name index, boolean ifExists) implements Ddl {}

    /** ALTER TABLE ... ADD COLUMN. */
    record AddColumn(Name table, ColumnDefinition column, boolean ifNotExists) implements Ddl {}

    /** ALTER TABLE ... ALTER COLUMN ... SET NOT NULL, or DROP NOT NULL. */
    record SetNotNull(Name table, Name column, boolean notNull) implements Ddl {}

    /** ALTER TABLE ... ALTER COLUMN ... TYPE. */
    record SetType(Name table, Name column, SqlType type) implements Ddl {}

    /** ALTER TABLE ... RENAME COLUMN. */
    record RenameColumn(Name table, Name column, Name to) implements Ddl {}

    /** ALTER TABLE ... RENAME TO. */
    record RenameTable(Name table, Name to) implements Ddl {}

    /** ALTER TABLE ... DROP COLUMN. */
    record DropColumn(Name table, Name column, boolean ifExists) implements Ddl {}

    /** CREATE [OR REPLACE] PROCEDURE. */
    record CreateProcedure(
            Name procedure,
            boolean replace,
            ProcedureDefinition.Source source,
            List<RoutingClause> routing,
            ProcedureDefinition.Logging logging)
            implements Ddl {}

    /** DROP PROCEDURE. */
    record DropProcedure(Name procedure, boolean ifExists) implements Ddl {}

    /** An identifier and where it stands. */
    record Name(String text, Position at) {
        /** The identifier alone. */
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * A column of CREATE TABLE or ADD COLUMN; {@code notNull} only where NOT NULL was written, {@code numbers} where it numbers
     * itself by a sequence.
     */
    record ColumnDefinition(
            Name name,
            SqlType type,
            boolean notNull,
            Optional<Default> defaultLiteral,
            Optional<SequenceOptions> numbers) {}

    /** The declared options of a sequence. The type and the increment imply missing ones. */
    record SequenceOptions(
            Optional<SqlType> type,
            OptionalLong start,
            OptionalLong increment,
            OptionalLong min,
            OptionalLong max,
            int cache,
            boolean cycle,
            Sequence.Identity identity,
            Optional<SequenceOwner> owner) {
        /** Those with an owner. */
        SequenceOptions ownedBy(SequenceOwner newOwner) {
            return new SequenceOptions(type, start, increment, min, max, cache, cycle, identity, Optional.of(newOwner));
        }

        /** Those with a type. */
        SequenceOptions typed(SqlType newType) {
            return new SequenceOptions(Optional.of(newType), start, increment, min, max, cache, cycle, identity, owner);
        }
    }

    /** OWNED BY t.c. */
    record SequenceOwner(Name table, Name column) {
        /** The names. */
        Sequence.Owner named() {
            return new Sequence.Owner(table.text(), column.text());
        }
    }

    /** DEFAULT and a literal, or an expression in parentheses. */
    record Default(String literal, Position at) {
        /** Whether it is an expression. */
        boolean isExpression() {
            return literal.startsWith("(");
        }
    }

    /** CHECK, of a column or of the table; {@code mentioned} are the words that may be names of columns. */
    record CheckDefinition(Optional<Name> name, String condition, List<String> mentioned, Position at) {}

    /** PRIMARY KEY or UNIQUE, of a column or of the table. */
    record KeyDefinition(Optional<Name> name, boolean primary, List<Name> columns, Index.Kind kind, Position at) {}

    /** FOREIGN KEY, of a column or of the table; no parent columns: the parent's primary key. */
    record ForeignKeyDefinition(
            Optional<Name> name,
            List<Name> columns,
            Name parent,
            List<Name> parentColumns,
            ForeignKey.Action onDelete,
            ForeignKey.Action onUpdate,
            boolean enforced,
            Position at) {}

    /** ON TABLE t COLUMN c PARAMETER p. */
    record RoutingClause(Name table, Name column, int parameter) {}
}
