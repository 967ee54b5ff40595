package io.reprise.record.command;

import io.reprise.log.LogRecords;
import io.reprise.log.PayloadPrinter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.LongFunction;

/** Commands as text: {@code Transfer (version 3): 1, 2, 'plum'}. One thread. */
public final class CommandPrinter implements PayloadPrinter {
    private static final int LONGEST = 60;

    private final CommandReader command = new CommandReader();
    private final LongFunction<String> names;

    /**
     * A printer.
     *
     * @param names the name of the procedure that has a version of this number; null where it is not known
     */
    public CommandPrinter(LongFunction<String> names) {
        this.names = names;
    }

    @Override
    public void print(LogRecords records, StringBuilder to) {
        try {
            command.over(records.memory().segment(), records.payload(), records.payloadBytes());
            if (command.statement() != null) {
                to.append("statement ").append(quoted(command.statement().replaceAll("\\s+", " "), Integer.MAX_VALUE));
            } else {
                String name = names.apply(command.versionId());
                to.append(name == null ? "unknown procedure" : name)
                        .append(" (version ")
                        .append(command.versionId())
                        .append(')');
            }
            String separator = ": ";
            while (command.next()) {
                to.append(separator).append(value());
                separator = ", ";
            }
        } catch (DamagedCommandException e) {
            to.append(" (not a command: ").append(e.getMessage()).append(')');
        }
    }

    private String value() {
        return switch (command.kind()) {
            case NULL -> "NULL";
            case BOOLEAN -> command.booleanValue() ? "TRUE" : "FALSE";
            case INTEGER -> Long.toString(command.integer());
            case DOUBLE -> Double.toString(command.doubleValue());
            case DECIMAL -> command.decimal().toPlainString();
            case STRING -> quoted(command.string(), LONGEST);
            case BINARY -> binary(command.binary());
            case INTS -> shortened(Arrays.toString(command.ints()));
            case LONGS -> shortened(Arrays.toString(command.longs()));
            case DOUBLES -> shortened(Arrays.toString(command.doubles()));
            case STRINGS -> shortened(Arrays.toString(command.strings()));
        };
    }

    private static String binary(byte[] bytes) {
        int shown = Math.min(bytes.length, LONGEST / 2);
        return "x'" + HexFormat.of().formatHex(bytes, 0, shown) + (shown < bytes.length ? "..." : "") + "'";
    }

    private static String quoted(String text, int longest) {
        String line = text.replace('\n', ' ').replace('\r', ' ');
        return "'" + (line.length() > longest ? line.substring(0, longest) + "..." : line) + "'";
    }

    private static String shortened(String array) {
        String line = array.replace('\n', ' ').replace('\r', ' ');
        return line.length() > 4 * LONGEST ? line.substring(0, 4 * LONGEST) + "...]" : line;
    }
}
