package io.reprise.benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Commands of git in a folder. */
final class Git {
    private final Path folder;

    Git(Path folder) {
        this.folder = folder;
    }

    /** Standard output without the blanks around it; empty if the command fails or there is no git. */
    Optional<String> output(String... arguments) {
        return output(List.of(arguments));
    }

    Optional<String> output(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
