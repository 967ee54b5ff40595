"""The client: a connection that is made again when it breaks, and the calls on it."""

import itertools
import secrets
import socket
import struct
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout

from . import wire

_SOFTWARE = "reprise-python 0.1.0"
_RETRY_S = 0.05
_LONGEST_RETRY_S = 1.0
_CONNECT_S = 10.0


class CallError(Exception):
    """A call that failed. Its transaction was rolled back, unless the code says otherwise."""

    def __init__(self, code, message, retry_is_safe=False, not_run=False):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.retry_is_safe = retry_is_safe
        self.not_run = not_run


class OutcomeUnknown(CallError):
    """A call whose outcome is unknown, because its connection broke or its time was over."""

    def __init__(self, message):
        super().__init__("OUTCOME_UNKNOWN", message)


class ConnectionRefused(Exception):
    """The server has refused the connection, with its reason."""


class Rows(list):
    """The rows of a table, as tuples, with the names of the columns."""

    def __init__(self, columns, rows):
        super().__init__(rows)
        self.columns = [name for name, _, _ in columns]


def connect(host="127.0.0.1", port=21212, user=None, password=None, tls=None, timeout=60.0):
    """Connects to a server. `timeout` is the longest time of a call; `tls` an ssl.SSLContext."""
    return Client(host, port, user, password, tls, timeout)


class _Reply(Future):
    """The future of a request, which waits no longer than the request's time."""

    def __init__(self, give_up, deadline):
        super().__init__()
        self._give_up = give_up
        self._deadline = deadline

    def result(self, timeout=None):
        left = max(0.0, self._deadline - time.monotonic())
        try:
            return super().result(left if timeout is None else min(timeout, left))
        except FutureTimeout:
            if self.done():
                return super().result(0)
            if timeout is not None and timeout < left:
                raise
            self._give_up()
            raise OutcomeUnknown("no reply came in time") from None


class _Pending:
    """A request without a reply."""

    def __init__(self, kind, content, deadline, procedure=None, sequence=0):
        self.kind = kind
        self.content = content
        self.deadline = deadline
        self.procedure = procedure
        self.sequence = sequence
        self.future = None


