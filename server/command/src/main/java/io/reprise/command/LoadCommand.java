package io.reprise.command;

import io.reprise.client.Client;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Loads a CSV or Parquet file into a table. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        description = {
            "Inserts the records of a file into a table, in batches and in no particular order. The first line of a CSV"
                    + " file has the columns' names, unless --columns gives them. A Parquet file is known by its content.",
            "An empty field is NULL, \"\" an empty string. Rejected records go into the rejects file unchanged, each behind a"
                    + " line with # and the reason; those of a Parquet file are written as CSV, bytes as hexadecimal digits."
                    + " The others of its batch are inserted all the same.",
            "A load that stops in between, because the node is gone, its disk is full, or by Ctrl-C, says from which line to go"
                    + " on."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every record is in the table", "1:some were refused", "3:it could not be done"},
        footer = {
            "",
            "Examples:",
            "  reprise load account account.csv",
            "  reprise load account account.csv --columns id,balance --rejects bad.csv",
            "  reprise load account account.tsv --separator tab --upsert",
            "  reprise load account account.parquet",
            "  zcat account.csv.gz | reprise load account /dev/stdin",
            "  reprise load account account.csv --from-line 70190 --upsert"
        })
final class LoadCommand implements Callable<Integer> {
    private static final int REFUSED = 1;
    private static final int FAILED = 3;

    @Mixin
    private ServerChoice server;

    @Parameters(index = "0", paramLabel = "TABLE", description = "The table's name.")
    private String table;

    @Parameters(index = "1", paramLabel = "FILE", description = "The file: CSV in UTF-8, or Parquet.")
    private Path file;

    @Option(
            names = "--columns",
            split = ",",
            paramLabel = "NAME",
            description = "The columns in the file's order; the first line is a record then.")
    private List<String> columns;

    @Option(
            names = "--separator",
            paramLabel = "CHARACTER",
            defaultValue = ",",
            description = "Separator of fields: a character, or tab. Default: ${DEFAULT-VALUE}.")
    private String separator;

    @Option(
            names = "--rejects",
            paramLabel = "FILE",
            description =
                    "A new file for what is refused; without this FILE.rejects, or TABLE.rejects if FILE is a pipe.")
    private Path rejects;

    @Option(names = "--upsert", description = "Replaces rows that have the same primary key.")
    private boolean upsert;

    @Option(
            names = "--from-line",
            paramLabel = "N",
            defaultValue = "1",
            description = "Leaves out the records before this line of the file, to go on where a load has stopped. In a"
                    + " Parquet file lines are records.")
    private long fromLine;

    @Option(
            names = "--most-rejects",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Gives up when more than so many records are refused. Default: ${DEFAULT-VALUE}.")
    private long mostRejects;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path rejected = rejects == null ? rejectsByDefault() : rejects;
        separatorCharacter();
        if (fromLine < 1) {
            throw new ParameterException(
                    spec.commandLine(), "--from-line takes a line of the file, from 1 on, not " + fromLine);
        }
        try (LoadFile given = open();
                Client client = server.connect();
                Rejects refused = new Rejects(rejected, mostRejects)) {
            TableLoad load = new TableLoad(client, table, given.names(), upsert, refused);
            // Messages come before the end of this block: the program does not wait for more.
            try (EarlyEnd early = new EarlyEnd(() -> stop(load))) {
                ProgressBar progress = ProgressBar.on(spec.commandLine().getErr(), given.size());
                return run(load, given.records(), refused, () -> progress.show(given.position()), progress::end);
            }
        }
    }

    /** A pipe is opened once, because its bytes can't be read again. */
    private LoadFile open() throws IOException {
        PushbackInputStream in = new PushbackInputStream(GivenFile.stream(file), ParquetFile.BEGINNING);
        boolean parquet;
        try {
            parquet = ParquetFile.begins(in);
        } catch (IOException | RuntimeException failure) {
            in.close();
            throw failure;
        }
        if (!parquet) {
            return CsvFile.open(in, file, Files.size(file), separatorCharacter(), columns);
        }
        in.close();
        if (columns != null) {
            throw new ParameterException(
                    spec.commandLine(), "--columns is for CSV; a Parquet file names its columns itself");
        }
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(
                    file
                            + " is a pipe, and a Parquet file is not read from its beginning to its end; write it to a file first");
        }
        return ParquetFile.open(file);
    }

    /** Beside the file; for a pipe in the current folder, by the table's name. */
    private Path rejectsByDefault() {
        return Path.of((Files.exists(file) && !Files.isRegularFile(file) ? table : file) + ".rejects");
    }

    private void stop(TableLoad load) {
        spec.commandLine().getErr().println("reprise: stopping, when the records under way have ended");
        load.stop();
    }

    private int run(TableLoad load, LoadSource source, Rejects refused, Runnable shown, Runnable ended)
            throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        long records;
        try {
            records = load.run(source, fromLine, shown);
        } catch (IllegalStateException stopped) {
            ended.run();
            spec.commandLine().getErr().println("reprise: " + stopped.getMessage());
            return FAILED;
        }
        ended.run();
        out.println((records - refused.count()) + " of " + records + " records are in " + table
                + (refused.count() == 0
                        ? "."
                        : "; " + refused.count() + (refused.count() == 1 ? " was" : " were") + " refused, see "
                                + refused.path + "."));
        out.flush();
        return refused.count() == 0 ? 0 : REFUSED;
    }

    private char separatorCharacter() {
        if (separator.equalsIgnoreCase("tab") || separator.equals("\\t")) {
            return '\t';
        }
        if (separator.length() != 1 || "\"\r\n".contains(separator)) {
            throw new ParameterException(
                    spec.commandLine(), "--separator takes one character, or tab, not " + separator);
        }
        return separator.charAt(0);
    }

    /** The file of rejected records. The first of them creates it. */
    static final class Rejects implements AutoCloseable {
        private final Path path;
        private final long most;
        private BufferedWriter writer;
        private long count;

        Rejects(Path path, long most) {
            if (Files.exists(path)) {
                throw new IllegalArgumentException(path + " exists already; name another file by --rejects");
            }
            Path folder = path.toAbsolutePath().getParent();
            if (!Files.isDirectory(folder)) {
                throw new IllegalArgumentException(
                        "there is no folder " + folder + " for the rejects; name another file by --rejects");
            }
            this.path = path;
            this.most = most;
        }

        synchronized void add(String record, String why) throws IOException {
            if (writer == null) {
                writer = new BufferedWriter(new OutputStreamWriter(
                        Files.newOutputStream(path, StandardOpenOption.CREATE_NEW), StandardCharsets.UTF_8));
            }
            writer.write("# " + why.replaceAll("\\R", " ") + "\n" + record + "\n");
            // A load that stops says that they are in the file.
            writer.flush();
            count++;
        }

        synchronized long count() {
            return count;
        }

        synchronized boolean tooMany() {
            return count > most;
        }

        @Override
        public synchronized void close() throws IOException {
            if (writer != null) {
                writer.close();
            }
        }
    }
}
