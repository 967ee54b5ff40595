package io.reprise.runtime.file;

/** Rules for paths in a store, the same for all stores, so that no path leads out of the data directory. */
public final class StorePaths {
    private StorePaths() {}

    /** Returns the path if it names a file or directory inside the data directory. */
    public static String checkInside(String path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("the path of a file must not be empty");
        }
        return check(path);
    }

    /** Returns the path if it names a directory: the data directory itself or one inside. */
    public static String check(String path) {
        if (path.isEmpty()) {
            return path;
        }
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException(
                        "not a path relative to the data directory, with names between slashes: \"" + path + "\"");
            }
        }
        return path;
    }

    /** The directory that holds the name: empty for the data directory. */
    public static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }

    /** The last name in the path. */
    public static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
