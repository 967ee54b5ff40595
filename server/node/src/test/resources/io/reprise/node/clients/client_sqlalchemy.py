"""SQLAlchemy's ORM over psycopg at a port given as the argument."""

import datetime
import decimal
import sys

from sqlalchemy import ForeignKey, Numeric, String, create_engine, func, inspect, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload

engine = create_engine(f"postgresql+psycopg://ann@127.0.0.1:{sys.argv[1]}/bank")


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "author"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(40), unique=True)
    books: Mapped[list["Book"]] = relationship(back_populates="author", cascade="all, delete-orphan")


class Book(Base):
    __tablename__ = "book"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    author_id: Mapped[int] = mapped_column(ForeignKey("author.id"))
    title: Mapped[str]
    price: Mapped[decimal.Decimal] = mapped_column(Numeric(12, 2))
    made: Mapped[datetime.datetime]
    author: Mapped[Author] = relationship(back_populates="books")


class Note(Base):
    __tablename__ = "note"
    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str | None] = mapped_column(String(40))
    at: Mapped[datetime.time]


def notes(begin):
    return [Note(text=f"n{i}" if i % 3 else None, at=datetime.time(i % 24, 5, 6, 70)) for i in range(begin, begin + 60)]


def check(written):
    with Session(engine) as session:
        found = {note.id: note for note in session.scalars(select(Note))}
        for id, text, at in written:
            assert (found[id].text, found[id].at) == (text, at)


def generate(begin):
    with Session(engine) as session:
        made = notes(begin)
        session.add_all(made)
        session.flush()
        written = [(note.id, note.text, note.at) for note in made]
        assert [id for id, _, _ in written] == sorted({id for id, _, _ in written})
        session.commit()
    check(written)
    return written


def books():
    made = datetime.datetime(2026, 1, 1)
    return [Book(id=i, title=f"t{i}", price=decimal.Decimal("1.50"), made=made) for i in range(3)]


Base.metadata.drop_all(engine)
Base.metadata.create_all(engine)
with Session(engine) as session:
    session.add(Author(id=1, name="ann", books=books()))
    session.commit()
print("ok create")
with Session(engine) as session:
    ann = session.scalars(select(Author).where(Author.name == "ann").options(selectinload(Author.books))).one()
    assert len(ann.books) == 3
    sums = select(Author.name, func.count(Book.id), func.sum(Book.price)).join(Book).group_by(Author.name)
    assert session.execute(sums).all() == [("ann", 3, decimal.Decimal("4.50"))]
    ann.books[0].title = "new"
    del ann.books[1]
    session.commit()
    assert session.scalar(select(func.count()).select_from(Book)) == 2
    page = select(Book.title).order_by(Book.title.desc()).limit(1).offset(1)
    assert session.scalars(page).all() == ["new"]
print("ok query")
with Session(engine) as session:
    session.add(Author(id=2, name="ann"))
    try:
        session.commit()
        raise AssertionError("no violation")
    except IntegrityError:
        session.rollback()
with engine.begin() as connection:
    for name in ("bob", "bobby"):
        row = insert(Author).values(id=77, name=name)
        connection.execute(row.on_conflict_do_update(index_elements=["id"], set_={"name": row.excluded.name}))
    assert connection.scalar(select(Author.name).where(Author.id == 77)) == "bobby"
    connection.execute(insert(Author), [{"id": 100 + i, "name": f"x{i}"} for i in range(50)])
print("ok write")
written = generate(0)
with engine.connect() as connection:
    connection.exec_driver_sql("PARTITION TABLE note ON COLUMN id")
check(written)
check(written + generate(60))
with Session(engine) as session:
    assert session.scalar(select(func.count()).select_from(Note)) == 120
    assert session.scalar(select(func.count()).where(Note.at >= datetime.time(23, 5))) == 5
print("ok generate")
inspector = inspect(engine)
assert inspector.get_columns("note")[2]["type"].python_type is datetime.time
assert {"author", "book"} <= set(inspector.get_table_names())
assert inspector.has_table("book") and not inspector.has_table("nothing")
print("ok inspect")
