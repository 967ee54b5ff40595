package io.reprise.node.security;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Files that are read again when they have changed. A rejected file is tried again with each look, because the reason
 * may pass without a change, as when the process has too many files open; it is told of once for each change. One
 * thread's.
 */
final class WatchedFiles {
    private final List<Path> files;

    /** Those that were taken, and those that were refused. */
    private List<FileStamp> taken;

    private List<FileStamp> refused = List.of();
    private String told = "";

    /** Files that are about to be read for the first time. */
    WatchedFiles(List<Path> files) {
        this.files = files;
        taken = stamps();
    }

    /**
     * Has them read if they have changed since they were taken last.
     *
     * @param take throws {@link IllegalArgumentException} or {@link UncheckedIOException} where what they have can't be used
     * @param tell of that, in words
     */
    void look(Runnable take, Consumer<String> tell) {
        List<FileStamp> now = stamps();
        if (now.equals(taken)) {
            return;
        }
        try {
            take.run();
            taken = now;
            refused = List.of();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            String why = String.valueOf(e.getMessage());
            if (!now.equals(refused) || !why.equals(told)) {
                refused = now;
                told = why;
                tell.accept(why);
            }
        }
    }

    private List<FileStamp> stamps() {
        return files.stream().map(FileStamp::of).toList();
    }
}
