// The node's page: asks /status every second and shows it, without any library. Text from the database is only ever set as
// text, never as HTML.
"use strict";

const SECONDS = 300;
const history = [];
let before = null;
const at = (id) => document.getElementById(id);

function node(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function row(values, tag = "td") {
  const line = node("tr");
  for (const value of values) {
    line.append(value === null ? node(tag, "NULL", "null") : node(tag, value));
  }
  return line;
}

function fill(table, rows) {
  at(table).tBodies[0].replaceChildren(...rows.map((values) => row(values)));
}

const count = (n) => Math.round(n).toLocaleString("en-US");
const ms = (n) => (n >= 100 ? n.toFixed(0) : n >= 1 ? n.toFixed(1) : n.toFixed(3));
function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) { n /= 1024; unit++; }
  return (unit === 0 ? n : n.toFixed(1)) + " " + units[unit];
}
const sum = (list) => list.reduce((a, b) => a + b, 0);
const failedOf = (procedure) => sum(Object.values(procedure.failed));

function rates(status, seconds) {
  const earlier = {};
  for (const p of before ? before.procedures || [] : []) earlier[p.name] = p;
  const of = {};
  for (const p of status.procedures) {
    const was = earlier[p.name] || { committed: 0, failed: {} };
    of[p.name] = {
      committed: before ? (p.committed - was.committed) / seconds : 0,
      failed: before ? (failedOf(p) - failedOf(was)) / seconds : 0,
    };
  }
  return of;
}

function chart() {
  const most = Math.max(1, ...history);
  const points = history.map((value, i) => {
    const x = 600 - (history.length - 1 - i) * (600 / (SECONDS - 1));
    return x.toFixed(1) + "," + (118 - (116 * value) / most).toFixed(1);
  });
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  line.setAttribute("points", points.join(" "));
  at("chart").replaceChildren(line);
  at("chart-max").textContent = "at most " + count(most === 1 ? Math.max(0, ...history) : most);
}

function showNode(status) {
  at("node").textContent = status.node + ", version " + status.version + ", up " + count(status.uptimeSeconds) + " s";
  const phase = at("phase");
  phase.textContent = status.ready ? "ready" : status.phase;
  phase.className = "badge " + (status.ready ? "good" : "bad");
  at("problem").textContent = status.notReady || "";
  at("recovery").hidden = !status.recovery;
  if (status.recovery) {
    at("recovery-bar").value = status.recovery.fraction;
    at("recovery-text").textContent = status.recovery.phase + ", " + Math.round(100 * status.recovery.fraction)
      + "%, " + count(status.recovery.perSecond) + " a second, about " + Math.round(status.recovery.expectedSeconds) + " s left";
  }
}

function showProcedures(status, seconds) {
  const rate = rates(status, seconds);
  const tps = sum(Object.values(rate).map((r) => r.committed + r.failed));
  at("tps").textContent = count(tps);
  at("failures").textContent = count(sum(Object.values(rate).map((r) => r.failed)));
  at("p99").textContent = ms(Math.max(0, ...status.procedures.map((p) => p.latency.p99Ms)));
  if (before) history.push(tps);
  if (history.length > SECONDS) history.shift();
  chart();
  fill("procedures", status.procedures.map((p) => [p.name, count(rate[p.name].committed + rate[p.name].failed),
    count(p.committed), count(failedOf(p)), ms(p.latency.p50Ms), ms(p.latency.p99Ms), ms(p.latency.longestMs),
    ms(p.execution.meanMs)]));
}

function showPartitions(status, seconds) {
  fill("partitions", status.partitions.map((p, i) => {
    const was = before && before.partitions && before.partitions[i];
    const busy = was ? Math.min(1, (p.busySeconds - was.busySeconds) / seconds) : 0;
    return [p.partition, Math.round(100 * busy) + "%", count(p.queued), count(p.waitingReplies),
      bytes(p.memoryUsed) + " of " + bytes(p.memoryLimit)];
  }));
  at("memory").textContent = bytes(sum(status.partitions.map((p) => p.memoryUsed)));
  at("rows").textContent = count(sum(status.tables.map((t) => t.rows)));
  const open = new Set([...document.querySelectorAll("#tables details[open]")].map((d) => d.dataset.name));
  at("tables").replaceChildren(...status.tables.map((t) => {
    const details = node("details");
    details.dataset.name = t.name;
    details.open = open.has(t.name);
    details.append(node("summary", t.name + ": " + count(t.rows) + " rows, " + bytes(t.memory)
      + (t.replicated ? ", replicated" : "")));
    const columns = node("table");
    columns.append(...t.columns.map((c) => row([c.name, c.type])));
    details.append(columns);
    return details;
  }));
}

