package io.reprise.command;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.Reply;
import io.reprise.client.ResultRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
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
            "An argument is a number (17, -2.50), true, false, null, a string ('17' in quotation marks of SQL, or any other"
                    + " word), or bytes (x'00ff'). After -- arguments may begin with a minus."
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
            description = "How rows are printed: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private RowsPrinter.Format format;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<Object> values = new ArrayList<>();
        arguments.forEach(argument -> values.add(value(argument)));
        try (Client client = server.connect()) {
            Reply reply = client.call(procedure, values.toArray());
            if (reply.value() instanceof ResultRows rows) {
                RowsPrinter.print(rows, format, out);
            } else if (reply.value() != null) {
                out.println(RowsPrinter.text(reply.value()));
            }
            return 0;
        } catch (CallException e) {
            spec.commandLine()
                    .getErr()
                    .println("reprise: " + e.code().name().toLowerCase(Locale.ROOT) + ": " + e.getMessage());
            return switch (e.code()) {
                case USER_ABORT, CONSTRAINT_VIOLATION -> REFUSED;
                default -> FAILED;
            };
        }
    }

    /** What somebody means who types this. */
    static Object value(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.equals("null")) {
            return null;
        }
        if (lower.equals("true") || lower.equals("false")) {
            return Boolean.valueOf(lower);
        }
        if (text.length() >= 2 && text.startsWith("'") && text.endsWith("'")) {
            return text.substring(1, text.length() - 1).replace("''", "'");
        }
        if (lower.matches("x'([0-9a-f]{2})*'")) {
            return HexFormat.of().parseHex(text, 2, text.length() - 1);
        }
        if (text.matches("[+-]?[0-9]+")) {
            BigInteger whole = new BigInteger(text);
            return whole.bitLength() < Long.SIZE ? (Object) whole.longValue() : new BigDecimal(whole);
        }
        if (text.matches("[+-]?[0-9]*\\.?[0-9]+")) {
            return new BigDecimal(text);
        }
        if (text.matches("[+-]?[0-9]*\\.?[0-9]+[eE][+-]?[0-9]{1,3}")) {
            return Double.valueOf(text);
        }
        return text;
    }
}
