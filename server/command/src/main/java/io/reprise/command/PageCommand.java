package io.reprise.command;

import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Opens a node's page in a browser. The link has the node's token behind a #, and browsers send that part to no server. */
@Command(
        name = "page",
        mixinStandardHelpOptions = true,
        description = {
            "Opens the node's page in a browser, signed in by the token of the data directory. Without a desktop it prints the"
                    + " link.",
            "The link is a key to the node until it is started again: keep it secret."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the link was opened or printed", "3:the node has no page", "4:there is no node at work there"
        },
        footer = {"", "Examples:", "  reprise page", "  reprise page /var/lib/reprise --print"})
final class PageCommand implements Callable<Integer> {
    private static final List<Path> BROWSERS = List.of(Path.of("/usr/bin/xdg-open"), Path.of("/usr/bin/open"));

    @Mixin
    private NodeChoice choice;

    @Option(names = "--print", description = "Prints the link, and opens nothing.")
    private boolean print;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        RunFile node = choice.node();
        if (node.http().isEmpty()) {
            throw new IllegalStateException("the node has no page; its configuration has http.enabled: false");
        }
        String link = node.http() + "/#token=" + node.token();
        Optional<Path> browser = print || !hasDesktop()
                ? Optional.empty()
                : BROWSERS.stream().filter(Files::isExecutable).findFirst();
        if (browser.isPresent()) {
            new ProcessBuilder(browser.get().toString(), link)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            out.println("Opening " + node.http() + " in a browser.");
        } else {
            out.println(link);
        }
        return 0;
    }

    private static boolean hasDesktop() {
        return System.getProperty("os.name").startsWith("Mac")
                || Stream.of("DISPLAY", "WAYLAND_DISPLAY")
                        .map(System::getenv)
                        .anyMatch(value -> value != null && !value.isEmpty());
    }
}
