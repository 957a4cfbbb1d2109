import type { HeardFrame } from '../stt-socket/stt-vendor.ts';

interface Item {
  readonly id: string;
  startMs: number;
  endMs: number | undefined;
  text: string;
  /** True once its final text has arrived. */
  complete: boolean;
  after: string | undefined;
}

/** Maximum number of items that wait for a final text; beyond it, the oldest is given up. */
const MAX_OPEN = 8;
/** Ids of delivered items, kept to ignore repetitions. */
const MAX_GIVEN = 64;

/** Reorders the transcripts of a session's items, which arrive in any order, into spoken order. */
export class ItemOrder {
  readonly #items = new Map<string, Item>();
  readonly #done = new Set<string>();
  #saidMs = 0;

  started(id: string, startMs: number): void {
    this.#item(id).startMs = startMs;
  }

  stopped(id: string, endMs: number): void {
    this.#item(id).endMs = endMs;
  }

  committed(id: string, after: string | undefined): HeardFrame[] {
    const item = this.#item(id);
    item.after = after;
    return this.#takeReady();
  }

  delta(id: string, text: string): HeardFrame[] {
    if (this.#done.has(id) || text === '') return [];
    const item = this.#item(id);
    if (item.complete) return [];
    item.text += text;
    return [this.#frame('interim', item)];
  }

  completed(id: string, text: string): HeardFrame[] {
    if (this.#done.has(id)) return [];
    const item = this.#item(id);
    item.text = text;
    item.complete = true;
    return this.#takeReady();
  }

  failed(id: string): HeardFrame[] {
    if (this.#done.has(id)) return [];
    const item = this.#item(id);
    item.complete = true;
    return this.#takeReady();
  }

  #item(id: string): Item {
    const known = this.#items.get(id);
    if (known) return known;
    const item: Item = {
      id,
      startMs: this.#saidMs,
      endMs: undefined,
      text: '',
      complete: false,
      after: undefined,
    };
    this.#items.set(id, item);
    return item;
  }

  /** Final texts whose predecessors have all been delivered. */
  #takeReady(): HeardFrame[] {
    const frames: HeardFrame[] = [];
    for (let item = this.#nextComplete(); item; item = this.#nextComplete()) {
      this.#items.delete(item.id);
      this.#done.add(item.id);
      const [oldest] = this.#done;
      if (this.#done.size > MAX_GIVEN && oldest !== undefined) this.#done.delete(oldest);
      this.#saidMs = item.endMs ?? item.startMs;
      if (item.text.trim() !== '') frames.push(this.#frame('final', item));
      frames.push({ type: 'settled', endMs: this.#saidMs });
    }
    return frames;
  }

  #nextComplete(): Item | undefined {
    const open = [...this.#items.values()];
    const ready = open.find(
      (item) => item.complete && !(item.after !== undefined && this.#items.has(item.after)),
    );
    if (ready) return ready;
    return open.length > MAX_OPEN ? open.find((item) => item.complete) : undefined;
  }

  #frame(type: 'interim' | 'final', item: Item): HeardFrame {
    const { id: segment, text, startMs } = item;
    const endMs = item.endMs ?? startMs;
    return { type, segment, text: text.trim(), startMs, endMs, confidence: 1 };
  }
}
