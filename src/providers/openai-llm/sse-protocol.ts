import { ProviderError } from '../../lib/errors.ts';

/** One server-sent event; `event` is `message` unless the stream names it. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
}

export interface SseParserOptions {
  /** Provider name for errors. */
  readonly provider: string;
  /** Maximum length of an event in characters. @defaultValue 1,048,576 */
  readonly maxEventChars?: number;
}

/**
 * Parses the bytes of a `text/event-stream`, split anywhere, into events. Comments, ids and retry hints are dropped;
 * an event without its closing blank line is not an event.
 */
export class SseParser {
  readonly #decoder = new TextDecoder();
  readonly #provider: string;
  readonly #maxEventChars: number;
  #line = '';
  #data: string | undefined;
  #event = '';
  /** The last character was a CR: an LF right after it belongs to the same line end. */
  #afterCr = false;

  constructor(options: SseParserOptions) {
    this.#provider = options.provider;
    this.#maxEventChars = options.maxEventChars ?? 1 << 20;
  }

  push(bytes: Uint8Array): SseEvent[] {
    const events: SseEvent[] = [];
    const text = this.#decoder.decode(bytes, { stream: true });
    let start = this.#afterCr && text.startsWith('\n') ? 1 : 0;
    if (text.length > 0) this.#afterCr = false;
    while (start < text.length) {
      const end = lineEnd(text, start);
      if (end < 0) break;
      this.#endLine(this.#line + text.slice(start, end), events);
      this.#line = '';
      start = end + 1;
      if (text[end] === '\r') {
        if (start === text.length) this.#afterCr = true;
        else if (text[start] === '\n') start++;
      }
    }
    this.#line += text.slice(start);
    if (this.#line.length + (this.#data?.length ?? 0) > this.#maxEventChars) {
      throw new ProviderError({
        class: 'protocol',
        provider: this.#provider,
        code: 'event_too_large',
        message: `${this.#provider} sent a stream event of more than ${this.#maxEventChars} characters`,
      });
    }
    return events;
  }

  #endLine(line: string, events: SseEvent[]): void {
    if (line === '') {
      if (this.#data !== undefined)
        events.push({ event: this.#event || 'message', data: this.#data });
      this.#data = undefined;
      this.#event = '';
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    else if (field === 'event') this.#event = value;
  }
}

function lineEnd(text: string, from: number): number {
  const lf = text.indexOf('\n', from);
  const cr = text.indexOf('\r', from);
  if (lf < 0) return cr;
  return cr < 0 ? lf : Math.min(lf, cr);
}
