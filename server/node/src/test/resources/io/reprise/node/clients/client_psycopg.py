"""psycopg 3 at a port given as the argument."""

import datetime
import uuid
import decimal
import sys

import psycopg

DSN = f"host=127.0.0.1 port={sys.argv[1]} user=ann dbname=bank"
ROW = (
    1,
    "ann",
    decimal.Decimal("10.50"),
    datetime.datetime(2026, 1, 2, 3, 4, 5),
    True,
    b"\x00\xff",
    1.5,
    datetime.date(2026, 1, 2),
    datetime.time(23, 59, 58, 5),
    2**40,
)


def values(c):
    c.execute(
        "CREATE TABLE py (id INTEGER PRIMARY KEY, name TEXT, amount NUMERIC(12,2), made TIMESTAMP,"
        " ok BOOLEAN, b BYTEA, f DOUBLE PRECISION, d DATE, t TIME, big BIGINT NOT NULL DEFAULT 0)"
    )
    c.execute("PARTITION TABLE py ON COLUMN id")
    c.execute("INSERT INTO py VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s,%s)", ROW)
    for binary in (False, True):
        assert c.execute("SELECT * FROM py WHERE id = %s", (1,), binary=binary).fetchone() == ROW
    for i in range(10):
        assert c.execute("SELECT name FROM py WHERE id = %s", (1,)).fetchone() == ("ann",), i


def batches(c):
    with c.transaction(), c.cursor() as cur:
        cur.executemany("INSERT INTO py (id, name) VALUES (%s, %s)", [(i, f"n{i}") for i in range(10, 60)])
    with c.pipeline():
        one = c.execute("SELECT 1")
        ten = c.execute("SELECT name FROM py WHERE id = %s", (10,))
    assert one.fetchone() == (1,) and ten.fetchone() == ("n10",)


def transactions(c):
    with psycopg.connect(DSN) as other:
        other.execute("UPDATE py SET name = 'x' WHERE id = 10")
        try:
            with other.transaction():
                other.execute("UPDATE py SET name = 'y' WHERE id = 11")
                raise RuntimeError
        except RuntimeError:
            pass
    names = c.execute("SELECT name FROM py WHERE id IN (10, 11) ORDER BY id").fetchall()
    assert names == [("x",), ("n11",)], names


def copies(c):
    with c.cursor() as cur:
        with cur.copy("COPY py (id, name, amount) FROM STDIN") as copy:
            for i in range(1000, 1100):
                copy.write_row((i, f"copied {i}", decimal.Decimal(i)))
        with cur.copy("COPY py (id, name, big, d) FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int4", "text", "int8", "date"])
            for i in range(2000, 2010):
                copy.write_row((i, f"b{i}", i, datetime.date(2020, 1, 1)))
        query = "COPY (SELECT id, name, big, d FROM py WHERE id >= 2000 ORDER BY id) TO STDOUT (FORMAT BINARY)"
        with cur.copy(query) as copy:
            copy.set_types(["int4", "text", "int8", "date"])
            rows = list(copy.rows())
    assert rows[3] == (2003, "b2003", 2003, datetime.date(2020, 1, 1)), rows


def cursors(c):
    with psycopg.connect(DSN) as other, other.cursor(name="some") as cur:
        cur.itersize = 20
        cur.execute("SELECT id FROM py WHERE id >= %s AND id < 1100 ORDER BY id", (1000,))
        assert [row[0] for row in cur] == list(range(1000, 1100))


