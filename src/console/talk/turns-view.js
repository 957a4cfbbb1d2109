// @ts-check
import { byId, create } from './dom.js';

const STAGES = /** @type {const} */ (['endpointMs', 'modelMs', 'voiceMs', 'totalMs']);

/** @typedef {{ heardMs?: number, metrics?: import('../../client/api.generated.ts').TurnMetrics }} Turn */

/** How long each answer took: as heard here, and where the time went as the service tells. */
export class TurnsView {
  #list = byId('turns', HTMLElement);
  #empty = byId('turns-empty', HTMLElement);
  #median = byId('turns-median', HTMLElement);
  /** @type {Turn[]} */ #turns = [];

  clear() {
    this.#turns = [];
    this.#show();
  }

  /** @param {number} heardMs */
  heard(heardMs) {
    this.#turns.push({ heardMs });
    this.#show();
  }

  /** @param {readonly import('../../client/api.generated.ts').TurnMetrics[]} metrics */
  explain(metrics) {
    const answered = metrics.filter(({ totalMs }) => totalMs !== undefined);
    // The ear may miss a turn that the service counted: then its account stands alone.
    if (answered.length > this.#turns.length) this.#turns = answered.map(() => ({}));
    this.#turns = this.#turns.map((turn, i) => {
      const own = answered[i];
      return own && answered.length === this.#turns.length ? { ...turn, metrics: own } : turn;
    });
    this.#show();
  }

  #show() {
    const times = this.#turns.flatMap((turn) => timeOf(turn) ?? []);
    const longest = Math.max(1000, ...times);
    this.#list.replaceChildren(...this.#turns.map((turn, i) => row(turn, i + 1, longest)));
    this.#empty.hidden = this.#turns.length > 0;
    this.#median.textContent = times.length > 0 ? `median ${seconds(median(times))}` : '';
  }
}

/**
 * @param {Turn} turn
 * @param {number} number
 * @param {number} longest
 */
function row(turn, number, longest) {
  const item = create('li', 'turn');
  const time = timeOf(turn);
  item.append(create('span', 'turn-number', String(number)), bar(turn, longest));
  item.append(create('span', 'turn-time', time === undefined ? '–' : seconds(time)));
  item.append(create('span', 'turn-parts', parts(turn)));
  return item;
}

/**
 * @param {Turn} turn
 * @param {number} longest
 */
function bar({ heardMs, metrics }, longest) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'turn-bar');
  svg.setAttribute('viewBox', '0 0 1000 10');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  let from = 0;
  const add = (/** @type {number} */ to, /** @type {string} */ kind) => {
    if (!(to > from)) return;
    const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    rect.setAttribute('class', kind);
    rect.setAttribute('x', String((from / longest) * 1000));
    rect.setAttribute('width', String((Math.min(to - from, longest) / longest) * 1000));
    rect.setAttribute('height', '10');
    svg.append(rect);
    from = to;
  };
  for (const key of STAGES) {
    const value = metrics?.[key];
    if (value !== undefined) add(value, key);
  }
  if (heardMs !== undefined) add(heardMs, 'heard');
  return svg;
}

/** @param {Turn} turn */
function parts({ metrics = { turn: 0 } }) {
  const { endpointMs, modelMs, voiceMs } = metrics;
  const named = Object.entries({ 'turn end': endpointMs, model: modelMs, voice: voiceMs });
  const known = named.flatMap(([name, ms]) =>
    ms === undefined ? [] : `${name} ${Math.round(ms)}`,
  );
  return known.length > 0 ? `${known.join(' · ')} ms` : '';
}

/** @param {Turn} turn */
function timeOf({ heardMs, metrics }) {
  return heardMs ?? metrics?.totalMs;
}

/** @param {number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return /** @type {number} */ (sorted[Math.floor(sorted.length / 2)]);
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`;
}
