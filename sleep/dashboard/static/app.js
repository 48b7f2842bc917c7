// The page of agents: what the relay tells, shown. Every word of an agent is set as text, never as markup, and nothing
// here sends anything but the GET that opens the stream.
"use strict";

const MOST = 200; // entries of the feed
const DOING = { joined: "came online", left: "left", slept: "fell asleep", woke: "woke up", kicked: "was removed" };
const part = (id) => document.getElementById(id);
const rows = new Map(); // by the agent's id
let ahead = 0; // ms that the relay's clock is ahead of this one
let retry = 0;

const make = (name, className, text = "") => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.textContent = text;
  return made;
};

// Only what changed is written, so that a screen reader keeps its place.
const say = (where, text) => {
  if (where.textContent !== text) where.textContent = text;
};

const number = (value) => value.toLocaleString("en");

const two = (value) => String(value).padStart(2, "0");

const span = (ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${two(Math.floor(seconds / 60) % 60)}m`;
};

const clock = (where, ts) => {
  const when = new Date(ts);
  const now = new Date();
  where.dateTime = when.toISOString();
  where.title = when.toISOString();
  say(where, when.toDateString() === now.toDateString() ? when.toLocaleTimeString() : when.toLocaleString());
};

const waiting = (sleep) => {
  if (!sleep) return "";
  const dropped = sleep.dropped ? `, ${sleep.dropped} dropped` : ""; // the oldest ones, for which there was no room
  if (sleep.mode === "drop") return "keeps nothing";
  const { direct, channel, callbacks } = sleep.kinds;
  const kinds = [
    [direct, "DM"], [channel, sleep.mode === "buffer" ? "channel message" : "mention"], [callbacks, "callback"],
  ].filter(([count]) => count);
  const counts = (kinds.length ? kinds : [[0, "DM"]]).map(([count, what]) => `${count} ${what}${count === 1 ? "" : "s"}`);
  return `${counts.join(", ")} buffered${dropped}`;
};

const build = () => {
  const row = {
    line: make("tr"), head: make("th"), name: make("bdi", "name"), id: make("span", "id"),
    presence: make("span", "badge"), text: make("bdi", "says"), asleep: make("span", "asleep"),
    left: make("span", "left"), at: make("time"), kept: make("span", "kept"), wakes: 0,
  };
  row.head.scope = "row";
  row.head.setAttribute("role", "rowheader"); // said again, for on a narrow screen rows are no rows to the style sheet
  row.line.setAttribute("role", "row");
  row.left.setAttribute("role", "timer");
  row.head.append(row.name, row.id);
  row.asleep.append(row.left, " at ", row.at);
  const state = make("td");
  state.append(row.presence, row.text, row.asleep);
  const kept = make("td");
  kept.append(row.kept);
  for (const cell of [state, kept]) cell.setAttribute("role", "cell");
  row.line.append(row.head, state, kept);
  return row;
};

const fill = (row, agent) => {
  say(row.name, agent.name);
  say(row.id, agent.id + (agent.keyed ? " · keyed" : ""));
  say(row.presence, agent.presence + (agent.here ? "" : " · cut off"));
  row.presence.className = agent.sleep ? "badge sleeping" : agent.presence === "online" ? "badge online" : "badge";
  say(row.text, agent.status_text || "");
  row.asleep.hidden = !agent.sleep;
  row.wakes = agent.sleep ? agent.sleep.wakes_at : 0;
  if (agent.sleep) clock(row.at, agent.sleep.wakes_at - ahead);
  say(row.kept, waiting(agent.sleep));
  row.kept.className = agent.sleep && agent.sleep.buffered ? "kept badge count" : "kept";
  row.line.classList.toggle("sleeper", Boolean(agent.sleep));
};

const tick = () => {
  const now = Date.now() + ahead;
  for (const row of rows.values()) {
    if (row.wakes) say(row.left, row.wakes > now ? `wakes in ${span(row.wakes - now)}` : "is due");
  }
};

const onState = (state) => {
  ahead = state.ts - Date.now();
  const gone = new Set(rows.keys());
  const body = part("agents");
  state.agents.forEach((agent, index) => {
    gone.delete(agent.id);
    if (!rows.has(agent.id)) rows.set(agent.id, build());
    const row = rows.get(agent.id);
    fill(row, agent);
    if (body.children[index] !== row.line) body.insertBefore(row.line, body.children[index] || null);
  });
  for (const id of gone) {
    rows.get(id).line.remove();
    rows.delete(id);
  }
  const more = state.count - state.agents.length;
  part("table").hidden = state.count === 0;
  part("nobody").hidden = state.count !== 0;
  part("more").hidden = more <= 0;
  say(part("more"), more > 0 ? `and ${number(more)} more; shown are who wakes next and who came last` : "");
  const agents = `${number(state.count)} agent${state.count === 1 ? "" : "s"}, ${number(state.asleep)} asleep`;
  say(part("about"), `${state.server}: ${agents}, journal ${state.journal}`);
  tick();
};

const entry = (one) => {
  const made = make("li", one.doing);
  const when = make("time");
  clock(when, one.ts - ahead);
  const name = make("bdi", "name", one.name);
  name.title = one.agent;
  made.append(when, " ", name, ` ${DOING[one.doing] || one.doing}`);
  if (one.detail) made.append(" ", make("bdi", "detail", one.detail));
  return made;
};

const onFeed = (feed) => {
  const list = part("feed");
  if (feed.whole) {
    part("log").setAttribute("aria-live", "off"); // what is old is not read out
    list.replaceChildren();
  }
  for (const one of feed.entries) list.prepend(entry(one));
  while (list.children.length > MOST) list.lastChild.remove();
  if (feed.whole) setTimeout(() => part("log").setAttribute("aria-live", "polite"), 500);
};

const listen = () => {
  clearTimeout(retry);
  const source = new EventSource("/events");
  source.addEventListener("open", () => say(part("line"), "Live"));
  source.addEventListener("state", (event) => onState(JSON.parse(event.data)));
  source.addEventListener("feed", (event) => onFeed(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    say(part("line"), "The relay does not answer; trying again …");
    if (source.readyState === EventSource.CLOSED) retry = setTimeout(listen, 5000);
  });
};

setInterval(tick, 250);
listen();
