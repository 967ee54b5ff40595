// The connected clients, the end of a session, and the cancellation of its statement.

import { at, bytes, count, duration, node, row } from "./dom.js";
import { may, signed, view } from "./views.js";

const STATES = { connecting: "logging in", idle: "idle", in_transaction: "idle in transaction",
  in_failed_transaction: "idle in failed transaction", active: "active" };

/** Shows all sessions, or only their number when another view is open. */
export async function showSessions() {
  if (!["sessions", "overview"].includes(view())) return;
  const answer = await fetch("sessions", { headers: signed() });
  if (!answer.ok) return;
  const sessions = (await answer.json()).sessions;
  at("clients").textContent = count(sessions.length);
  if (view() !== "sessions") return;
  const active = sessions.filter((s) => s.state === "active").length;
  at("sessions-text").textContent = count(sessions.length) + ", " + count(active) + " active"
    + (may("administer") ? "" : "; their statements, and buttons to end them, are for those who may administer");
  at("no-sessions").hidden = sessions.length > 0;
  const focused = document.activeElement?.dataset?.session;
  at("sessions").tBodies[0].replaceChildren(...sessions.map(line));
  if (focused) document.querySelector('[data-session="' + CSS.escape(focused) + '"]')?.focus();
}

function line(s) {
  const actions = node("span");
  if (may("administer")) {
    if (s.protocol === "postgres") actions.append(action("Cancel", "sessions/cancel", s), " ");
    actions.append(action("End", "sessions/end", s));
  }
  const made = row([s.id, s.user || "–", s.address, STATES[s.state] || s.state, duration(s.connectedSeconds),
    s.unreadBytes ? bytes(s.unreadBytes) : "–", s.statement || "", actions]);
  made.cells[6].className = "statement";
  made.cells[6].title = s.statement || "";
  return made;
}

function action(text, path, s) {
  const button = node("button", text);
  button.dataset.session = text + " " + s.id;
  button.ariaLabel = text + " " + s.id;
  button.addEventListener("click", async () => {
    const answer = await fetch(path, { method: "POST", headers: signed(), body: s.id });
    const said = await answer.text();
    at("session-answer").replaceChildren(
      node("p", s.id + ": " + (answer.ok ? said : JSON.parse(said).problem), answer.ok ? "notice" : "problem"));
    await showSessions();
  });
  return button;
}
