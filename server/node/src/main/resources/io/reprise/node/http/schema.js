// Tables and procedures as they are declared, with their sizes and rates of now. The declarations are fetched when the
// schema's version has changed; what is open stays open.

import { at, bytes, count, ms, node, row } from "./dom.js";

let version = null;
let schema = null;
const figures = new Map();

/** Shows the schema if it is another than before, and the figures of each table and procedure; returns the schema. */
export async function showSchema(status, use) {
  if (status.schemaVersion !== version) {
    const answer = await fetch("schema");
    if (!answer.ok) return schema;
    schema = await answer.json();
    version = schema.version;
    build(schema, use);
  }
  for (const t of status.tables) set("table " + t.name, count(t.rows) + " rows, " + bytes(t.memory));
  for (const p of status.procedures) {
    const now = p.recent;
    set("procedure " + p.name.toUpperCase(),
      now ? count(now.committed + now.failed) + "/s" + (now.p99Ms ? ", p99 " + ms(now.p99Ms) + " ms" : "") : "");
  }
  return schema;
}

function set(key, text) {
  const to = figures.get(key);
  if (to) to.textContent = text;
}

function build(schema, use) {
  figures.clear();
  replace("tables", schema.tables, (t) => table(t, use), "There are no tables. CREATE TABLE makes one.");
  replace("deployed", schema.procedures, procedure, "No procedures are deployed.");
  filter();
}

function replace(id, things, show, otherwise) {
  const open = new Set([...at(id).querySelectorAll("details[open]")].map((d) => d.dataset.name));
  const shown = things.map((thing) => {
    const details = show(thing);
    details.dataset.name = thing.name;
    details.open = open.has(thing.name);
    return details;
  });
  at(id).replaceChildren(...(shown.length ? shown : [node("p", otherwise)]));
}

function summary(name, tags, key) {
  const line = node("summary");
  const figure = node("span", "", "right");
  figures.set(key, figure);
  line.append(figure, node("b", name));
  for (const tag of tags) line.append(" ", node("span", tag, "tag"));
  return line;
}

function table(t, use) {
  const details = node("details");
  const place = t.replicated ? "replicated" : "partitioned on " + t.partitionColumn;
  const columns = node("table");
  columns.append(row(["column", "type", "null", "default"], "th"), ...t.columns.map((c) =>
    row([c.name + (c.primaryKey ? " ★" : ""), c.type, c.nullable ? "yes" : "no", c.default === undefined ? "" : c.default])));
  const scroll = node("div", null, "scroll");
  scroll.append(columns);
  const indexes = t.indexes.map((i) => node("p", (i.primaryKey ? "Primary key" : i.unique ? "Unique index " : "Index ")
    + (i.primaryKey ? "" : i.name) + " (" + i.columns.join(", ") + "), " + i.kind));
  const look = node("button", "Query");
  look.addEventListener("click", () => use("SELECT * FROM " + quoted(t.name) + " LIMIT 100"));
  details.append(summary(t.name, [place], "table " + t.name), scroll, ...indexes, look);
  return details;
}

const quoted = (name) => (/^[A-Z][A-Z0-9_]*$/.test(name) ? name : '"' + name.replaceAll('"', '""') + '"');

function procedure(p) {
  const details = node("details");
  const scope = { key: "one bucket", partition: "any partition", multi: "several partitions" }[p.scope];
  details.append(
    summary(p.name, [scope, ...(p.readOnly ? ["reads only"] : []), ...(p.refused ? ["can't be run"] : [])], "procedure " + p.name.toUpperCase()),
    node("p", "(" + p.parameters.join(", ") + ")" + (p.returns ? " returns " + p.returns : "")
      + (p.className ? ", class " + p.className : "")));
  if (p.refused) details.append(node("p", "This version of the server can't run it: " + p.refused + ". Deploy it anew, or DROP it."));
  if (p.routing.length) details.append(node("p", "goes to the partition of " + p.routing.join("; ")));
  details.append(...p.statements.map((sql) => node("pre", sql.trim())));
  return details;
}

function filter() {
  const words = at("filter").value.toLowerCase();
  for (const details of document.querySelectorAll("#tables details, #deployed details")) {
    details.hidden = !details.textContent.toLowerCase().includes(words);
  }
}

at("filter").addEventListener("input", filter);
