// node-postgres with its cursors and copy streams, at a port given as the argument.
const assert = require('node:assert');
const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const { Client, Pool } = require('pg');
const Cursor = require('pg-cursor');
const copy = require('pg-copy-streams');

const settings = { host: '127.0.0.1', port: Number(process.argv[2]), user: 'ann', database: 'bank' };

async function failure(query) {
  try {
    await query;
  } catch (e) {
    return e;
  }
  throw new Error('no failure');
}

async function main() {
  const c = new Client(settings);
  await c.connect();
  await c.query('CREATE TABLE js (id INTEGER PRIMARY KEY, name TEXT, n NUMERIC(10,2), ok BOOLEAN, t TIMESTAMP, b BYTEA)');
  const values = [1, 'a', '1.25', true, new Date(Date.UTC(2026, 0, 2)), Buffer.from([1, 2])];
  await c.query('INSERT INTO js VALUES ($1, $2, $3, $4, $5, $6)', values);
  for (let i = 0; i < 3; i++) {
    const named = { name: 'one', text: 'SELECT id, name, n, ok, b FROM js WHERE id = $1', values: [1] };
    const rows = (await c.query(named)).rows;
    assert.deepStrictEqual(rows, [{ id: 1, name: 'a', n: '1.25', ok: true, b: Buffer.from([1, 2]) }]);
  }
  const both = await c.query("INSERT INTO js (id, name) VALUES (2, 'b'); SELECT COUNT(*) AS n FROM js");
  assert.deepStrictEqual(both[1].rows, [{ n: '2' }]);
  const returned = await c.query('INSERT INTO js (id, name) VALUES ($1, $2) RETURNING id', [3, 'c']);
  assert.deepStrictEqual(returned.rows, [{ id: 3 }]);
  console.log('ok values');

  const duplicate = await failure(c.query('INSERT INTO js (id) VALUES (1)'));
  assert.deepStrictEqual([duplicate.code, duplicate.table, duplicate.constraint], ['23505', 'js', 'js_pk']);
  const unknown = await failure(c.query('SELECT nope FROM js'));
  assert.deepStrictEqual([unknown.code, unknown.position], ['42703', '8']);
  console.log('ok errors');

  await pipeline(Readable.from(['10\tx\n11', '\ty\n']), c.query(copy.from('COPY js (id, name) FROM STDIN')));
  let text = '';
  for await (const piece of c.query(copy.to('COPY (SELECT id FROM js WHERE id >= 10 ORDER BY id) TO STDOUT'))) {
    text += piece;
  }
  assert.strictEqual(text, '10\n11\n');
  const cursor = c.query(new Cursor('SELECT id FROM js ORDER BY id'));
  assert.strictEqual((await cursor.read(2)).length, 2);
  assert.strictEqual((await cursor.read(100)).length, 3);
  await cursor.close();
  assert.strictEqual((await c.query('SELECT id FROM js WHERE id = ANY($1)', [[1, 2, 5]])).rows.length, 2);
  await c.query('CREATE TABLE js_amounts (id INT PRIMARY KEY, n NUMERIC(38, 4))');
  await c.query('INSERT INTO js_amounts VALUES ($1, $2)', [1, '-9999999999999999999999999999999999.9999']);
  assert.deepStrictEqual((await c.query('SELECT n FROM js_amounts WHERE n < $1', ['0'])).rows, [{ n: '-9999999999999999999999999999999999.9999' }]);
  await c.query('CREATE TABLE js_lists (id INT PRIMARY KEY, n INT[], s TEXT[])');
  await c.query('INSERT INTO js_lists VALUES ($1, $2, $3)', [1, [1, null, 3], ['a,b', null, '"\\']]);
  assert.deepStrictEqual((await c.query('SELECT n, s FROM js_lists')).rows, [{ n: [1, null, 3], s: ['a,b', null, '"\\'] }]);
  console.log('ok copy, cursor, array');

  await c.query('BEGIN');
  await c.query("UPDATE js SET name = 'q' WHERE id = 1");
  await c.query('ROLLBACK');
  assert.deepStrictEqual((await c.query('SELECT name FROM js WHERE id = 1')).rows, [{ name: 'a' }]);
  await c.end();
  const pool = new Pool({ ...settings, max: 4 });
  await Promise.all(Array.from({ length: 50 }, () => pool.query('SELECT 1')));
  await pool.end();
  console.log('ok transaction, pool');
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
