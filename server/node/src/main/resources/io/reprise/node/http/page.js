// The console: asks /status and /history every second and shows them. No library, nothing from elsewhere; rates and
// percentiles are the node's own, so that everybody who looks sees the same.

import { Chart } from "./chart.js";
import { showCluster } from "./cluster.js";
import { at, bytes, count, duration, facts, fill, ms, node, percent, sum } from "./dom.js";
import { showHistogram, showLogging, showProcedures, showStatements } from "./procedures.js";
import { showSchema } from "./schema.js";
import { showSessions } from "./sessions.js";
import { use } from "./sql.js";
import { signed } from "./views.js";

const KEPT = 300;
const ACROSS = 128;
let points = [];
let lastPoint = 0;
let pid = null;
let loads = [];
let places = [];

const charts = [
  new Chart(at("chart-throughput"), {
    series: [{ name: "committed", of: (p) => p.committed }, { name: "failed", of: (p) => p.failed }], format: count,
  }),
  new Chart(at("chart-latency"), {
    series: [{ name: "p50", of: (p) => p.p50Ms }, { name: "p99", of: (p) => p.p99Ms }], format: ms, log: true,
  }),
  new Chart(at("chart-log"), {
    series: [{ name: "written", of: (p) => p.logBytes }], format: (n) => bytes(n) + "/s", unit: 1024, band: (p) => p.snapshot,
  }),
  new Chart(at("chart-flush"), {
    series: [{ name: "p50", of: (p) => p.flushP50Ms }, { name: "p99", of: (p) => p.flushP99Ms }], format: ms, log: true,
  }),
];

function showNode(status) {
  const serving = status.procedures !== undefined;
  document.body.dataset.state = serving ? "serving" : "recovering";
  document.title = status.node + (status.ready ? "" : ", " + status.phase) + " · Reprise";
  at("node").textContent = status.node + ", version " + status.version + ", up " + duration(status.uptimeSeconds);
  badge(status.ready ? "ready" : status.phase, status.ready ? "good" : status.phase === "failed" ? "bad" : "");
  const trouble = status.phase === "failed" || (serving && !status.ready);
  at("problem").hidden = !trouble;
  if (trouble) at("problem").textContent = status.notReady;
  at("warnings").hidden = status.warnings.length === 0;
  at("warnings").replaceChildren(...status.warnings.map((warning) => node("li", warning)));
  if (!serving) showRecovery(status);
}

function badge(text, kind) {
  if (at("phase").textContent !== text) at("phase").textContent = text;
  at("phase").className = "badge " + kind;
}

function showRecovery(status) {
  const recovery = status.recovery;
  const step = recovery ? recovery.phase : "";
  for (const item of document.querySelectorAll("[data-step]")) item.classList.toggle("now", item.dataset.step === step);
  at("recovery-bar").value = recovery ? recovery.fraction : 0;
  if (!recovery) {
    at("recovery-text").textContent = status.notReady || "";
    return;
  }
  const what = { loading: "rows", replaying: "transactions" }[recovery.phase];
  at("recovery-text").textContent = recovery.phase + ", " + percent(recovery.fraction)
    + (recovery.perSecond ? ", " + count(recovery.perSecond) + " " + what + " a second" : "")
    + (recovery.expectedSeconds ? ", about " + duration(Math.max(1, recovery.expectedSeconds)) + " left" : "");
}

function showFigures(status) {
  const now = points[points.length - 1];
  const mean = (of) => (points.length ? sum(points.slice(-5).map(of)) / Math.min(5, points.length) : 0);
  at("tps").textContent = count(mean((p) => p.committed + p.failed));
  at("failures").textContent = count(mean((p) => p.failed));
  at("p99").textContent = now ? ms(now.p99Ms) : "–";
  at("flush").textContent = status.log && status.log.recent ? ms(status.log.recent.p50FlushMs) : "–";
  at("busiest").textContent = percent(Math.max(0, ...status.partitions.map((p) => p.busy)));
  at("rows").textContent = count(sum(status.tables.map((t) => t.rows)));
  at("memory").textContent = bytes(sum(status.partitions.map((p) => p.memoryUsed)));
  if (status.process.cpuLoad >= 0) {
    at("cpu").textContent = percent(status.process.cpuLoad);
    at("cpu-of").textContent = "of " + status.process.processors + " processors";
  }
  at("heap").textContent = bytes(status.process.heapUsed);
}

