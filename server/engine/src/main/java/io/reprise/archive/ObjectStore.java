package io.reprise.archive;

import io.reprise.runtime.file.DataFile;
import java.util.List;

/**
 * A place for immutable objects with names such as {@code folder/name}: a directory ({@link FolderObjects}), or a bucket of an
 * object store. This is the seam for other places; an implementation has these duties:
 *
 * <ul>
 *   <li>An object appears when its upload completes, whole and on stable storage, and in place of an older one of its name.
 *   <li>An upload that is closed before that leaves no object.
 *   <li>Failures are {@link io.reprise.runtime.file.StorageException}.
 * </ul>
 *
 * <p>One thread at a time, but for {@link #open} and {@link #exists}, which any thread may call.
 */
public interface ObjectStore {
    /** The place, for messages. */
    String place();

    /** The names of objects and folders that are directly in a folder, sorted; none if there is no such folder. */
    List<String> list(String folder);

    /** Whether there is a whole object of that name. */
    boolean exists(String name);

    /** Opens an object for reading. */
    DataFile open(String name);

    /** Begins an object. */
    ObjectUpload upload(String name);

    /** Removes an object, or a folder without objects. */
    void delete(String name);

    /** Removes the remains of interrupted uploads that are directly in a folder. */
    void removeUnfinished(String folder);
}
