// The box for SQL: runs what is typed, shows rows, a plan or what is wrong and where.

import { at, count, ms, node, row } from "./dom.js";
import { signed } from "./views.js";

const NUMBERS = /^(TINYINT|SMALLINT|INTEGER|BIGINT|DECIMAL|DOUBLE)/;
const EXPLAIN = "EXPLAIN ";
const earlier = [];
let shown = 0;

/** Puts a statement into the box. */
export function use(statement) {
  at("sql").value = statement;
  location.hash = "sql";
  document.body.dataset.view = "sql";
  at("sql").focus();
}

async function run(prefix, confirmed) {
  const typed = confirmed ?? at("sql").value;
  const buttons = [at("run"), at("explain")];
  for (const button of buttons) button.disabled = true;
  if (typed.trim() && earlier[earlier.length - 1] !== typed) earlier.push(typed);
  shown = earlier.length;
  at("answer").replaceChildren(node("p", "…"));
  try {
    const answer = await fetch("sql", {
      method: "POST",
      headers: { ...signed(), ...(confirmed === undefined && { "X-Reprise-Ask": "changes" }) },
      body: prefix + typed,
    });
    const said = await answer.json();
    at("answer").replaceChildren(
      ...(said.asks ? question(said, typed) : said.problem ? wrong(said, typed, prefix) : answered(said)));
    if (said.asks) at("answer").querySelector("button").focus();
  } catch (failure) {
    at("answer").replaceChildren(node("p", "The node does not answer: " + (failure.message || failure), "problem"));
  }
  for (const button of buttons) button.disabled = false;
}

/** A change is made when it is confirmed. */
function question(said, typed) {
  const yes = node("button", "Run it");
  const no = node("button", "Cancel");
  yes.addEventListener("click", () => run("", typed));
  no.addEventListener("click", () => at("answer").replaceChildren());
  const actions = node("p", null, "actions");
  actions.append(yes, " ", no);
  return [node("p", said.asks, "notice"), node("pre", typed), actions];
}

/** What is wrong; if that says where, the line with a mark under the place, which is selected in the box too. */
function wrong(said, typed, prefix) {
  const parts = [node("p", (said.code ? said.code + ": " : "") + said.problem, "problem")];
  const place = /line (\d+), column (\d+)/.exec(said.problem);
  const lines = typed.split("\n");
  if (place && Number(place[1]) <= lines.length) {
    const line = Number(place[1]) - 1;
    // Columns are counted in characters, the box in UTF-16.
    const characters = [...lines[line]];
    const column = Math.max(0, Number(place[2]) - 1 - (line === 0 ? prefix.length : 0));
    const before = characters.slice(0, column).join("");
    parts.push(node("pre", lines[line] + "\n" + before.replace(/[^\t]/g, " ") + "^"));
    const from = lines.slice(0, line).join("\n").length + (line > 0 ? 1 : 0) + before.length;
    const word = /^[\w$"]+|^./u.exec(lines[line].slice(before.length));
    at("sql").focus();
    at("sql").setSelectionRange(from, from + (word ? word[0].length : 0));
  }
  return parts;
}

function answered(said) {
  const took = " in " + ms(said.ms) + " ms";
  if (said.plan !== undefined) return [node("pre", said.plan)];
  if (said.done) return [node("p", said.done + took)];
  if (!said.columns) return [node("p", count(said.count) + (said.count === 1 ? " row" : " rows") + " written" + took)];
  const known = said.count !== undefined;
  const notes = [node("p", (known ? count(said.count) + (said.count === 1 ? " row" : " rows") : "rows") + took)];
  if (said.truncated) {
    notes.push(node("p", "Only the first " + count(said.rows.length) + (known ? " of " + count(said.count) : "")
      + " rows are shown; LIMIT and OFFSET show others, reprise sql --format csv gives all.", "notice"));
  }
  return [...notes, rowsOf(said)];
}

function rowsOf(said) {
  const right = said.columns.map((c) => NUMBERS.test(c.type));
  const table = node("table");
  const head = node("thead");
  head.append(row(said.columns.map((c) => c.name), "th"));
  said.columns.forEach((c, i) => { head.rows[0].cells[i].title = c.type; });
  const body = node("tbody");
  body.append(...said.rows.map((values) => row(values)));
  table.append(head, body);
  for (const line of table.rows) {
    right.forEach((is, i) => line.cells[i].classList.toggle("number", is));
  }
  const scroll = node("div", null, "scroll");
  Object.assign(scroll, { tabIndex: 0, role: "region", ariaLabel: "Rows" });
  scroll.append(table);
  return scroll;
}

function typed(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    run("");
  }
  const by = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : 0;
  if (by) {
    event.preventDefault();
    shown = Math.min(earlier.length, Math.max(0, shown + by));
    at("sql").value = earlier[shown] || "";
  }
}

at("run").addEventListener("click", () => run(""));
at("explain").addEventListener("click", () => run(/^\s*EXPLAIN\b/i.test(at("sql").value) ? "" : EXPLAIN));
at("sql").addEventListener("keydown", typed);
