import type { ServerFrame } from './server-frame.ts';

export interface CallLogOptions {
  /** Width of the terminal, if output goes to one: interim transcripts are then shown and rewritten in place. */
  readonly columns?: number | undefined;
}

/** Prints a call as it happens: one line per event, with its time. */
export class CallLog {
  readonly #write: (text: string) => void;
  readonly #columns: number | undefined;
  #state = '';
  #isAnswered = false;
  /** The last line shows an interim transcript. */
  #isOpen = false;

  constructor(write: (text: string) => void, { columns }: CallLogOptions = {}) {
    this.#write = write;
    this.#columns = columns;
  }

  /** Prints a line without a time. */
  say(text: string): void {
    this.#closeLine();
    this.#write(`${text}\n`);
  }

  frame(frame: ServerFrame, atMs: number): void {
    if (frame.type === 'transcript') this.#transcript(frame, atMs);
    else if (frame.type === 'state') this.#stateChange(frame, atMs);
    else if (frame.type === 'ready') this.#answered(frame.callId, atMs);
    else if (frame.type === 'status') this.line(atMs, 'status', frame.status, true);
    else if (frame.type === 'error') this.line(atMs, 'error', `${frame.code}: ${frame.message}`);
    else if (frame.type === 'ended') this.line(atMs, 'ended', frame.reason);
    else if (frame.type === 'clear') this.line(atMs, 'silenced', '', true);
  }

  /** Told again when a caller has come back to its call. */
  #answered(callId: string, atMs: number): void {
    this.line(atMs, this.#isAnswered ? 'back' : 'answered', callId);
    this.#isAnswered = true;
  }

  line(atMs: number, speaker: string, text: string, faint = false): void {
    const line = formatLine(atMs, speaker, text);
    this.#closeLine();
    this.#write(faint ? `${this.#dim(line)}\n` : `${line}\n`);
  }

  #transcript(frame: Extract<ServerFrame, { type: 'transcript' }>, atMs: number): void {
    const speaker = frame.role === 'user' ? 'caller' : 'assistant';
    if (frame.text === '') return;
    if (frame.final) {
      this.line(atMs, speaker, frame.text);
    } else if (this.#columns !== undefined) {
      this.#closeLine();
      const line = formatLine(atMs, speaker, `${frame.text} …`);
      this.#write(this.#dim(line.slice(0, this.#columns - 1)));
      this.#isOpen = true;
    }
  }

  #stateChange(frame: Extract<ServerFrame, { type: 'state' }>, atMs: number): void {
    const state = `caller ${frame.user}, assistant ${frame.assistant}`;
    if (state === this.#state) return;
    this.#state = state;
    this.line(atMs, 'state', state, true);
  }

  #closeLine(): void {
    if (this.#isOpen) this.#write('\r\u001b[2K');
    this.#isOpen = false;
  }

  #dim(text: string): string {
    return this.#columns === undefined ? text : `\u001b[2m${text}\u001b[22m`;
  }
}

function formatLine(atMs: number, speaker: string, text: string): string {
  return `${(atMs / 1000).toFixed(2).padStart(7)}  ${speaker.padEnd(9)}  ${text}`.trimEnd();
}
