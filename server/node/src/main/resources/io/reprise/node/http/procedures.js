// The table of procedures, the histogram of one, and the statements of all with their plans.

import { at, bytes, count, fill, ms, node, percent, sum } from "./dom.js";
import { signed, view } from "./views.js";

let chosen = null;
let kind = "recent";
let version = null;
const rates = new Map();

export function showProcedures(status) {
  const lines = status.procedures.map((p) => {
    const now = p.recent || { committed: 0, failed: 0, p50Ms: 0, p99Ms: 0 };
    const failed = sum(Object.values(p.failed));
    const values = [p.name, now.committed + now.failed, now.failed, now.p50Ms, now.p99Ms, p.latency.longestMs,
      p.execution.meanMs, p.committed, failed];
    const texts = [opener(p.name), count(values[1]), count(values[2]), ...values.slice(3, 7).map(ms), count(p.committed), count(failed)];
    return { values, texts, why: Object.entries(p.failed).map(([code, n]) => code + ": " + count(n)).join(", ") };
  });
  const heads = [...at("procedures").tHead.rows[0].cells];
  const by = heads.findIndex((head) => head.ariaSort);
  const order = heads[by].ariaSort === "ascending" ? 1 : -1;
  lines.sort((a, b) => order * (a.values[by] < b.values[by] ? -1 : a.values[by] > b.values[by] ? 1 : 0));
  const focused = document.activeElement?.dataset?.procedure;
  fill("procedures", lines.map((line) => line.texts));
  lines.forEach((line, i) => { at("procedures").tBodies[0].rows[i].cells[8].title = line.why; });
  if (focused) document.querySelector('[data-procedure="' + CSS.escape(focused) + '"]')?.focus();
}

/** Shows the forms of log records and their reasons, if the node chooses them. */
export function showLogging(status) {
  at("adaptive").hidden = !status.adaptive;
  if (!status.adaptive) return;
  at("adaptive-text").textContent = "data and boundary records have added " + bytes(status.adaptive.bytes) + " to the log";
  fill("adaptive-procedures", status.adaptive.procedures.map((p) => [p.name, p.partitions, count(p.commands), count(p.data),
    count(p.boundaries), bytes(p.commandBytes), p.data ? bytes(p.dataBytes) : "–", p.boundaries ? bytes(p.boundaryBytes) : "–", p.reason]));
}

function opener(name) {
  const button = node("button", name, "link");
  button.dataset.procedure = name;
  button.addEventListener("click", () => {
    chosen = name;
    showHistogram();
    at("histogram").scrollIntoView({ block: "nearest" });
  });
  return button;
}

/** Draws the histogram of the chosen procedure, if one is chosen. */
export async function showHistogram() {
  if (chosen === null || view() !== "procedures") return;
  const answer = await fetch("latency?procedure=" + encodeURIComponent(chosen), { headers: signed() });
  if (!answer.ok) return;
  const all = await answer.json();
  const times = all[kind];
  at("histogram").hidden = false;
  at("histogram-name").textContent = all.procedure;
  at("histogram-text").textContent = times.count === 0 ? "no call in this time"
    : count(times.count) + (kind === "execution" ? " timed runs" : " calls") + "; p50 " + ms(times.p50Ms) + ", p90 " + ms(times.p90Ms)
      + ", p99 " + ms(times.p99Ms) + ", p99.9 " + ms(times.p999Ms) + ", longest " + ms(times.longestMs) + " ms";
  const most = Math.max(1, ...times.buckets.map((bucket) => bucket.count));
  at("bars").replaceChildren(...times.buckets.map((bucket) => {
    const line = node("div", null, "bar");
    const level = node("i");
    level.style.width = (100 * bucket.count) / most + "%";
    const room = node("span");
    room.append(level);
    line.append(node("span", "< " + ms(bucket.toMs) + " ms"), room,
      node("span", count(bucket.count) + ", " + percent(bucket.count / times.count)));
    return line;
  }));
}

for (const button of document.querySelectorAll("[data-kind]")) {
  button.addEventListener("click", () => {
    kind = button.dataset.kind;
    for (const each of document.querySelectorAll("[data-kind]")) each.ariaPressed = String(each === button);
    showHistogram();
  });
}

/** Builds the list of statements when the schema has changed, and renews the rates of their procedures. */
export function showStatements(status, schema) {
  if (schema && schema.version !== version) {
    version = schema.version;
    rates.clear();
    const all = schema.procedures.flatMap((p) => p.statements.map((sql) => statement(p, sql.trim())));
    at("statements").replaceChildren(...(all.length ? all : [node("p", "No procedure with statements is deployed.")]));
    at("statements-text").textContent = count(all.length) + " in " + count(schema.procedures.length) + " procedures";
    filter();
  }
  for (const p of status.procedures) {
    for (const to of rates.get(p.name.toUpperCase()) || []) {
      to.textContent = p.recent ? count(p.recent.committed + p.recent.failed) + " calls/s" : "";
    }
  }
}

function statement(p, sql) {
  const details = node("details");
  const line = node("summary");
  const rate = node("span", "", "right");
  const key = p.name.toUpperCase();
  rates.set(key, [...(rates.get(key) || []), rate]);
  const scope = { key: "one bucket", partition: "any partition", multi: "several partitions" }[p.scope];
  line.append(rate, node("b", p.name), " ", node("span", scope, "tag"), " ", node("code", sql));
  const plan = node("pre", "…");
  details.append(line, plan);
  details.addEventListener("toggle", () => { if (details.open) explain(sql, plan); });
  return details;
}

async function explain(sql, to) {
  const answer = await fetch("sql", { method: "POST", headers: signed(), body: "EXPLAIN " + sql });
  const said = await answer.json();
  to.textContent = said.plan ?? said.problem;
  to.classList.toggle("problem", said.plan === undefined);
}

function filter() {
  const words = at("statement-filter").value.toLowerCase();
  for (const details of at("statements").querySelectorAll("details")) {
    details.hidden = !details.textContent.toLowerCase().includes(words);
  }
}

at("statement-filter").addEventListener("input", filter);