function showPartitions(status) {
  fill("partitions", status.partitions.map((p) => [String(p.partition), meter(p.busy), count(p.queued), count(p.waitingReplies),
    count(p.committed), count(p.aborted), meter(p.memoryUsed / p.memoryLimit, bytes(p.memoryUsed) + " of " + bytes(p.memoryLimit)),
    p.buckets === p.lastBucket - p.firstBucket + 1 ? p.firstBucket + "–" + p.lastBucket : p.buckets + " buckets",
    p.hot.map((h) => h.bucket + ": " + percent(h.share)).join(", ") || "none"]));
  loads = status.bucketLoad;
  places = status.bucketPartition;
  const canvas = at("buckets");
  const paint = canvas.getContext("2d");
  const most = Math.max(1, ...loads);
  paint.clearRect(0, 0, canvas.width, canvas.height);
  paint.fillStyle = getComputedStyle(canvas).color;
  loads.forEach((load, bucket) => {
    paint.globalAlpha = load ? 0.15 + 0.85 * (load / most) : 0;
    paint.fillRect(bucket % ACROSS, Math.floor(bucket / ACROSS), 1, 1);
  });
  const all = sum(loads);
  const used = loads.filter((load) => load > 0).length;
  canvas.ariaLabel = "Load by bucket: " + used + " of " + loads.length + " buckets have transactions now; the hottest has "
    + percent(all ? most / all : 0);
}

function meter(fraction, text) {
  const both = document.createDocumentFragment();
  const bar = node("span", null, "meter");
  const level = node("i");
  level.style.width = Math.min(100, 100 * fraction) + "%";
  bar.append(level);
  both.append(bar, text || percent(fraction));
  return both;
}

function tellBucket(event) {
  const box = at("buckets").getBoundingClientRect();
  const x = Math.floor(((event.clientX - box.left) / box.width) * ACROSS);
  const y = Math.floor(((event.clientY - box.top) / box.height) * (loads.length / ACROSS));
  const bucket = y * ACROSS + x;
  if (!(bucket >= 0 && bucket < loads.length)) return;
  at("bucket-text").textContent = "bucket " + bucket + ", partition " + places[bucket] + ": "
    + ((100 * loads[bucket]) / Math.max(1, sum(loads))).toFixed(1) + "% of the transactions of the last seconds";
}

function showDurability(status) {
  const entries = [];
  const log = status.log;
  if (!log) entries.push(["log", "none: the data are in memory only"]);
  if (log) {
    const now = log.recent || { bytes: 0, records: 0, flushes: 0, p50FlushMs: 0, p99FlushMs: 0 };
    entries.push(["written", bytes(now.bytes) + "/s, " + bytes(log.writtenBytes) + " in all"],
      ["flushes", count(now.flushes) + "/s, " + (now.flushes ? count(now.records / now.flushes) : "0") + " records in each"],
      ["flush p50 / p99, ms", ms(now.p50FlushMs) + " / " + ms(now.p99FlushMs) + "; longest " + ms(log.longestFlushMs)],
      ["waiting to be written", bytes(log.pendingBytes)]);
  }
  if (status.snapshot) showSnapshot(status.snapshot, entries);
  if (status.archive) {
    const a = status.archive;
    entries.push(["archive", a.problem ? "FAILS: " + a.problem : bytes(a.lagBytes) + " behind, " + count(a.snapshots) + " snapshots copied"]);
  }
  if (status.recoveryForecast) {
    const f = status.recoveryForecast;
    entries.push(["a recovery now would take", f.seconds.toFixed(1) + " s"
      + (f.onDemand ? " (" + f.firstSeconds.toFixed(2) + " s to the first answer, " + f.bucketSeconds.toFixed(3) + " s for a bucket)" : "") + ": " + count(f.rows) + " rows, " + count(f.commands) + " commands, "
      + count(f.dataRecords) + " data records, " + bytes(f.logBytes) + " of log"
      + (f.lastSeconds ? "; the last one took " + f.lastSeconds.toFixed(1) + " s instead of " + f.lastExpectedSeconds.toFixed(1) : "")]);
  }
  if (status.recovered) {
    const r = status.recovered;
    entries.push(["recovered at the start", count(r.rows) + " rows in " + r.loadSeconds.toFixed(1) + " s, "
      + count(r.transactions) + " transactions in " + r.replaySeconds.toFixed(1) + " s"]);
    if (r.damagedSnapshots) entries.push(["damaged snapshots left out", count(r.damagedSnapshots)]);
  }
  facts("facts", entries);
}

