package io.reprise.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system of its own that loses power with each kill: ext4 in a file, mounted by a loop device. Bytes that the
 * system has not written to the device when the process dies are in its cache only; a copy of the file at that moment
 * doesn't have them. The copy is mounted for the next process, as after a boot. So all unforced data are lost, except
 * those that the system happened to write by itself. Needs root, and leaves nothing mounted unless it is killed too.
 */
final class LoopDisk implements VictimDisk {
    private static final String BYTES = "768M";

    private final Path folder;
    private final Path mounted;
    private int boots;

    /** Makes and mounts one; the folder is empty. */
    LoopDisk(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        mounted = Files.createDirectories(folder.resolve("mounted"));
        run("truncate", "-s", BYTES, image().toString());
        run("mkfs.ext4", "-q", "-F", image().toString());
        mount();
    }

    /** Whether this machine and user can have one. */
    static boolean isPossible() {
        return Files.isWritable(Path.of("/dev/loop-control")) && "root".equals(System.getProperty("user.name"));
    }

    private Path image() {
        return folder.resolve("disk-" + boots + ".img");
    }

    private void mount() throws IOException, InterruptedException {
        run("mount", "-o", "loop", image().toString(), mounted.toString());
    }

    @Override
    public Path directory() {
        return mounted;
    }

    @Override
    public void died() throws IOException, InterruptedException {
        Path before = image();
        boots++;
        run("cp", "--sparse=always", before.toString(), image().toString());
        run("umount", mounted.toString());
        Files.delete(before);
        mount();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        run("umount", mounted.toString());
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + exit + ": " + said.strip());
        }
    }
}