def arrays(c):
    for ids in ([10, 11, 12], [10], [], list(range(10, 60))):
        count = c.execute("SELECT COUNT(*) FROM py WHERE id = ANY(%s)", (ids,)).fetchone()[0]
        assert count == len(ids), (ids, count)
    assert c.execute("SELECT COUNT(*) FROM py WHERE name = ANY(%s)", (['n12', 'a,"b', None],)).fetchone() == (1,)
    c.execute("CREATE TABLE amounts (id INT PRIMARY KEY, n NUMERIC(38, 10) NOT NULL, w NUMERIC(19, 4))")
    large = decimal.Decimal("-1234567890123456789012345678.0123456789")
    for id in (1, 2):
        for binary in (False, True):
            with c.cursor(binary=binary) as cur:
                cur.execute("INSERT INTO amounts VALUES (%s, %s, %s) ON CONFLICT (id) DO UPDATE SET w = excluded.w",
                            (id, large, decimal.Decimal("0.0001")))
                cur.execute("SELECT n, w, n * 2 > -1 FROM amounts WHERE n = %s AND id = %s", (large, id))
                assert cur.fetchone() == (large, decimal.Decimal("0.0001"), False), (id, binary)
    with c.cursor() as cur:
        with cur.copy("COPY amounts (id, n) FROM STDIN") as copy:
            copy.write_row((3, large))
        with cur.copy("COPY amounts (id, n) FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["int4", "numeric"])
            copy.write_row((4, large))
    with c.cursor() as cur, cur.copy("COPY (SELECT n FROM amounts WHERE id > 2) TO STDOUT (FORMAT BINARY)") as copy:
        copy.set_types(["numeric"])
        assert list(copy.rows()) == [(large,), (large,)]
    c.execute("CREATE TABLE lists (id INT PRIMARY KEY, n INT[] NOT NULL, s TEXT[], w DATE[], u UUID[])")
    day, key = datetime.date(2024, 2, 29), uuid.UUID("123e4567-e89b-12d3-a456-426614174000")
    for id, n, s in ((1, [1, None, 3], ['a,b', None, '"\\', '']), (2, [], ['x'])):
        for binary in (False, True):
            with c.cursor(binary=binary) as cur:
                cur.execute("INSERT INTO lists VALUES (%s, %s, %s, %s, %s) ON CONFLICT (id) DO UPDATE SET n = excluded.n",
                            (id, n, s, [day], [key]))
                cur.execute("SELECT n, s, w, u, n || 9 FROM lists WHERE id = %s", (id,))
                assert cur.fetchone() == (n, s, [day], [key], n + [9]), (id, binary)
    assert c.execute("SELECT id FROM lists WHERE 3 = ANY(n)").fetchall() == [(1,)]
    assert c.execute("SELECT id FROM lists WHERE s && %s", (['x', 'y'],)).fetchall() == [(2,)]
    with c.cursor() as cur:
        with cur.copy("COPY lists (id, n, s) FROM STDIN") as copy:
            copy.write_row((3, [7, None], ['t\tab', '\\']))
    with c.cursor() as cur, cur.copy("COPY (SELECT n, s FROM lists WHERE id = 3) TO STDOUT (FORMAT BINARY)") as copy:
        copy.set_types(["int4[]", "text[]"])
        assert list(copy.rows()) == [([7, None], ['t\tab', '\\'])]


def errors(c):
    try:
        c.execute("INSERT INTO py (id) VALUES (1)")
        raise AssertionError("no violation")
    except psycopg.errors.UniqueViolation as e:
        assert (e.diag.schema_name, e.diag.table_name, e.diag.constraint_name) == ("public", "py", "py_pk"), e
    for statement in ("INSERT INTO py (id, big) VALUES (3, NULL)", "UPDATE py SET big = NULLIF(1, 1) WHERE id = 1"):
        try:
            c.execute(statement)
            raise AssertionError("no violation")
        except psycopg.errors.NotNullViolation as e:
            assert (e.diag.table_name, e.diag.column_name) == ("py", "big"), (statement, e, e.diag.column_name)
    try:
        c.execute("SELECT nothing FROM py")
        raise AssertionError("no error")
    except psycopg.errors.UndefinedColumn as e:
        assert e.diag.statement_position == "8", e.diag.statement_position


with psycopg.connect(DSN, autocommit=True) as connection:
    for test in (values, batches, transactions, copies, cursors, arrays, errors):
        test(connection)
        print("ok", test.__name__)
