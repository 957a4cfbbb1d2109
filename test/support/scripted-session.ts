import { rmsDb } from '../../src/audio/level.ts';
import type { LegSink, MediaLeg } from '../../src/ports/media.ts';

const TICK_MS = 20;
const LEAD_MS = 160;
const SILENCE_MS = 200;

export interface ScriptedLine {
  readonly text: string;
  readonly durationMs: number;
}

export interface SessionScript {
  readonly welcome?: ScriptedLine;
  /** What the caller is taken to have said, and the answer, turn by turn. */
  readonly turns: readonly { readonly heard: string; readonly answer?: ScriptedLine }[];
  /** Ends the call after so many answers. */
  readonly endAfterTurns?: number;
}

/**
 * The session's side of a leg, in real time and by script: speaks tones, takes loud audio for speech, 200 ms of
 * quiet for its end, and falls silent when it is spoken over.
 */
export class ScriptedSession {
  readonly sink: LegSink = {
    audio: (pcm) => this.#hear(pcm),
    dtmf: (digit) => void this.events.push(`dtmf ${digit}`),
    mark: (name) => void this.events.push(`mark ${name}`),
    cleared: (playedMs) => void this.events.push(`cleared ${Math.round(playedMs)}`),
    hangup: () => this.#end('user-hung-up'),
    lost: (reason) => void this.events.push(`lost ${reason}`),
    resumed: () => void this.events.push('resumed'),
  };
  readonly events: string[] = [];
  ended: string | undefined;
  readonly #leg: MediaLeg;
  readonly #script: SessionScript;
  #turn = 0;
  #quietMs = 0;
  #userSpeaks = false;
  #unsent: Int16Array = new Int16Array(0);
  #sentUntil = 0;
  #marks = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(leg: MediaLeg, script: SessionScript) {
    this.#leg = leg;
    this.#script = script;
    leg.notify({ type: 'status', status: 'ongoing' });
    if (script.welcome) this.#speak(script.welcome);
    else this.#show('silent', 'idle');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #hear(pcm: Int16Array): void {
    if (rmsDb(pcm) > -35) {
      this.#quietMs = 0;
      if (!this.#userSpeaks) this.#speechStarts();
    } else if (this.#userSpeaks) {
      this.#quietMs += (pcm.length * 1000) / this.#leg.sampleRateHz;
      if (this.#quietMs >= SILENCE_MS) this.#speechEnds();
    }
  }

  #speechStarts(): void {
    this.#userSpeaks = true;
    if (this.#sentUntil > performance.now()) {
      this.#unsent = new Int16Array(0);
      this.#sentUntil = 0;
      this.#leg.clear();
    }
    this.#show('speaking', 'idle');
  }

  #speechEnds(): void {
    this.#userSpeaks = false;
    const turn = this.#script.turns[this.#turn++];
    for (const final of turn ? [false, true] : []) {
      this.#leg.notify({ type: 'transcript', role: 'user', text: turn?.heard ?? '', final });
    }
    if (turn?.answer) this.#speak(turn.answer);
    else this.#show('silent', 'idle');
  }

  #speak({ text, durationMs }: ScriptedLine): void {
    const rate = this.#leg.sampleRateHz;
    this.#unsent = Int16Array.from({ length: (durationMs * rate) / 1000 }, (_, i) =>
      Math.round(6000 * Math.sin((2 * Math.PI * 440 * i) / rate)),
    );
    this.#sentUntil = performance.now();
    this.#leg.notify({ type: 'transcript', role: 'assistant', text, final: true });
    this.#show('silent', 'speaking');
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  #tick(): void {
    const now = performance.now();
    if (this.#unsent.length > 0) {
      const wanted = Math.max(0, now + LEAD_MS - this.#sentUntil);
      const samples = Math.round((wanted * this.#leg.sampleRateHz) / 1000);
      const chunk = this.#unsent.slice(0, samples);
      this.#unsent = this.#unsent.subarray(chunk.length);
      this.#sentUntil += (chunk.length * 1000) / this.#leg.sampleRateHz;
      this.#leg.send(chunk);
      if (this.#unsent.length === 0) this.#leg.mark(`m${++this.#marks}`);
    } else if (this.#sentUntil > 0 && now > this.#sentUntil) {
      this.#sentUntil = 0;
      if (!this.#userSpeaks) this.#show('silent', 'idle');
      if (this.#script.endAfterTurns === this.#turn) this.#end('assistant-ended');
    }
  }

  #show(user: string, assistant: string): void {
    this.#leg.notify({ type: 'state', user, assistant });
  }

  #end(reason: string): void {
    this.close();
    this.ended = reason;
    this.#leg.notify({ type: 'status', status: 'finished' });
    this.#leg.end(reason);
  }
}