class Client:
    """A client of one server. Any number of threads may use it."""

    def __init__(self, host, port, user, password, tls, timeout):
        self._address = (host, port)
        self._credentials = (user or "", password or "")
        self._tls = tls
        self._timeout = timeout
        self._client_id = secrets.randbits(64) or 1
        self._ids = itertools.count(1)
        self._sequences = itertools.count(1)
        # Guards the requests. Never held while something is written, so that replies are always read.
        self._lock = threading.Lock()
        # Guards the writing, and the generation of the connection.
        self._writing = threading.Lock()
        self._generation = 0
        self._pending = {}
        self._handles = {}
        self._closed = False
        self._connection = self._open()
        self._reader = threading.Thread(target=self._read, name="reprise-reader", daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the connection. Calls without a reply fail."""
        self._closed = True
        self._hang_up()
        self._reader.join()

    def call(self, procedure, *arguments, timeout=None):
        """Calls a procedure. Returns its result: None, a value, or Rows."""
        return self.submit(procedure, *arguments, timeout=timeout).result()

    def submit(self, procedure, *arguments, timeout=None):
        """The same without waiting. Returns a Future."""
        content = b"".join(wire.data(3, wire.value(each)) for each in arguments)
        return self._send(_Pending(wire.CALLS, content, self._deadline(timeout), procedure))

    def sql(self, statement, *arguments, timeout=None):
        """Runs a statement as a transaction of its own. Returns Rows of a query, the count of a write."""
        content = wire.text(2, statement) + b"".join(wire.data(3, wire.value(each)) for each in arguments)
        return self._send(_Pending(wire.STATEMENT, content, self._deadline(timeout))).result()

    def ddl(self, script, timeout=None):
        """Changes the schema."""
        content = wire.text(2, script)
        return self._send(_Pending(wire.SCHEMA, content, self._deadline(timeout))).result()

    def _deadline(self, timeout):
        return time.monotonic() + (self._timeout if timeout is None else timeout)

    # ---- The connection ----

    def _open(self):
        connection = socket.create_connection(self._address, _CONNECT_S)
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_hostname=self._address[0])
            user, password = self._credentials
            hello = (
                wire.number(1, wire.VERSION)
                + wire.number(2, wire.VERSION)
                + wire.text(3, _SOFTWARE)
                + wire.varint(4 << 3 | 1)
                + struct.pack("<Q", self._client_id)
                + wire.text(5, user)
                + wire.text(6, password)
                + wire.data(15, b"\r\n\r\n")
            )
            _write(connection, wire.HELLO, hello)
            kind, message = _frame(connection)
            if kind == wire.GOODBYE:
                raise ConnectionRefused(dict(wire.fields(message)).get(2, b"no reason given").decode())
            if kind != wire.WELCOME:
                raise ConnectionRefused(f"the server's first frame has the kind {kind}")
            connection.settimeout(None)
            return connection
        except BaseException:
            connection.close()
            raise

    def _hang_up(self):
        try:
            self._connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._connection.close()

    # ---- Requests ----

    def _send(self, pending):
        with self._lock:
            if self._closed:
                raise CallError("NOT_CONNECTED", "the client is closed", True, True)
            id = next(self._ids)
            if pending.kind == wire.CALLS:
                pending.sequence = next(self._sequences)
            pending.future = _Reply(lambda: self._give_up(id, pending), pending.deadline)
            self._pending[id] = pending
        self._transmit(id, pending)
        return pending.future

    def _transmit(self, id, pending):
        """Sends a request. If the connection breaks, or another one is made meanwhile, calls are repeated there."""
        generation = self._generation
        try:
            if pending.kind == wire.CALLS:
                self._write(generation, wire.CALLS, self._call(id, pending))
            else:
                self._write(generation, pending.kind, wire.number(1, id) + pending.content)
        except CallError as refused:
            with self._lock:
                ended = self._pending.pop(id, None)
            if ended is not None:
                ended.future.set_exception(refused)
        except (OSError, FutureTimeout):
            pass

    def _call(self, id, pending):
        handle = self._handle(pending)
        left_ms = max(1, int((pending.deadline - time.monotonic()) * 1000))
        call = (
            wire.number(1, id)
            + wire.number(2, handle)
            + pending.content
            + wire.number(4, left_ms)
            + wire.number(5, pending.sequence)
        )
        with self._lock:
            acknowledged = min((each.sequence for each in self._pending.values() if each.sequence), default=0)
        return wire.number(3, min(acknowledged, pending.sequence)) + wire.data(1, call)

    def _handle(self, pending):
        """The number of a procedure at the present server."""
        with self._lock:
            handle = self._handles.get(pending.procedure)
            if handle:
                return handle
            id = next(self._ids)
            asked = _Pending(wire.RESOLVE, b"", pending.deadline, pending.procedure)
            asked.future = Future()
            self._pending[id] = asked
        self._write(self._generation, wire.RESOLVE, wire.number(1, id) + wire.text(2, pending.procedure))
        return asked.future.result(max(0.0, pending.deadline - time.monotonic()))

    def _write(self, generation, kind, message):
        with self._writing:
            if generation != self._generation:
                raise OSError("the connection has been replaced")
            _write(self._connection, kind, message)

    def _give_up(self, id, pending):
        """The time of a request is over. The number of a call stays in use, because its outcome is not known."""
        with self._lock:
            if self._pending.get(id) is pending and not pending.sequence:
                del self._pending[id]

    # ---- Replies ----

    def _read(self):
        while True:
            try:
                while True:
                    self._take(*_frame(self._connection))
            except (OSError, EOFError, wire.MalformedMessage) as broken:
                self._connection.close()
                if not self._reconnect(broken):
                    return

    def _take(self, kind, message):
        if kind == wire.REPLIES:
            for field, content in wire.fields(message):
                if field == 1:
                    self._reply(content)
        elif kind == wire.RESOLVED:
            self._resolved(message)
        elif kind == wire.GOODBYE:
            raise EOFError(dict(wire.fields(message)).get(2, b"").decode())

    def _resolved(self, message):
        found = dict(wire.fields(message))
        with self._lock:
            asked = self._pending.pop(found.get(1, 0), None)
            if asked is None:
                return
            if found.get(2, 0):
                self._handles[asked.procedure] = found[2]
        if found.get(2, 0):
            asked.future.set_result(found[2])
        else:
            asked.future.set_exception(CallError(*wire.read_failure(found.get(6, b""))))

    def _reply(self, message):
        found = dict(wire.fields(message))
        with self._lock:
            pending = self._pending.pop(found.get(1, 0), None)
        if pending is None or pending.future.cancelled():
            return
        if 4 in found:
            code, what, retry_is_safe, not_run = wire.read_failure(found[4])
            failure = CallError(code, what, retry_is_safe, not_run)
            pending.future.set_exception(OutcomeUnknown(what) if code == "OUTCOME_UNKNOWN" else failure)
        elif 3 in found:
            pending.future.set_result(Rows(*wire.read_table(found[3])))
        else:
            pending.future.set_result(wire.read_value(found[2]) if 2 in found else None)

    # ---- Broken connections ----

    def _reconnect(self, broken):
        """Connects again and repeats the numbered calls. Returns whether the client goes on."""
        with self._lock:
            ended = [id for id, each in self._pending.items() if not each.sequence or self._closed]
            lost = [self._pending.pop(id) for id in ended]
        for each in lost:
            if each.kind == wire.RESOLVE:
                each.future.set_exception(FutureTimeout())
            else:
                each.future.set_exception(OutcomeUnknown(f"the connection broke: {broken}"))
        pause = _RETRY_S
        while not self._closed:
            try:
                connection = self._open()
            except (OSError, EOFError, ConnectionRefused):
                self._drop_overdue()
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_RETRY_S)
                continue
            with self._writing:
                self._connection = connection
                self._generation += 1
            with self._lock:
                self._handles.clear()
                again = sorted(self._pending.items())
            # The reader must read while calls are repeated.
            threading.Thread(target=self._repeat, args=(again,), name="reprise-repeat", daemon=True).start()
            return True
        return False

    def _repeat(self, requests):
        for id, pending in requests:
            self._transmit(id, pending)

    def _drop_overdue(self):
        now = time.monotonic()
        with self._lock:
            overdue = [id for id, each in self._pending.items() if each.deadline < now]
            lost = [self._pending.pop(id) for id in overdue]
        for each in lost:
            each.future.set_exception(OutcomeUnknown("the server can't be reached"))


def _write(connection, kind, message):
    connection.sendall(struct.pack(">IB", len(message) + 1, kind) + message)


def _frame(connection):
    length, kind = struct.unpack(">IB", _exactly(connection, 5))
    return kind, _exactly(connection, length - 1)


def _exactly(connection, count):
    parts = []
    while count > 0:
        part = connection.recv(min(count, 1 << 16))
        if not part:
            raise EOFError("the server has ended the connection")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
