package io.reprise.node.security;

import io.reprise.access.Users;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The file of users. It is only ever replaced as a whole, by one that is already on stable storage, so that a reading
 * node sees the old or the new one. A change holds the lock of a second file, {@code NAME.lock}, so that two changes
 * at the same time come one after the other.
 *
 * <p>A new file has the owner, group and mode of the old one: root often changes the users, and another user's node
 * reads them. A link stays, and its target is replaced.
 */
public final class UsersFile {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private final Path path;

    /** The file of this name, there or not. */
    public UsersFile(Path path) {
        this.path = path;
    }

    /** The path of the file. */
    public Path path() {
        return path;
    }

    /** Whether it is there. */
    public boolean exists() {
        return Files.exists(path);
    }

    /** Reads it; says in which line it is wrong. */
    public Users read() {
        try {
            String text = Files.readString(path);
            if (FilePermissions.othersMay(path, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE)) {
                throw new IllegalArgumentException("others may write the users' file " + path
                        + ", and so make themselves its users: chmod 600 " + path);
            }
            return Users.parse(text, path.toString());
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "there is no users' file " + path + "; make one by adding a user: reprise user add NAME --file "
                            + path,
                    e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the users' file " + path + " is not in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("can't read the users' file " + path + ": " + e, e);
        }
    }

    /** Changes it, or makes it. An exception of the change leaves it as it is. */
    public void change(UnaryOperator<Users> change) {
        try {
            Path file = target();
            Path guardFile = beside(file, ".lock");
            try (FileChannel guard = FileChannel.open(guardFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = guard.lock()) {
                Users changed = change.apply(exists() ? read() : Users.NONE);
                replace(file, changed.format());
                // Or who made the file could not change it any more.
                FilePermissions.giveToOwnerOf(file, guardFile);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("can't change the users' file " + path + ": " + e, e);
        }
    }

    /** The target of links, also if nothing is there yet. */
    private Path target() throws IOException {
        if (exists()) {
            return path.toRealPath();
        }
        return Files.isSymbolicLink(path) ? path.resolveSibling(Files.readSymbolicLink(path)) : path;
    }

    private void replace(Path file, String text) throws IOException {
        Path draft = beside(file, ".new");
        Files.deleteIfExists(draft);
        try {
            write(draft, file, text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
        try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    private void write(Path draft, Path before, String text) throws IOException {
        FileAttribute<?>[] owners = FilePermissions.areKnown()
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
                : new FileAttribute<?>[0];
        try (FileChannel channel =
                FileChannel.open(draft, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), owners)) {
            if (Files.exists(before)) {
                FilePermissions.copy(before, draft);
            }
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private static Path beside(Path file, String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }
}
