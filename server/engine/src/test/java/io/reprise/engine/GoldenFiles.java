package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Data directories as files of the tests: the content of each file by its path. */
final class GoldenFiles {
    private GoldenFiles() {}

    /** The files of a disk's directory. */
    static Map<String, byte[]> of(SimulatedFileStore disk, String directory) {
        return files(disk, directory, new TreeMap<>());
    }

    private static Map<String, byte[]> files(SimulatedFileStore disk, String directory, Map<String, byte[]> into) {
        for (String name : disk.list(directory)) {
            String path = directory.isEmpty() ? name : directory + "/" + name;
            if (name.contains(".") && !name.endsWith(".partial") || name.equals("manifest")) {
                try (DataFile file = disk.openReadOnly(path)) {
                    byte[] bytes = new byte[(int) file.size()];
                    file.read(0, ByteBuffer.wrap(bytes));
                    into.put(path, bytes);
                }
            } else {
                files(disk, path, into);
            }
        }
        return into;
    }

    /** A disk that has these files. */
    static SimulatedFileStore disk(Map<String, byte[]> files) {
        SimulatedFileStore disk = new SimulatedFileStore(2);
        files.forEach((path, bytes) -> {
            for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
                disk.createDirectory(path.substring(0, slash));
            }
            try (DataFile file = disk.create(path)) {
                file.write(0, ByteBuffer.wrap(bytes));
            }
        });
        return disk;
    }

    /** The recorded files. */
    static Map<String, byte[]> load(String name) throws IOException {
        try (InputStream in = GoldenFiles.class.getResourceAsStream("golden/" + name)) {
            assertThat(in).as("golden file %s", name).isNotNull();
            Map<String, byte[]> files = new TreeMap<>();
            ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(in.readAllBytes()));
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), zip.readAllBytes());
            }
            return files;
        }
    }

    /** Writes a golden file anew if {@code -Dreprise.golden=DIRECTORY} says where. */
    static void writeIfAsked(String name, Map<String, byte[]> files) throws IOException {
        String target = System.getProperty("reprise.golden");
        if (target == null) {
            return;
        }
        Files.createDirectories(Path.of(target));
        try (OutputStream out = Files.newOutputStream(Path.of(target, name));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                // Without the time of day, so that the same content gives the same file.
                entry.setTimeLocal(java.time.LocalDateTime.of(2020, 1, 1, 0, 0));
                zip.putNextEntry(entry);
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
    }
}
