"""The bucket of a partitioning value. Databases are laid out by this function, so it does not change."""

_MASK = (1 << 64) - 1
_K0 = 0x9E3779B185EBCA87
_K1 = 0xC2B2AE3D27D4EB4F
_K2 = 0x165667B19E3779F9
_K3 = 0xD6E8FEB86659FD93
_GOLDEN = 0x9E3779B97F4A7C15


def _rotl(value, bits):
    return ((value << bits) | (value >> (64 - bits))) & _MASK


def _lane(h, word):
    return _rotl((h + word * _K1) & _MASK, 31) * _K0 & _MASK


def _step(h, word):
    mixed = _rotl(word * _K1 & _MASK, 31) * _K0 & _MASK
    return (_rotl(h ^ mixed, 27) * _K0 + _K3) & _MASK


def _finish(h):
    y = (h ^ (h >> 33)) * _K1 & _MASK
    x = (y ^ (y >> 29)) * _K2 & _MASK
    return x ^ (x >> 32)


def _word(data, at):
    return int.from_bytes(data[at : at + 8], "little")


def hash64(data):
    """The 64-bit hash of bytes."""
    length = len(data)
    h = _K2 ^ (length * _K0 & _MASK)
    at = 0
    if length >= 64:
        lanes = [h, h ^ _K1, h ^ _K2, h ^ _K3]
        while length - at >= 32:
            for i in range(4):
                lanes[i] = _lane(lanes[i], _word(data, at + 8 * i))
            at += 32
        h = _step(_step(_step(lanes[0], lanes[1]), lanes[2]), lanes[3])
    while length - at > 8:
        h = _step(h, _word(data, at))
        at += 8
    if length >= 8:
        return _finish(_step(h, _word(data, length - 8)))
    if length >= 4:
        first = int.from_bytes(data[:4], "little")
        last = int.from_bytes(data[length - 4 :], "little")
        return _finish(_step(h, first | last << 32))
    if length > 0:
        return _finish(_step(h, data[0] | data[length // 2] << 8 | data[length - 1] << 16))
    return _finish(h)


def bucket(value, buckets):
    """The bucket of a partitioning value, in a database with that many buckets, a power of two."""
    if value is None:
        number = 0
    elif isinstance(value, int):
        number = value & _MASK
    else:
        number = hash64(value.encode() if isinstance(value, str) else bytes(value))
    bits = buckets.bit_length() - 1
    return (number * _GOLDEN & _MASK) >> (64 - bits) if bits else 0
