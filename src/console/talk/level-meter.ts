const COLUMN_MS = 60;
const COLUMN_PX = 4;
const BAR_PX = 2;
const QUIET_DB = -60;
const LOUD_DB = -8;
const MAX_COLUMNS = 1000;

interface Levels {
  readonly user: number;
  readonly assistant: number;
}

/** Draws the levels of both voices as two scrolling lanes, which show overlaps and the gaps between turns. */
export class LevelMeter {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #leaving = new AbortController();
  /** Peak level of each lane by column, newest last. */
  readonly #columns: Levels[] = [];
  #current: { user: number; assistant: number } = { user: QUIET_DB, assistant: QUIET_DB };
  #columnAt = 0;
  #running = false;
  #colours = { user: '', assistant: '', rest: '' };

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const { signal } = this.#leaving;
    const again = (): void => {
      this.#readColours();
      this.#draw();
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again, { signal });
    // The theme chosen by the reader is an attribute of the root element.
    const chosen = new MutationObserver(again);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const size = new ResizeObserver(() => {
      this.#fit();
      again();
    });
    size.observe(canvas);
    signal.addEventListener('abort', () => {
      chosen.disconnect();
      size.disconnect();
    });
  }

  dispose(): void {
    this.stop();
    this.#leaving.abort();
  }

  start(): void {
    this.#columns.length = 0;
    this.#columnAt = performance.now();
    this.#readColours();
    if (this.#running) return;
    this.#running = true;
    const frame = (): void => {
      if (!this.#running) return;
      this.#advance(performance.now());
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop(): void {
    this.#running = false;
  }

  /** Takes levels in dBFS. */
  add({ user, assistant }: Partial<Levels>): void {
    const current = this.#current;
    if (user !== undefined) current.user = Math.max(current.user, user);
    if (assistant !== undefined) current.assistant = Math.max(current.assistant, assistant);
  }

  #advance(now: number): void {
    if (now - this.#columnAt < COLUMN_MS) return;
    // Columns missed while the page was hidden are not drawn.
    this.#columnAt = Math.max(this.#columnAt + COLUMN_MS, now - COLUMN_MS);
    this.#columns.push(this.#current);
    if (this.#columns.length > MAX_COLUMNS) this.#columns.shift();
    this.#current = { user: QUIET_DB, assistant: QUIET_DB };
    this.#draw();
  }

  #fit(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    this.#canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.#canvas.height = Math.round(clientHeight * devicePixelRatio);
  }

  #readColours(): void {
    const style = getComputedStyle(this.#canvas);
    this.#colours = {
      user: style.getPropertyValue('--user'),
      assistant: style.getPropertyValue('--assistant'),
      rest: style.getPropertyValue('--rule'),
    };
  }

  #draw(): void {
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

  /** Draws one level, starting at the edge of its lane. */
  #bar(x: number, y: number, direction: 1 | -1, colour: string, db: number | undefined): void {
    const share = ((db ?? QUIET_DB) - QUIET_DB) / (LOUD_DB - QUIET_DB);
    const length = Math.min(1, Math.max(0, share)) * (this.#canvas.clientHeight / 2 - 6);
    this.#context.fillStyle = length > 2 ? colour : this.#colours.rest;
    this.#context.fillRect(x, y, BAR_PX, direction * Math.max(2, length));
  }
}
