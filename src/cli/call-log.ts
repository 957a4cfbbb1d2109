import type { ServerFrame } from './server-frame.ts';

/** Prints a call as it happens, a line an event, with its instant. */
export class CallLog {
  readonly #write: (text: string) => void;
  readonly #styled: boolean;
  #state = '';
  /** Of each side's open utterance: interims replace each other until the final. */
  #interim = '';

  constructor(write: (text: string) => void, options: { readonly styled: boolean }) {
    this.#write = write;
    this.#styled = options.styled;
  }

  /** A line without an instant. */
  say(text: string): void {
    this.#write(`${text}\n`);
  }

  frame(frame: ServerFrame, atMs: number): void {
    if (frame.type === 'transcript') this.#transcript(frame, atMs);
    else if (frame.type === 'state') this.#stateChange(frame, atMs);
    else if (frame.type === 'ready') this.line(atMs, 'answered', frame.callId);
    else if (frame.type === 'status') this.line(atMs, 'status', frame.status, true);
    else if (frame.type === 'error') this.line(atMs, 'error', `${frame.code}: ${frame.message}`);
    else if (frame.type === 'ended') this.line(atMs, 'ended', frame.reason);
    else if (frame.type === 'clear') this.line(atMs, 'silenced', '', true);
  }

  line(atMs: number, who: string, text: string, faint = false): void {
    const line = `${(atMs / 1000).toFixed(2).padStart(7)}  ${who.padEnd(9)}  ${text}`.trimEnd();
    this.#write(faint ? `${this.#dim(line)}\n` : `${line}\n`);
  }

  #transcript(frame: Extract<ServerFrame, { type: 'transcript' }>, atMs: number): void {
    const key = `${frame.role}:${frame.text}`;
    if (frame.text === '' || (!frame.final && key === this.#interim)) return;
    this.#interim = frame.final ? '' : key;
    const who = frame.role === 'user' ? 'caller' : 'assistant';
    this.line(atMs, who, frame.final ? frame.text : `${frame.text} …`, !frame.final);
  }

  #stateChange(frame: Extract<ServerFrame, { type: 'state' }>, atMs: number): void {
    const state = `caller ${frame.user}, assistant ${frame.assistant}`;
    if (state === this.#state) return;
    this.#state = state;
    this.line(atMs, 'state', state, true);
  }

  #dim(text: string): string {
    return this.#styled ? `\u001b[2m${text}\u001b[22m` : text;
  }
}
