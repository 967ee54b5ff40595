"""The encoding, and with REPRISE_PORT the client against a server, which must be empty."""

import datetime
import decimal
import os
import socket
import threading
import unittest

import reprise
from reprise import hashing, wire

PORT = int(os.environ.get("REPRISE_PORT", "0"))


class EncodingTest(unittest.TestCase):
    def test_values_come_back(self):
        for value in (None, True, False, 0, -1, 2**63 - 1, -(2**63), 1.5, "äöü", b"\x00\xff", decimal.Decimal("-12.340")):
            self.assertEqual(wire.read_value(wire.value(value)), value)

    def test_what_has_no_type_is_rejected(self):
        for value, error in ((2**63, ValueError), (object(), TypeError), ([object()], TypeError), (decimal.Decimal("NaN"), ValueError)):
            with self.assertRaises(error):
                wire.value(value)

    def test_malformed_messages_are_rejected(self):
        for message in (b"\x80", b"\x0a\x05abc", b"\x0b"):
            with self.assertRaises(wire.MalformedMessage):
                list(wire.fields(message))

    def test_buckets(self):
        self.assertEqual([hashing.bucket(value, 1024) for value in (None, 1, 2, 3)], [0, 632, 241, 874])
        self.assertEqual(hashing.bucket("a", 1), 0)

    def test_hashes(self):
        # The vectors of the server, if it gives them: the hashes of the first bytes of 0, 1, 2, ...
        vectors = [int(each) for each in os.environ.get("REPRISE_HASHES", "").split()]
        for length, expected in enumerate(vectors):
            self.assertEqual(hashing.hash64(bytes(i & 0xFF for i in range(length))), expected % 2**64, length)


class Proxy:
    """Stands between client and server, and can lose replies and connections."""

    def __init__(self):
        self.loses = False
        self.connections = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            server = socket.create_connection(("127.0.0.1", PORT))
            threading.Thread(target=self._pump, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, True), daemon=True).start()

    def _pump(self, source, target, replies):
        try:
            while data := source.recv(1 << 16):
                if replies and self.loses:
                    self.loses = False
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        source.close()

    def close(self):
        self._listener.close()


@unittest.skipUnless(PORT, "REPRISE_PORT names no server")
class ServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = reprise.connect(port=PORT)
        cls.client.ddl(
            "CREATE TABLE p (id BIGINT PRIMARY KEY, name VARCHAR(40), amount DECIMAL(12,2), made TIMESTAMP, born DATE,"
            " ok BOOLEAN, data VARBINARY(20), rate DOUBLE, at TIME, large NUMERIC(38,4), small NUMERIC(38,4));"
            "PARTITION TABLE p ON COLUMN id;"
            "CREATE PROCEDURE add_row PARTITION ON TABLE p COLUMN id AS INSERT INTO p (id, name) VALUES (?, ?);"
            "CREATE PROCEDURE get_row PARTITION ON TABLE p COLUMN id AS SELECT id, name FROM p WHERE id = ?;"
        )

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def test_all_types(self):
        row = (
            1,
            "ann",
            decimal.Decimal("10.50"),
            datetime.datetime(2026, 1, 2, 3, 4, 5, 600),
            datetime.date(1969, 12, 31),
            True,
            b"\x00\xff",
            1.5,
            datetime.time(23, 59, 58, 5),
            decimal.Decimal("-1234567890123456789012345678901234.5678"),
            decimal.Decimal("0.0001"),
        )
        self.assertEqual(self.client.sql("INSERT INTO p VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row), 1)
        rows = self.client.sql("SELECT * FROM p WHERE id = ?", 1)
        self.assertEqual(rows, [row])
        self.assertEqual(rows.columns[:2], ["ID", "NAME"])
        self.client.sql("INSERT INTO p (id) VALUES (2)")
        self.assertEqual(self.client.sql("SELECT * FROM p WHERE id = 2"), [(2,) + (None,) * 10])

    def test_procedures_and_failures(self):
        self.assertEqual(self.client.call("add_row", 10, "a"), 1)
        self.assertEqual(self.client.call("get_row", 10), [(10, "a")])
        with self.assertRaises(reprise.CallError) as failure:
            self.client.call("add_row", 10, "b")
        self.assertEqual(failure.exception.code, "CONSTRAINT_VIOLATION")
        with self.assertRaises(reprise.CallError) as failure:
            self.client.call("nothing")
        self.assertEqual(failure.exception.code, "INVALID_REQUEST")
        with self.assertRaises(reprise.CallError):
            self.client.sql("SELECT FROM")

    def test_many_calls_of_many_threads(self):
        def add(first):
            calls = [self.client.submit("add_row", id, "many") for id in range(first, first + 250)]
            for call in calls:
                self.assertEqual(call.result(), 1)

        threads = [threading.Thread(target=add, args=(1000 * n,)) for n in range(1, 5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.client.sql("SELECT COUNT(*) FROM p WHERE name = 'many'"), [(1000,)])

    def test_calls_run_once_when_replies_are_lost(self):
        proxy = Proxy()
        with reprise.connect(port=proxy.port) as client:
            client.call("add_row", 100, "once")
            for id in range(101, 106):
                proxy.loses = True
                self.assertEqual(client.call("add_row", id, "once"), 1)
            self.assertGreater(proxy.connections, 3)
            proxy.loses = True
            with self.assertRaises(reprise.OutcomeUnknown):
                client.sql("INSERT INTO p (id) VALUES (200)")
            self.assertEqual(client.call("get_row", 105), [(105, "once")])
        proxy.close()
        self.assertEqual(self.client.sql("SELECT COUNT(*) FROM p WHERE name = 'once'"), [(6,)])

    def test_a_closed_client_rejects_calls(self):
        client = reprise.connect(port=PORT)
        client.close()
        with self.assertRaises(reprise.CallError):
            client.call("get_row", 1)


if __name__ == "__main__":
    unittest.main()
