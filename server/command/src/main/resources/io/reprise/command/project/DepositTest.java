package @package@;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.reprise.engine.CallException;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.procedure.ErrorCode;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The procedure in an engine of the test's own, with two partitions and the schema of the project. */
class DepositTest {
    private static Reprise engine() throws IOException {
        return Options.create()
                .partitions(2)
                .ddl(Files.readString(Path.of("..", "schema.sql")))
                .open();
    }

    @Test
    void addsToTheBalance() throws IOException {
        try (Reprise engine = engine()) {
            engine.call("OpenAccount", 1, new BigDecimal("10.00"));

            assertEquals("15.00", engine.call("Deposit", 1, new BigDecimal("5.00")).stringValue());
        }
    }

    @Test
    void refusesAnUnknownAccount() throws IOException {
        try (Reprise engine = engine()) {
            CallException refused = assertThrows(
                    CallException.class, () -> engine.call("Deposit", 7, new BigDecimal("5.00")));

            assertEquals(ErrorCode.USER_ABORT, refused.code());
        }
    }
}
