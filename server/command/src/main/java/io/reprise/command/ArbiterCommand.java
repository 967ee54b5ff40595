package io.reprise.command;

import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.process.ArbiterProcess;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a server of ZooKeeper without a node, and stays until it is stopped. */
@Command(
        name = "arbiter",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a server of ZooKeeper and no node, and stays until it is stopped by Ctrl-C or SIGTERM.",
            "Two nodes need a third vote on another machine, which decides which of them goes on when they lose each other."
                    + " The configuration needs cluster.name and cluster.zookeeper alone."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"3:it could not be started; the message says why", "143:it was told to stop (130 after Ctrl-C)"
        },
        footer = {"", "Example: reprise arbiter --config arbiter.yaml"})
final class ArbiterCommand implements Callable<Integer> {
    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The configuration, in YAML.")
    private Path file;

    @Override
    public Integer call() throws InterruptedException {
        NodeConfiguration configuration = ConfigurationFile.read(file);
        StartCommand.logAs(configuration.logging());
        ArbiterProcess arbiter = ArbiterProcess.start(configuration.cluster());
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("reprise-stop").unstarted(() -> {
                    arbiter.close();
                    stopped.countDown();
                }));
        LoggerFactory.getLogger("io.reprise.cluster")
                .info(
                        "The arbiter of cluster {} is ready, data in {}.",
                        configuration.cluster().orElseThrow().name(),
                        configuration.cluster().orElseThrow().zooKeeper().directory());
        stopped.await();
        return 0;
    }
}
