import { signal } from '@preact/signals';
import type { Client } from '../../client/client.ts';
import { leaveIfRefused } from '../session.ts';
import { CallTimeline } from './call-timeline.ts';
import { isLine, type JournalLine, readJournal } from './journal.ts';
import { Peaks } from './peaks.ts';

/** `polling`: the journal is read repeatedly because no socket is available. */
export type FeedState = 'connecting' | 'live' | 'polling' | 'ended';

interface Format {
  readonly sampleRate: number;
}

const OPEN_MS = 10_000;
const AGAIN_MS = 3000;
const GAP_MS = 300;
/** After this many reads, missing lines are given up. */
const MAX_GAP_TRIES = 8;
/** Delay of the audio behind the events, besides the length of a chunk. */
const BEHIND_MS = 200;

/** Follows a live call: reads its journal so far, then gets new lines and both sides' audio over a socket. */
export class LiveFeed {
  readonly timeline = new CallTimeline();
  readonly state = signal<FeedState>('connecting');
  /** Increases with every change. */
  readonly version = signal(0);
  peaks: Peaks | undefined;
  /** Gets the audio of both sides, interleaved, while the user listens in. */
  onSound: ((pcm: Int16Array, sampleRateHz: number) => void) | undefined;
  readonly #client: Client;
  readonly #callId: string;
  readonly #gone = new AbortController();
  #socket: WebSocket | undefined;
  #format: Format | undefined;
  /** Lines that arrived before earlier ones. */
  #early: JournalLine[] = [];
  #reading = false;
  #gapTries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Creation time of the call on the `performance.now()` clock, estimated from live lines. */
  #createdAt: number | undefined;

  constructor(client: Client, callId: string) {
    this.#client = client;
    this.#callId = callId;
    void this.#open();
  }

  /** Current time on the call's timeline; undefined before the first live line. */
  get nowMs(): number | undefined {
    return this.#createdAt === undefined ? undefined : performance.now() - this.#createdAt;
  }

  close(): void {
    this.#gone.abort();
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  async #open(): Promise<void> {
    if (this.state.value === 'ended' || this.#gone.signal.aborted) return;
    const path = { id: this.#callId };
    const { signal: stop } = this.#gone;
    try {
      const { url } = await this.#client.call('createListenToken', { path, signal: stop });
      if (!stop.aborted) this.#connect(url);
    } catch (error) {
      if (stop.aborted) return;
      leaveIfRefused(error);
      // The call has ended, is not answered yet, or the service is down: read what the journal has.
      this.#fallBack();
    }
  }

  #connect(address: string): void {
    const given = new URL(address);
    // Use the page's own host: it is reachable, and the content security policy allows no other.
    const url = new URL(given.pathname + given.search, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const late = setTimeout(() => socket.close(), OPEN_MS);
    socket.onmessage = ({ data }) => {
      clearTimeout(late);
      if (typeof data === 'string') this.#hear(data);
      else this.#sound(new Int16Array(data as ArrayBuffer));
    };
    // The connection broke, or the limit of listeners is reached; one of them may leave later.
    socket.onclose = () => {
      clearTimeout(late);
      this.#fallBack();
    };
  }

  #hear(text: string): void {
    const frame = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (frame.type === 'format') {
      this.#format = frame as unknown as Format;
      this.peaks = undefined;
      this.state.value = 'live';
      void this.#readUp();
    } else if (frame.type === 'event' && isLine(frame.event)) {
      const createdAt = performance.now() - frame.event.at;
      // A delayed line makes the creation time look later, so the minimum is the best estimate.
      this.#createdAt = Math.min(this.#createdAt ?? createdAt, createdAt);
      this.#take(frame.event);
    } else if (frame.type === 'ended') {
      this.#end();
    }
  }

  #sound(pcm: Int16Array): void {
    const rateHz = this.#format?.sampleRate;
    if (rateHz === undefined) return;
    this.onSound?.(pcm, rateHz);
    const now = this.nowMs;
    if (!this.peaks && now !== undefined) {
      this.peaks = new Peaks(rateHz, now - BEHIND_MS - (pcm.length / 2 / rateHz) * 1000);
    }
    this.peaks?.add(pcm);
    this.version.value++;
  }

  #take(line: JournalLine): void {
    if (line.seq > this.timeline.seq + 1) {
      this.#early.push(line);
      void this.#readUp();
      return;
    }
    this.timeline.add(line);
    this.#takeEarly(false);
    this.version.value++;
  }

  #takeEarly(gaps: boolean): void {
    this.#early = this.#early.filter((line) => {
      if (!gaps && line.seq > this.timeline.seq + 1) return true;
      this.timeline.add(line);
      return false;
    });
    if (this.#early.length === 0) this.#gapTries = 0;
  }

  /** Reads the stored journal, which lags a moment behind; repeats until there is no gap before the live lines. */
  async #readUp(): Promise<void> {
    if (this.#reading) return;
    this.#reading = true;
    try {
      const path = { id: this.#callId };
      const { signal: stop } = this.#gone;
      const response = await this.#client.open('getCallEvents', { path, signal: stop });
      const lines = await readJournal(response.body);
      if (stop.aborted) return;
      for (const line of lines) this.timeline.add(line);
      this.#takeEarly(this.#gapTries++ >= MAX_GAP_TRIES);
      this.version.value++;
      if (this.timeline.ended) this.#end();
    } catch (error) {
      if (this.#gone.signal.aborted) return;
      leaveIfRefused(error);
    } finally {
      this.#reading = false;
    }
    if (this.#early.length > 0) setTimeout(() => void this.#readUp(), GAP_MS);
  }

  /** Polls the journal and tries the socket again, as long as the call lives and the page is open. */
  #fallBack(): void {
    clearTimeout(this.#timer);
    if (this.state.value === 'ended' || this.#gone.signal.aborted) return;
    this.state.value = 'polling';
    this.#timer = setTimeout(() => void this.#readUp().then(() => this.#open()), AGAIN_MS);
  }

  #end(): void {
    this.state.value = 'ended';
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.version.value++;
  }
}
