package io.reprise.command;

import io.reprise.engine.LogClosure;
import io.reprise.engine.LogHistoryReport;
import io.reprise.engine.LogPrinting;
import io.reprise.node.process.ClusterIdentity;
import io.reprise.recovery.closure.DependencyGraph;
import io.reprise.recovery.closure.OfflineChooser;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that are about the log. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Looks into the log.",
        footer = {"", "Example: reprise log print data --from 0x4000 --limit 20"})
final class LogCommands {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "print",
            mixinStandardHelpOptions = true,
            description = "Prints the log's records: kind, time, transaction, partition, bucket, hash, and what they"
                    + " say, with the names of tables, columns and procedures at that time.",
            footer = {
                "",
                "Examples:",
                "  reprise log print data --limit 20",
                "  reprise log print data --from 0x4000",
                "  reprise log print data --transaction 0x30303d1d80f40000"
            })
    int print(
            @Mixin DirectoryChoice choice,
            @Option(
                            names = "--from",
                            paramLabel = "POSITION",
                            defaultValue = "0",
                            description = "From this log position on, as in 16384 or 0x4000.")
                    String from,
            @Option(names = "--limit", paramLabel = "N", description = "At most so many records.") Long limit,
            @Option(
                            names = "--transaction",
                            paramLabel = "ID",
                            description = "Only the records of this transaction, as in 0x30303d1d80f40000.")
                    String transaction) {
        LogPrinting.Range range = new LogPrinting.Range(
                number("--from", from),
                limit == null ? Long.MAX_VALUE : limit,
                transaction == null ? OptionalLong.empty() : OptionalLong.of(number("--transaction", transaction)));
        PrintWriter out = spec.commandLine().getOut();
        LogPrinting.print(choice.directory(), range, out::println, out::checkError);
        return 0;
    }

    @Command(
            name = "closure",
            mixinStandardHelpOptions = true,
            description =
                    "Counts what would run again to rebuild a bucket, a partition or a cluster's node from the newest snapshot: its own"
                            + " transactions, and those that they depend on. Without footprints (log.footprints) that is nearly"
                            + " everything.",
            footer = {
                "",
                "Examples:",
                "  reprise log closure data --bucket 17",
                "  reprise log closure data --partition 1 --of 4",
                "  reprise log closure data --node 0 --of 4"
            })
    int closure(
            @Mixin DirectoryChoice choice,
            @Option(names = "--bucket", paramLabel = "B", description = "Rebuild this bucket.") Integer bucket,
            @Option(names = "--partition", paramLabel = "P", description = "Rebuild this partition.") Integer partition,
            @Option(
                            names = "--of",
                            paramLabel = "N",
                            description = "The number of partitions; needed with --partition and --node.")
                    Integer partitions,
            @Option(
                            names = "--node",
                            paramLabel = "N",
                            description =
                                    "Rebuild all that this node of a cluster holds; the directory has to be the node's.")
                    Integer node) {
        long chosen =
                Stream.of(bucket, partition, node).filter(Objects::nonNull).count();
        if (chosen != 1 || (bucket == null) != (partitions != null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "give either --bucket, or --partition and --of, or --node and --of; all but --of are numbers from 0");
        }
        if (node != null) {
            ClusterIdentity.requireNode(choice.path(), node);
        }
        LogClosure closure = new LogClosure(choice.directory());
        LogClosure.Report report = bucket != null
                ? closure.ofBucket(bucket)
                : node != null ? closure.ofNode(partitions) : closure.ofPartition(partition, partitions);
        PrintWriter out = spec.commandLine().getOut();
        out.println("transactions behind the snapshot: " + report.transactions());
        out.println("without a footprint: " + report.untold() + ", with a coarse one: " + report.coarse());
        out.println("commands that run again: " + report.reexecuted());
        out.println("data records that are stored again: " + report.stored());
        out.println(
                report.everything()
                        ? "loaded from the snapshot: everything"
                        : "loaded from the snapshot: " + report.wholeBuckets() + " buckets whole, and "
                                + report.foreignRows() + " rows of others");
        return 0;
    }

    @Command(
            name = "graph",
            mixinStandardHelpOptions = true,
            description =
                    "Shows which transactions of a small log depend on which. The log needs footprints (log.footprints).",
            footer = {"", "Example: reprise log graph data --dot | dot -Tsvg > log.svg"})
    int graph(
            @Mixin DirectoryChoice choice,
            @Option(names = "--dot", description = "Print the graph in Graphviz's language.") boolean dot) {
        DependencyGraph graph = new LogHistoryReport(choice.directory()).graph();
        PrintWriter out = spec.commandLine().getOut();
        if (dot) {
            out.print(graph.dot());
            return 0;
        }
        out.println("transactions: " + graph.size());
        out.println("processing groups: " + graph.groups().size());
        out.println("longest path: " + graph.criticalPath() + " transactions");
        return 0;
    }

    @Command(
            name = "choose",
            mixinStandardHelpOptions = true,
            description =
                    "Compares choices of transactions of a small log that had better been logged as data, by the expected time to rebuild a"
                            + " bucket. The log needs footprints (log.footprints).",
            footer = {"", "Example: reprise log choose data --bucket 17 --budget 100000"})
    int choose(
            @Mixin DirectoryChoice choice,
            @Option(names = "--bucket", paramLabel = "B", required = true, description = "Rebuild this bucket.")
                    int bucket,
            @Option(
                            names = "--budget",
                            paramLabel = "BYTES",
                            required = true,
                            description = "Bytes that data records may take.")
                    long budget) {
        LogHistoryReport.Choices choices = new LogHistoryReport(choice.directory()).choices(bucket, budget);
        PrintWriter out = spec.commandLine().getOut();
        out.println("as logged: " + text(choices.none()));
        out.println("greedy: " + text(choices.greedy()));
        out.println("random: " + text(choices.random()));
        choices.exact().ifPresent(plan -> out.println("exact: " + text(plan)));
        return 0;
    }

    private static String text(OfflineChooser.Plan plan) {
        return plan.data().cardinality() + " data records with " + Math.round(plan.bytes())
                + " bytes, rebuilt in about " + Math.round(plan.recoveryNs() / 1000) + " us";
    }

    private long number(String option, String text) {
        try {
            return Long.decode(text);
        } catch (NumberFormatException e) {
            throw new ParameterException(
                    spec.commandLine(), option + " takes a number such as 16384 or 0x4000, not " + text, e);
        }
    }
}
