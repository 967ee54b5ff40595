package io.reprise.node.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/** Whose a file is, and who may read and write it, where the system tells. */
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

    /**
     * Gives a file the owner, the group and the mode of another one that it is going to replace. Throws {@link
     * IllegalArgumentException} if this process may not, and the new file would have readers that the old one had not.
     */
    static void copy(Path from, Path to) throws IOException {
        if (!areKnown()) {
            return;
        }
        PosixFileAttributes wanted = Files.readAttributes(from, PosixFileAttributes.class);
        PosixFileAttributeView view = ofItself(to);
        Set<PosixFilePermission> mode = wanted.permissions();
        boolean othersRead = mode.contains(PosixFilePermission.OTHERS_READ);
        if (!takesGroupOf(wanted, view) && mode.contains(PosixFilePermission.GROUP_READ) && !othersRead) {
            throw new IllegalArgumentException("the group " + wanted.group() + " may read " + from
                    + ", and could not any more, because you may not give files to it: run this as " + wanted.owner()
                    + " or as root");
        }
        boolean ofRoot = Files.getAttribute(from, "unix:uid").equals(0);
        if (!takesOwnerOf(wanted, view) && !othersRead && !ofRoot) {
            throw new IllegalArgumentException(from + " belongs to " + wanted.owner()
                    + ", who could not read it any more, because you may not give files to others: run this as "
                    + wanted.owner() + " or as root");
        }
        view.setPermissions(mode);
    }

    /** Gives a file to the owner of another one, if this process may. Root does so with files that it made for a user. */
    static void giveToOwnerOf(Path other, Path file) throws IOException {
        if (areKnown()) {
            takesOwnerOf(Files.readAttributes(other, PosixFileAttributes.class), ofItself(file));
        }
    }

    /** A view that follows no link: through a planted link, root would give away another file. */
    private static PosixFileAttributeView ofItself(Path file) {
        return Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether the file has this group, or could be given it. */
    private static boolean takesGroupOf(PosixFileAttributes wanted, PosixFileAttributeView file) throws IOException {
        if (file.readAttributes().group().equals(wanted.group())) {
            return true;
        }
        try {
            file.setGroup(wanted.group());
            return true;
        } catch (FileSystemException notPermitted) {
            return false;
        }
    }

    /** Whether the file has this owner, or could be given to it. */
    private static boolean takesOwnerOf(PosixFileAttributes wanted, PosixFileAttributeView file) throws IOException {
        if (file.readAttributes().owner().equals(wanted.owner())) {
            return true;
        }
        try {
            file.setOwner(wanted.owner());
            return true;
        } catch (FileSystemException notPermitted) {
            return false;
        }
    }
}
