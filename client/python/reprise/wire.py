"""Messages of the native protocol: Protocol Buffers, written and read by hand."""

import datetime
import decimal
import struct

HELLO, WELCOME, GOODBYE, RESOLVE, RESOLVED, CALLS, REPLIES, STATEMENT, SCHEMA = range(1, 10)
VERSION = 1

_EPOCH = datetime.datetime(1970, 1, 1)
_EPOCH_DAY = datetime.date(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)
_BOOLEAN, _DECIMAL, _TIMESTAMP, _DATE, _TIME = 1, 7, 10, 11, 12

CODES = dict(
    enumerate(
        "UNSPECIFIED USER_ABORT CONSTRAINT_VIOLATION NUMERIC_OVERFLOW DIVISION_BY_ZERO VALUE_TOO_LONG INVALID_VALUE"
        " CARDINALITY SCOPE_VIOLATION MEMORY_LIMIT TIME_LIMIT PROCEDURE_FAILURE INVALID_REQUEST OVERLOADED"
        " SHUTTING_DOWN DEADLINE_PASSED RESULT_TOO_LARGE OUTCOME_UNKNOWN RESULT_LOST STORAGE_UNAVAILABLE"
        " NOT_PERMITTED MOVED PARTITION_UNAVAILABLE CANCELED".split()
    )
)


class MalformedMessage(Exception):
    """A message does not follow the protocol."""


def varint(value):
    """An unsigned number."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    """A signed number."""
    if not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"{value} is no 64-bit integer")
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def number(field, value):
    """A field with an unsigned number; 0 is left out."""
    return varint(field << 3) + varint(value) if value else b""


def data(field, value):
    """A field with bytes."""
    return varint(field << 3 | 2) + varint(len(value)) + value


def text(field, value):
    """A field with a string; an empty one is left out."""
    return data(field, value.encode()) if value else b""


def fields(message):
    """The fields of a message: number and value, an int or bytes."""
    at = 0
    end = len(message)
    while at < end:
        key, at = _read_varint(message, at)
        kind = key & 7
        if kind == 0:
            value, at = _read_varint(message, at)
        else:
            if kind == 2:
                size, at = _read_varint(message, at)
            elif kind in (1, 5):
                size = 8 if kind == 1 else 4
            else:
                raise MalformedMessage(f"wire type {kind}")
            if at + size > end:
                raise MalformedMessage("a field is longer than its message")
            value = message[at : at + size]
            at += size
        yield key >> 3, value


def _read_varint(message, at):
    value = shift = 0
    while True:
        if at >= len(message) or shift > 63:
            raise MalformedMessage("a number does not end")
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _signed(value):
    return value >> 1 ^ -(value & 1)


def value(argument):
    """An argument as a Value."""
    if argument is None:
        return b""
    if isinstance(argument, bool):
        return varint(3 << 3) + varint(int(argument))
    if isinstance(argument, int):
        return varint(1 << 3) + zigzag(argument)
    if isinstance(argument, float):
        return varint(2 << 3 | 1) + struct.pack("<d", argument)
    if isinstance(argument, str):
        return data(4, argument.encode())
    if isinstance(argument, (bytes, bytearray, memoryview)):
        return data(5, bytes(argument))
    if isinstance(argument, decimal.Decimal):
        return data(6, _decimal(argument))
    if isinstance(argument, datetime.datetime):
        if argument.tzinfo is not None:
            argument = argument.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return varint(1 << 3) + zigzag((argument - _EPOCH) // _MICROSECOND)
    if isinstance(argument, datetime.date):
        return varint(1 << 3) + zigzag((argument - _EPOCH_DAY).days)
    if isinstance(argument, datetime.time):
        day = datetime.datetime.combine(_EPOCH_DAY, argument.replace(tzinfo=None))
        return varint(1 << 3) + zigzag((day - _EPOCH) // _MICROSECOND)
    if isinstance(argument, (list, tuple)):
        return _array(argument)
    raise TypeError(f"no SQL type for {type(argument).__name__}")


def _decimal(argument):
    sign, digits, exponent = argument.as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"{argument} is no number")
    unscaled = int("".join(map(str, digits)) or "0") * (-1 if sign else 1)
    length = (unscaled if unscaled >= 0 else ~unscaled).bit_length() // 8 + 1
    if length > 64 or abs(exponent) > 1000:
        raise ValueError("a decimal number is longer than servers take")
    return varint(1 << 3) + zigzag(-exponent) + data(2, unscaled.to_bytes(length, "big", signed=True))


def _array(elements):
    if all(isinstance(each, int) and not isinstance(each, bool) for each in elements):
        return data(8, data(1, b"".join(map(zigzag, elements))))
    if all(isinstance(each, (int, float)) for each in elements):
        return data(9, data(1, b"".join(struct.pack("<d", each) for each in elements)))
    if all(isinstance(each, str) for each in elements):
        return data(10, b"".join(data(1, each.encode()) for each in elements))
    raise TypeError("an array has integers, numbers or strings")


def read_value(message, column=None):
    """A Value, of a column of a table or of its own."""
    found = None
    for field, content in fields(message):
        if field == 1:
            found = _of_column(_signed(content), column)
        elif field == 2:
            found = struct.unpack("<d", content)[0]
        elif field == 3:
            found = content != 0
        elif field == 4:
            found = content.decode()
        elif field == 5:
            wide = column is not None and column[1] == _DECIMAL
            found = _scaled(int.from_bytes(content, "big", signed=True), column[2]) if wide else bytes(content)
        elif field == 6:
            found = _read_decimal(content)
        else:
            raise MalformedMessage(f"a value has the unknown kind {field}")
    return found


def _of_column(number, column):
    kind = column[1] if column else 0
    if kind == _BOOLEAN:
        return number != 0
    if kind == _DECIMAL:
        return _scaled(number, column[2])
    if kind == _TIMESTAMP:
        return _EPOCH + number * _MICROSECOND
    if kind == _DATE:
        return _EPOCH_DAY + datetime.timedelta(days=number)
    if kind == _TIME:
        return (_EPOCH + number * _MICROSECOND).time()
    return number


def _read_decimal(message):
    scale = 0
    unscaled = b""
    for field, content in fields(message):
        if field == 1:
            scale = _signed(content)
        elif field == 2:
            unscaled = content
    return _scaled(int.from_bytes(unscaled, "big", signed=True), scale)


def _scaled(unscaled, scale):
    return decimal.Decimal((int(unscaled < 0), tuple(map(int, str(abs(unscaled)))), -scale))


def read_table(message):
    """A Table: columns with name, type and scale, and rows as tuples."""
    columns = []
    rows = []
    for field, content in fields(message):
        if field == 1:
            found = dict(fields(content))
            columns.append((found.get(1, b"").decode(), found.get(2, 0), found.get(4, 0)))
        elif field == 2:
            cells = [cell for number, cell in fields(content) if number == 1]
            rows.append(tuple(map(read_value, cells, columns)))
    return columns, rows


def read_failure(message):
    """A Failure: code, message, whether a retry is safe, whether nothing was run."""
    found = dict(fields(message))
    code = CODES.get(found.get(1, 0), "UNKNOWN")
    return code, found.get(2, b"").decode(), bool(found.get(3, 0)), bool(found.get(4, 0))
