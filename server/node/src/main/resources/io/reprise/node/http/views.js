// The views of the page by the address behind #, the colours, and the sender's name and rights.

import { at } from "./dom.js";

const VIEWS = ["overview", "partitions", "procedures", "statements", "sessions", "storage", "cluster", "schema", "sql"];
const THEMES = ["auto", "light", "dark"];
let rights = [];

/** The name of the view that is shown. */
export const view = () => document.body.dataset.view;

/** Whether the sender may do what needs this right. */
export const may = (right) => rights.includes(right);

/** The header that signs requests in; nobody has typed a token: none. */
export const signed = () => (at("token").value ? { "X-Reprise-Token": at("token").value } : {});

function follow() {
  const asked = location.hash.slice(1);
  const shown = VIEWS.includes(asked) ? asked : "overview";
  document.body.dataset.view = shown;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === "#" + shown) link.ariaCurrent = "page";
    else link.removeAttribute("aria-current");
  }
  window.scrollTo(0, 0);
}

function theme(chosen) {
  at("theme").textContent = chosen;
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

/** Asks for the sender's name and rights. */
export async function showMe() {
  const answer = await fetch("me", { headers: signed() });
  const me = answer.ok ? await answer.json() : { rights: [], user: "", users: false };
  rights = me.rights;
  const roles = me.rights.includes("administer") ? "administer" : me.rights.join(", ");
  at("me").textContent = me.user ? me.user + " (" + roles + ")" : at("token").value && may("administer") ? "signed in by token" : "";
  at("me").title = "rights: " + me.rights.join(", ");
  at("signing-in").hidden = Boolean(me.user);
}

// "reprise page" opens the page with the token behind a #. It is kept for this tab, and taken out of the address.
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
}
at("token").value = sessionStorage.getItem("token") ?? "";
at("token").addEventListener("change", () => {
  sessionStorage.setItem("token", at("token").value);
  showMe();
});
at("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(at("theme").textContent) + 1) % THEMES.length];
  localStorage.setItem("theme", next);
  theme(next);
});
window.addEventListener("hashchange", follow);
theme(THEMES.includes(localStorage.getItem("theme")) ? localStorage.getItem("theme") : "auto");
follow();
showMe();
