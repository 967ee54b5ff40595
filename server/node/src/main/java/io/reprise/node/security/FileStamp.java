package io.reprise.node.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** By which a changed file is known from what it was: a file that was put in its place has another key. */
record FileStamp(String modified, long bytes, String key) {
    private static final FileStamp MISSING = new FileStamp("", -1, "");

    static FileStamp of(Path file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(now.lastModifiedTime().toString(), now.size(), String.valueOf(now.fileKey()));
        } catch (IOException e) {
            return MISSING;
        }
    }
}
