// @ts-check
import { byId } from './dom.js';

const COLUMN_MS = 60;
const COLUMN_PX = 4;
const BAR_PX = 2;
const QUIET_DB = -60;
const LOUD_DB = -8;
const MAX_COLUMNS = 1000;

/** Both voices as two lanes of one moving score: who sounds, who overlaps, how long the gap was. */
export class Score {
  #canvas = byId('score', HTMLCanvasElement);
  #context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d'));
  /** Loudest level of each lane by column, newest last. @type {{ user: number, assistant: number }[]} */
  #columns = [];
  #current = { user: QUIET_DB, assistant: QUIET_DB };
  #columnAt = 0;
  #running = false;
  #colours = { user: '', assistant: '', rest: '' };

  constructor() {
    const again = () => {
      this.#readColours();
      this.#draw();
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
    new ResizeObserver(() => {
      this.#fit();
      again();
    }).observe(this.#canvas);
  }

  start() {
    this.#columns = [];
    this.#columnAt = performance.now();
    this.#readColours();
    if (this.#running) return;
    this.#running = true;
    const frame = () => {
      if (!this.#running) return;
      this.#advance(performance.now());
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.#running = false;
  }

  /** @param {{ user?: number, assistant?: number }} levels in dB */
  add({ user, assistant }) {
    const current = this.#current;
    if (user !== undefined) current.user = Math.max(current.user, user);
    if (assistant !== undefined) current.assistant = Math.max(current.assistant, assistant);
  }

  /** @param {number} now */
  #advance(now) {
    if (now - this.#columnAt < COLUMN_MS) return;
    // A page that was hidden for a while does not draw what it missed.
    this.#columnAt = Math.max(this.#columnAt + COLUMN_MS, now - COLUMN_MS);
    this.#columns.push(this.#current);
    if (this.#columns.length > MAX_COLUMNS) this.#columns.shift();
    this.#current = { user: QUIET_DB, assistant: QUIET_DB };
    this.#draw();
  }

  #fit() {
    const { clientWidth, clientHeight } = this.#canvas;
    this.#canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.#canvas.height = Math.round(clientHeight * devicePixelRatio);
  }

  #readColours() {
    const style = getComputedStyle(this.#canvas);
    this.#colours = {
      user: style.getPropertyValue('--user'),
      assistant: style.getPropertyValue('--assistant'),
      rest: style.getPropertyValue('--rule'),
    };
  }

  #draw() {
    const context = this.#context;
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, width, height);
    const middle = height / 2;
    const count = Math.ceil(width / COLUMN_PX);
    for (let i = 0; i < count; i++) {
      const column = this.#columns[this.#columns.length - 1 - i];
      const x = width - (i + 1) * COLUMN_PX;
      this.#bar(x, middle - 3, -1, this.#colours.user, column?.user);
      this.#bar(x, middle + 3, 1, this.#colours.assistant, column?.assistant);
    }
  }

  /**
   * @param {number} x
   * @param {number} y where the lane begins
   * @param {1 | -1} direction
   * @param {string} colour
   * @param {number | undefined} db
   */
  #bar(x, y, direction, colour, db) {
    const share = ((db ?? QUIET_DB) - QUIET_DB) / (LOUD_DB - QUIET_DB);
    const length = Math.min(1, Math.max(0, share)) * (this.#canvas.clientHeight / 2 - 6);
    this.#context.fillStyle = length > 2 ? colour : this.#colours.rest;
    this.#context.fillRect(x, y, BAR_PX, direction * Math.max(2, length));
  }
}
