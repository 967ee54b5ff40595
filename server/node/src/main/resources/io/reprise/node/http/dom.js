// What all parts of the page use: elements and numbers. Text from the database is only ever set as text, never as HTML.

export const at = (id) => document.getElementById(id);

export function node(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  return made;
}

export function row(values, tag = "td") {
  const line = node("tr");
  for (const value of values) {
    const cell = value === null ? node(tag, "NULL", "null") : node(tag);
    if (value !== null) cell.append(value);
    line.append(cell);
  }
  return line;
}

export function fill(table, rows) {
  at(table).tBodies[0].replaceChildren(...rows.map((values) => row(values)));
}

export function facts(list, entries) {
  at(list).replaceChildren(...entries.flatMap(([name, value]) => [node("dt", name), node("dd", value)]));
}

export const sum = (list) => list.reduce((a, b) => a + b, 0);
export const count = (n) => (n > 0 && n < 10 && n % 1 ? n.toFixed(1) : Math.round(n).toLocaleString("en-US"));
export const percent = (fraction) => Math.round(100 * fraction) + "%";
export const ms = (n) => (n >= 100 ? n.toFixed(0) : n >= 1 ? n.toFixed(1) : n === 0 ? "0" : n.toFixed(3));

export function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) { n /= 1024; unit++; }
  return (unit === 0 ? Math.round(n) : n.toFixed(n < 100 ? 1 : 0)) + " " + units[unit];
}

export function duration(seconds) {
  const s = Math.floor(seconds);
  if (s < 120) return s + " s";
  if (s < 7200) return Math.floor(s / 60) + " min";
  return s < 172800 ? Math.floor(s / 3600) + " h" : Math.floor(s / 86400) + " days";
}