function showSnapshot(s, entries) {
  const busy = s.phase !== "idle";
  at("snapshot-now").hidden = !busy;
  if (busy) {
    at("snapshot-bar").value = s.rowsExpected ? s.rows / s.rowsExpected : 0;
    at("snapshot-text").textContent = "snapshot " + s.phase + ", " + count(s.rows) + " of " + count(s.rowsExpected) + " rows";
  }
  entries.push(["snapshots", count(s.completed) + " made, " + count(s.failed) + " failed" + (busy ? "" : ", none under way")]);
  if (s.lastName) {
    entries.push(["the last", count(s.lastRows) + " rows, " + bytes(s.lastBytes) + ", " + s.lastSeconds.toFixed(2) + " s"]);
  }
  if (s.lastProblem) entries.push(["last problem", s.lastProblem]);
}

async function show(status) {
  if (pid !== status.pid) {
    pid = status.pid; // It was started again: its points began anew.
    points = [];
    lastPoint = 0;
  }
  showNode(status);
  if (!status.procedures) return;
  const history = await (await fetch("history?after=" + lastPoint)).json();
  points = points.concat(history.points).slice(-KEPT);
  lastPoint = history.last;
  for (const chart of charts) chart.draw(points);
  showFigures(status);
  showProcedures(status);
  showLogging(status);
  showPartitions(status);
  showDurability(status);
  fill("slow", status.slow.slice(0, 20).map((s) => [s.procedure, String(s.partition), ms(s.queuedMs), (s.timed ? "" : "≤ ") + ms(s.executingMs),
    ms(s.loggingMs), s.outcome]));
  at("no-slow").hidden = status.slow.length > 0;
  showCluster(status);
  showStatements(status, await showSchema(status, use));
  await showSessions();
  await showHistogram();
}

async function look() {
  try {
    const answer = await fetch("status", { headers: { Accept: "application/json" } });
    await show(await answer.json());
  } catch (failure) {
    badge("no answer", "bad");
    at("problem").hidden = false;
    at("problem").textContent = "The node does not answer (" + (failure.message || failure) + "). What is shown is what it said last.";
  }
  setTimeout(look, 1000);
}

at("procedures").tHead.addEventListener("click", (event) => {
  const head = event.target.closest("th");
  const before = head.ariaSort;
  for (const other of at("procedures").tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.ariaSort = before === "descending" ? "ascending" : "descending";
});
at("make-snapshot").addEventListener("click", async () => {
  at("make-snapshot").disabled = true;
  at("snapshot-answer").textContent = "…";
  try {
    const answer = await fetch("snapshot", { method: "POST", headers: signed() });
    const said = await answer.text();
    at("snapshot-answer").textContent = said.startsWith("{") ? JSON.parse(said).problem : said;
  } catch (failure) {
    at("snapshot-answer").textContent = "The node does not answer: " + (failure.message || failure);
  }
  at("make-snapshot").disabled = false;
});
at("buckets").addEventListener("pointermove", tellBucket);
look();
