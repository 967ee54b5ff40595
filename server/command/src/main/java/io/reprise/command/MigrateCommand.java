package io.reprise.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Proposes a schema with partitioning for one of PostgreSQL or VoltDB. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description =
                "Reads a script of pg_dump (plain format, with or without data) or of VoltDB's DDL, and proposes a schema"
                        + " for Reprise: which tables are partitioned, and on which column. It prints a report with the reason"
                        + " for each table and with all differences.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the report is printed", "2:the script has no table, or a file can't be read or written"},
        footer = {"", "Examples:", "  pg_dump --no-owner shop > shop.sql", "  reprise migrate shop.sql --out schema.sql"
        })
final class MigrateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The script.")
    private Path file;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Where to write the schema. Without it, it is printed behind the report.")
    private Path out;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        SqlDump dump = SqlDump.read(text());
        DumpSchema schema = new DumpSchema(dump.statements());
        if (schema.tables.isEmpty()) {
            throw new IllegalArgumentException(file + " has no CREATE TABLE; make it by pg_dump in its plain format");
        }
        ComparedColumns.align(schema);
        PartitioningProposal.propose(schema.tables, dump.rows());
        MigratedSchema migrated = new MigratedSchema(schema, dump.rows());
        String script = migrated.script();
        PrintWriter printer = spec.commandLine().getOut();
        if (out == null) {
            printer.print(migrated.report() + "\n# Schema\n\n" + script);
        } else {
            write(script);
            printer.print(migrated.report());
        }
        return 0;
    }

    private String text() throws IOException {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException missing) {
            throw new IllegalArgumentException("there is no file " + file, missing);
        }
    }

    private void write(String script) throws IOException {
        try {
            Files.writeString(out, script, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException there) {
            throw new IllegalArgumentException(out + " is there already; name another file", there);
        }
    }
}
