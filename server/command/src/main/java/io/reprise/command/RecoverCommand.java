package io.reprise.command;

import io.reprise.engine.OfflineRecovery;
import io.reprise.node.process.ClusterIdentity;
import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.recovery.replay.RecoveryChoice.Action;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Recovers a data directory that refuses to open, by explicit choices. */
@Command(
        name = "recover",
        mixinStandardHelpOptions = true,
        description = {
            "Recovers a data directory that refuses to open because a transaction differs when it is replayed. No node may run"
                    + " there. The message of the start names the transaction.",
            "The choices are logged and a snapshot is made of the outcome. If another transaction differs, nothing is changed: add"
                    + " a choice for it and run the command again. Make a copy of the directory before."
        },
        footer = {
            "",
            "Examples:",
            "  reprise recover data --accept 0x30303d1d80f40000",
            "  reprise recover data --skip 0x30303d1d80f40000 --skip 0x30303d1d80f40100",
            "  reprise recover data --up-to 0x30303d1d80f40000"
        })
final class RecoverCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The data directory.")
    private Path directory;

    @Option(
            names = "--accept",
            paramLabel = "ID",
            description =
                    "Take the writes that the transaction makes now. Only for calls that the log has as commands.")
    private List<String> accepted = new ArrayList<>();

    @Option(
            names = "--accept-all",
            description = "Take the new writes of each transaction that differs; each is named in the output.")
    private boolean acceptAll;

    @Option(names = "--skip", paramLabel = "ID", description = "Leave the transaction out.")
    private List<String> skipped = new ArrayList<>();

    @Option(
            names = "--up-to",
            paramLabel = "ID",
            description = "Discard the transaction and everything that was committed behind it.")
    private String upTo;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        List<RecoveryChoice> choices = new ArrayList<>();
        accepted.forEach(id -> choices.add(choice("--accept", Action.ACCEPT, id)));
        skipped.forEach(id -> choices.add(choice("--skip", Action.SKIP, id)));
        if (upTo != null) {
            choices.add(choice("--up-to", Action.UP_TO, upTo));
        }
        if (acceptAll) {
            choices.add(RecoveryChoice.acceptAll());
        }
        if (choices.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "choose how to go on: --accept ID, --accept-all, --skip ID or --up-to ID");
        }
        ClusterIdentity.requireNone(directory);
        PrintWriter out = spec.commandLine().getOut();
        OfflineRecovery.run(directory, choices, out::println);
        return 0;
    }

    private RecoveryChoice choice(String option, Action action, String id) {
        try {
            return RecoveryChoice.of(action, Long.decode(id));
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    option + " takes the id of a transaction such as 0x30303d1d80f40000, not " + id,
                    e);
        }
    }
}
