package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.Reply;
import io.reprise.client.Rows;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Calls a procedure. */
@Command(
        name = "call",
        mixinStandardHelpOptions = true,
        description = {
            "Calls a procedure and prints what it returns.",
            "An argument is a number (17, -2.50, 1e3), true, false, null, a string ('17' in quotation marks of SQL, or any other"
                    + " word), bytes (x'00ff'), a time in UTC (TIMESTAMP '2026-03-01 12:00:00.5'), a date (DATE '2026-03-01'), a time of day (TIME '12:00'),"
                    + " or an array of numbers or strings ([1, 2], ['a', 'b']). After -- arguments may begin with a minus."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it committed",
            "1:it did not: the procedure or a constraint refused it",
            "3:it could not be called"
        },
        footer = {
            "",
            "Examples:",
            "  reprise call Deposit 17 2.50",
            "  reprise call Rename 17 \"'Ann'\"",
            "  reprise call Expire \"TIMESTAMP '2026-03-01 00:00:00'\" [17,18]",
            "  reprise call -- Add -5"
        })
final class CallCommand implements Callable<Integer> {
    private static final int REFUSED = 1;
    private static final int FAILED = 3;

    @Mixin
    private ServerChoice server;

    @Parameters(index = "0", paramLabel = "PROCEDURE", description = "Its name.")
    private String procedure;

    @Parameters(index = "1..*", paramLabel = "ARGUMENT", description = "Its arguments.")
    private List<String> arguments = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Form of printed rows: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private RowsPrinter.Format format;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<Object> values = new ArrayList<>();
        arguments.forEach(argument -> values.add(ArgumentText.value(argument)));
        try (Client client = server.connect()) {
            Reply reply = client.call(procedure, values.toArray());
            if (reply.value() instanceof Rows rows) {
                RowsPrinter.print(rows, format, out);
            } else if (reply.value() != null) {
                out.println(RowsPrinter.text(reply.value()));
            }
            return 0;
        } catch (CallException e) {
            spec.commandLine().getErr().println("reprise: " + e.code().name() + ": " + e.getMessage());
            return switch (e.code()) {
                case USER_ABORT, CONSTRAINT_VIOLATION -> REFUSED;
                default -> FAILED;
            };
        }
    }
}
