import { AdaptivePlayout, type PlayoutStats } from './adaptive-playout.ts';
import { levelDb, SILENCE_DB } from './level.ts';
import { floatFromPcm16 } from './pcm.ts';
import { Resampler } from './resampler.ts';

const REPORT_SECONDS = 0.02;
const STATS_SECONDS = 0.5;

export type PlaybackCommand =
  | { readonly type: 'audio'; readonly pcm: ArrayBuffer }
  /** `ends`: speech pauses or ends here. */
  | { readonly type: 'mark'; readonly name: string; readonly ends: boolean }
  | { readonly type: 'clear' }
  | { readonly type: 'recount' };

export type PlaybackReport =
  | { readonly type: 'played'; readonly name: string }
  | { readonly type: 'cleared'; readonly playedMs: number }
  | { readonly type: 'recounted'; readonly waitingMs: number }
  | { readonly type: 'level'; readonly db: number; readonly atMs: number }
  | { readonly type: 'stats'; readonly stats: PlayoutStats };

interface Options {
  readonly processorOptions: { readonly wireHz: number };
}

/** Plays the service's audio to the caller and reports exactly how much was played. */
class PlaybackProcessor extends AudioWorkletProcessor {
  readonly #playout = new AdaptivePlayout({ sampleRateHz: sampleRate });
  readonly #resampler: Resampler | undefined;
  #loudest = SILENCE_DB;
  #reportAt = 0;
  #statsAt = 0;

  constructor({ processorOptions: { wireHz } }: Options) {
    super();
    if (wireHz !== sampleRate) this.#resampler = new Resampler(wireHz, sampleRate);
    this.port.onmessage = ({ data }) => this.#obey(data);
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const output = outputs[0]?.[0];
    if (!output) return true;
    this.#playout.pull(output, (name) => this.#report({ type: 'played', name }));
    this.#loudest = Math.max(this.#loudest, levelDb(output));
    if (currentTime >= this.#reportAt) {
      this.#reportAt = currentTime + REPORT_SECONDS;
      this.#report({ type: 'level', db: this.#loudest, atMs: currentTime * 1000 });
      this.#loudest = SILENCE_DB;
    }
    if (currentTime >= this.#statsAt) {
      this.#statsAt = currentTime + STATS_SECONDS;
      this.#report({ type: 'stats', stats: this.#playout.stats });
    }
    return true;
  }

  #obey(command: PlaybackCommand): void {
    if (command.type === 'audio') {
      const samples = floatFromPcm16(new Int16Array(command.pcm));
      this.#playout.push(this.#resampler?.process(samples) ?? samples);
    } else if (command.type === 'mark') {
      this.#playout.mark(command.name, command.ends);
    } else if (command.type === 'recount') {
      this.#playout.clear({ keeps: true });
      const waitingMs = Math.round((this.#playout.waiting * 1000) / sampleRate);
      this.#report({ type: 'recounted', waitingMs });
    } else {
      this.#resampler?.reset();
      const playedMs = (this.#playout.clear() * 1000) / sampleRate;
      this.#report({ type: 'cleared', playedMs });
    }
  }

  #report(report: PlaybackReport): void {
    this.port.postMessage(report);
  }
}

registerProcessor('playback', PlaybackProcessor);
