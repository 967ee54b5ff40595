package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class FileFailureTest {
    @Test
    void shouldNameTheFileAndWhatIsInTheWayWhenThatIsKnown() {
        assertThat(FileFailure.text(new NoSuchFileException("a.sql"))).isEqualTo("there is no file or folder a.sql");
        assertThat(FileFailure.text(new AccessDeniedException("a.sql"))).isEqualTo("this user may not use a.sql");
        assertThat(FileFailure.text(new FileAlreadyExistsException("a.csv")))
                .isEqualTo("a.csv exists already; name another file");
        assertThat(FileFailure.text(new FileSystemException("a.csv", null, "No space left on device")))
                .isEqualTo("a.csv: No space left on device");
    }

    @Test
    void shouldKeepTheNameOfTheFailureWhenItSaysMoreThanItsMessage() {
        assertThat(FileFailure.text(new IOException("No space left on device"))).isEqualTo("No space left on device");
        assertThat(FileFailure.text(new ConnectException())).isEqualTo("java.net.ConnectException");
    }

    @Test
    void shouldSayOnceWhatHappenedWhenTheFailureWasWrapped() {
        IOException missing = new NoSuchFileException("a.sql");

        assertThat(FileFailure.text(new UncheckedIOException(missing))).isEqualTo("there is no file or folder a.sql");
        assertThat(FileFailure.text(new UncheckedIOException("can't read the script", missing)))
                .isEqualTo("can't read the script: there is no file or folder a.sql");
    }
}
