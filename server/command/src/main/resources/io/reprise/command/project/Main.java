package @package@.client;

import io.reprise.client.CallAbortedException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import java.math.BigDecimal;
import java.net.InetSocketAddress;

/** Opens an account and pays into it. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        String host = arguments.length > 0 ? arguments[0] : "localhost";
        int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 21212;
        try (Client client = Client.connect(ClientSettings.to(new InetSocketAddress(host, port)))) {
            try {
                client.call("OpenAccount", 1, new BigDecimal("0.00"));
            } catch (CallAbortedException e) {
                System.out.println("Account 1 is open already.");
            }
            System.out.println("Balance: " + client.call("Deposit", 1, new BigDecimal("5.00")).stringValue());
        }
    }
}