function showDurability(status, seconds) {
  const entries = [];
  if (status.log) {
    const was = before && before.log;
    const written = was ? (status.log.writtenBytes - was.writtenBytes) / seconds : 0;
    at("flush").textContent = ms(status.log.p50FlushMs);
    entries.push(["written", bytes(written) + "/s, " + bytes(status.log.writtenBytes) + " in all"],
      ["flush p50 / p99 / longest, ms", [status.log.p50FlushMs, status.log.p99FlushMs, status.log.longestFlushMs].map(ms).join(" / ")],
      ["records a flush", status.log.recordsPerFlush.toFixed(1)],
      ["waiting", bytes(status.log.pendingBytes)]);
  }
  if (status.snapshot) {
    const s = status.snapshot;
    entries.push(["snapshot", s.phase === "idle" ? "none under way" : s.phase + ", " + count(s.rows) + " of " + count(s.rowsExpected) + " rows"],
      ["made / failed", s.completed + " / " + s.failed]);
    if (s.lastName) entries.push(["last", count(s.lastRows) + " rows, " + bytes(s.lastBytes) + ", " + s.lastSeconds.toFixed(2) + " s"]);
    if (s.lastProblem) entries.push(["last problem", s.lastProblem]);
  }
  at("durability").replaceChildren(...entries.flatMap(([name, value]) => [node("dt", name), node("dd", value)]));
}

function show(status) {
  if (before && before.pid !== status.pid) before = null; // It was started again: its counts began anew.
  const seconds = before ? Math.max(0.001, status.uptimeSeconds - before.uptimeSeconds) : 1;
  showNode(status);
  if (status.procedures) {
    showProcedures(status, seconds);
    showPartitions(status, seconds);
    showDurability(status, seconds);
    fill("slow", status.slow.slice(0, 20).map((s) => [s.procedure, ms(s.queuedMs), (s.timed ? "" : "≤ ") + ms(s.executingMs),
      ms(s.loggingMs), s.outcome]));
  }
  before = status;
}

async function look() {
  try {
    const answer = await fetch("status", { headers: { Accept: "application/json" } });
    show(await answer.json());
  } catch (failure) {
    at("phase").textContent = "no answer";
    at("phase").className = "badge bad";
    at("problem").textContent = String(failure.message || failure);
  }
  setTimeout(look, 1000);
}

async function run() {
  const button = at("run");
  button.disabled = true;
  try {
    const answer = await fetch("sql", {
      method: "POST",
      headers: { "X-Reprise-Token": at("token").value },
      body: at("sql").value,
    });
    at("answer").replaceChildren(...answered(await answer.json()));
  } catch (failure) {
    at("answer").replaceChildren(node("p", String(failure.message || failure), "problem"));
  }
  button.disabled = false;
}

function answered(answer) {
  if (answer.problem) return [node("p", answer.problem, "problem")];
  const took = " in " + ms(answer.ms) + " ms";
  if (answer.plan) return [node("pre", answer.plan)];
  if (answer.done) return [node("p", answer.done + took)];
  if (!answer.columns) return [node("p", count(answer.count) + " rows written" + took)];
  const table = node("table");
  const head = node("thead");
  head.append(row(answer.columns.map((c) => c.name + " " + c.type), "th"));
  const body = node("tbody");
  body.append(...answer.rows.map((values) => row(values)));
  table.append(head, body);
  const shown = answer.truncated ? ", the first " + answer.rows.length + " shown" : "";
  return [node("p", count(answer.count) + " rows" + took + shown), table];
}

at("run").addEventListener("click", run);
at("sql").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
});
look();
