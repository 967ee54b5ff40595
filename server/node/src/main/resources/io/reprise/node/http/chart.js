// A chart of the last five minutes: one or two lines over time, the highest value as its scale. Moving over it, or the
// arrow keys when it has the focus, show the values of a second.

import { duration, node } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 600;
const HEIGHT = 130;
const TOP = 14;
const SECOND_MS = 1000;
const LEAST_SPAN_MS = 60_000;

function shape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** The next of 1, 2, 5, 10, 20 ... of a unit, so that the scale does not jump with each point. */
function roundUp(value, unit) {
  if (value <= 0) return 1;
  const size = unit ** Math.max(0, Math.floor(Math.log(value) / Math.log(unit)));
  const power = 10 ** Math.floor(Math.log10(value / size));
  return [1, 2, 5, 10].map((n) => n * power * size).find((n) => n >= value);
}

export class Chart {
  /**
   * series: [{name, of: (point) => number}], one or two; format: number to text; unit: 1000 or 1024, where the format
   * goes on to the next unit; band: (point) => boolean marks times; log: whether the scale is logarithmic, as for
   * latencies, whose p99 may be a hundred times the p50.
   */
  constructor(figure, { series, format, band, unit = 1000, log = false }) {
    Object.assign(this, { figure, series, format, band, unit, log, points: [], cursor: null });
    this.svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.labels = node("div", null, "labels");
    this.caption = node("figcaption");
    figure.tabIndex = 0;
    figure.append(this.svg, this.labels, this.caption);
    figure.addEventListener("pointermove", (event) => this.pointTo(event));
    figure.addEventListener("pointerleave", () => this.look(null));
    figure.addEventListener("blur", () => this.look(null));
    figure.addEventListener("keydown", (event) => this.step(event));
  }

  draw(points) {
    const seen = this.cursor === null ? null : this.points[this.cursor];
    this.points = points;
    this.spanMs = Math.max(LEAST_SPAN_MS, points.length ? points[points.length - 1].at - points[0].at : 0);
    this.cursor = seen ? points.indexOf(seen) : null;
    if (this.cursor < 0) this.cursor = null;
    this.paint();
  }

  pointTo(event) {
    const box = this.svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * WIDTH;
    let nearest = null;
    this.points.forEach((point, i) => {
      if (nearest === null || Math.abs(this.x(point) - x) < Math.abs(this.x(this.points[nearest]) - x)) nearest = i;
    });
    this.look(nearest);
  }

  step(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || this.points.length === 0) return;
    event.preventDefault();
    const from = this.cursor === null ? this.points.length - (by < 0 ? 0 : 1) : this.cursor;
    this.look(Math.min(this.points.length - 1, Math.max(0, from + by)));
  }

  look(cursor) {
    this.cursor = cursor;
    this.paint();
  }

  x(point) {
    return WIDTH - ((this.points[this.points.length - 1].at - point.at) / this.spanMs) * WIDTH;
  }

  y(value) {
    const room = HEIGHT - TOP;
    if (!this.log) return HEIGHT - (value / this.most) * room;
    const span = Math.log(this.most / this.least) || 1;
    return HEIGHT - (Math.max(0, Math.log(Math.max(value, this.least) / this.least)) / span) * room;
  }

  scale() {
    const values = this.points.flatMap((point) => this.series.map((one) => one.of(point)));
    this.most = roundUp(Math.max(0, ...values), this.unit);
    const positive = values.filter((value) => value > 0);
    this.least = this.log && positive.length ? 10 ** Math.floor(Math.log10(Math.min(...positive))) : this.most / 10;
    if (this.least >= this.most) this.least = this.most / 10;
  }

  paint() {
    this.scale();
    const parts = [];
    const ticks = this.log ? this.powers() : [this.most, this.most / 2];
    for (const tick of ticks) {
      parts.push(shape("line", { x1: 0, x2: WIDTH, y1: this.y(tick), y2: this.y(tick), class: "grid" }));
    }
    if (this.points.length) {
      parts.push(...this.bands());
      this.series.forEach((one, i) => parts.push(...this.line(one, i)));
      if (this.cursor !== null) {
        const x = this.x(this.points[this.cursor]);
        parts.push(shape("line", { x1: x, x2: x, y1: 0, y2: HEIGHT, class: "cross" }));
      }
    }
    this.svg.replaceChildren(...parts);
    this.labels.replaceChildren(...ticks.map((tick) => {
      const label = node("span", this.format(tick));
      label.style.top = this.y(tick) + "px";
      return label;
    }));
    this.describe();
  }

  /** At most three lines of a logarithmic scale. */
  powers() {
    const all = [];
    for (let value = this.least; value <= this.most * 1.0001; value *= 10) all.push(value);
    const every = Math.ceil(all.length / 3);
    return all.filter((_, i) => (all.length - 1 - i) % every === 0 && i > 0);
  }

  line(one, i) {
    const points = this.points.map((point) => this.x(point).toFixed(1) + "," + this.y(one.of(point)).toFixed(1)).join(" ");
    const line = shape("polyline", { points, class: "series-" + i });
    if (i > 0 || this.series.length > 1) return [line];
    const first = this.x(this.points[0]).toFixed(1);
    return [shape("polygon", { points: `${first},${HEIGHT} ${points} ${WIDTH},${HEIGHT}` }), line];
  }

  bands() {
    if (!this.band) return [];
    const second = WIDTH / (this.spanMs / SECOND_MS);
    return this.points.filter(this.band)
      .map((point) => shape("rect", { x: this.x(point) - second, y: 0, width: second, height: HEIGHT, class: "band" }));
  }

  describe() {
    const last = this.points.length - 1;
    const point = this.points[this.cursor === null ? last : this.cursor];
    const keys = this.series.map((one, i) =>
      node("span", one.name + (point ? " " + this.format(one.of(point)) : ""), i ? "key second" : "key"));
    const when = !point ? "no figures yet" : this.cursor === null ? "the last " + duration(this.spanMs / SECOND_MS)
      : new Date(point.at).toLocaleTimeString();
    this.caption.replaceChildren(...keys, node("span", when, "when"));
  }
}
