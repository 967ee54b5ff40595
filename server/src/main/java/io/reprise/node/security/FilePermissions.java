package io.reprise.node.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Who may read and write a file, where the system tells. */
final class FilePermissions {
    private FilePermissions() {}

    static boolean areKnown() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    /** Whether one of these is given. */
    static boolean othersMay(Path file, PosixFilePermission... permissions) {
        if (!areKnown()) {
            return false;
        }
        try {
            Set<PosixFilePermission> given = Files.getPosixFilePermissions(file);
            for (PosixFilePermission permission : permissions) {
                if (given.contains(permission)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException("can't see who may read " + file, e);
        }
    }
}
