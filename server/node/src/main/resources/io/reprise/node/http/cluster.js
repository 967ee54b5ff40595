// The cluster as this node sees it: nodes, the replicas of each partition, and what can't be reached.

import { at, count, facts, fill, ms, node, row } from "./dom.js";

export function showCluster(status) {
  const c = status.cluster;
  at("cluster-link").hidden = !c;
  if (!c) return;
  at("cluster-text").textContent = c.name + ", seen by node " + c.node;
  const running = c.nodes.filter((n) => n.running && c.members.includes(n.node)).length;
  const leaderless = c.partitions.filter((p) => !p.led).length;
  const thin = c.partitions.filter((p) => p.inSync.length < c.kSafety + 1).length;
  facts("cluster-facts", [
    ["nodes", count(running) + " of " + count(c.nodeCount) + " running"],
    ["partitions", count(c.partitions.length) + (leaderless ? ", " + count(leaderless) + " without a leader" : ", all with a leader")],
    ["replicas", "k = " + c.kSafety + (thin ? ", " + count(thin) + " partitions with fewer in sync" : ", all in sync")],
    ["moves", c.moving ? count(c.moving) + " partitions are on the move" : "none"],
    ["acknowledge", c.acknowledge],
    ["level", count(c.level)],
    ["map version", count(c.mapVersion)],
    ["ZooKeeper", c.zooKeeper + ", " + c.session],
  ]);
  fill("nodes", c.nodes.map((n) => [n.name + " (" + n.node + ")" + (n.node === c.node ? ", this one" : ""),
    node("span", state(c, n), n.running ? "" : "down"),
    count(c.partitions.filter((p) => p.led && p.leader === n.node).length),
    count(c.partitions.filter((p) => p.inSync.includes(n.node)).length),
    n.zone || "–", n.clients || "–", n.peer, page(n)]));
  at("unreachable").replaceChildren(...Object.entries(c.unreachable).map(([peer, why]) => node("li", peer + ": " + why)));
  showReplicas(c);
}

function state(c, n) {
  if (!n.running) return "down";
  if (c.removing.includes(n.node)) return "being removed";
  return c.members.includes(n.node) ? "running" : "not added";
}

function page(n) {
  if (!n.http || !/^https?:\/\//.test(n.http)) return "–";
  const link = node("a", n.http);
  link.href = n.http;
  return link;
}

function showReplicas(c) {
  at("replicas").tHead.replaceChildren(row(["partition", "epoch", ...c.nodes.map((n) => n.name)], "th"));
  const lags = new Map();
  for (const own of c.replicas || []) {
    for (const f of own.followers) lags.set(own.partition + " " + f.node, f);
  }
  fill("replicas", c.partitions.map((p) => [String(p.partition), count(p.epoch), ...c.nodes.map((n) => {
    if (p.leader === n.node) return node("span", p.led ? "★ leads" : "does not serve", p.led ? "" : "down");
    const lag = lags.get(p.partition + " " + n.node);
    const behind = lag ? ", " + (lag.lagRecords ? count(lag.lagRecords) + " records, " + ms(lag.lagMs) + " ms behind" : "no lag") : "";
    if (p.inSync.includes(n.node)) return "in sync" + behind;
    if (p.goal.includes(n.node) && !p.holders.includes(n.node)) return "is to hold a replica" + behind;
    return lag ? "catches up" + behind : "–";
  })]));
}
