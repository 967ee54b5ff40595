package @package@;

import io.reprise.procedure.Procedure;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import java.math.BigDecimal;

/** Adds to the balance of an account, and returns the new balance. One call is one transaction. */
public final class Deposit extends Procedure {
    private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");
    private final Statement balance = sql("SELECT balance FROM account WHERE id = ?");

    public String run(long account, BigDecimal amount) {
        if (add.set(0, amount).set(1, account).update() == 0) {
            throw abort("there is no account " + account);
        }
        Rows rows = balance.set(0, account).query();
        rows.next();
        return rows.decimalAt(0).toPlainString();
    }
}
