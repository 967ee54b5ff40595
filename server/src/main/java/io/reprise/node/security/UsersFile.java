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
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The file of users. It is only ever replaced as a whole, by one that is already on stable storage, so that a node which reads
 * it sees what was there before or what is there now. Whoever changes it holds the lock of a second file, {@code NAME.lock}, so
 * that two changes at the same time come one after the other.
 */
public final class UsersFile {
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

    private final Path path;

    /** The file of this name, there or not. */
    public UsersFile(Path path) {
        this.path = path;
    }

    /** Where it is. */
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

    /** Changes it, or makes it. What the change throws leaves it as it is. */
    public void change(UnaryOperator<Users> change) {
        try (FileChannel guard =
                        FileChannel.open(beside(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = guard.lock()) {
            Users changed = change.apply(exists() ? read() : Users.NONE);
            replace(changed.format());
        } catch (IOException e) {
            throw new IllegalArgumentException("can't change the users' file " + path + ": " + e, e);
        }
    }

    private void replace(String text) throws IOException {
        Path draft = beside(".new");
        Files.deleteIfExists(draft);
        if (FilePermissions.areKnown()) {
            Files.createFile(draft, PosixFilePermissions.asFileAttribute(OWNER));
        } else {
            Files.createFile(draft);
        }
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    private Path beside(String ending) {
        return path.resolveSibling(path.getFileName() + ending);
    }
}
