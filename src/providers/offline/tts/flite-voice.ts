import { alignWords, type Span } from './align-words.ts';
import { FliteCommand } from './flite-host.ts';
import { type Phone, parsePhoneGroups, parseTimedPhones } from './phones.ts';
import { audibleRange } from './trim-silence.ts';
import type { VoiceJob, VoiceResult } from './voice-job.ts';
import type { WasmModule } from './web-assembly.ts';

const WAV_HEADER_BYTES = 44;
const RATE_AT = 24;
// The fastest voice; its lexicon is the same as the others'.
const LEXICON_VOICE = 'kal16';
const MAX_KNOWN_WORDS = 5000;

/** Runs flite in this thread: text in, audio and word times out. Synchronous and slow: use it in a worker. */
export class FliteVoice {
  readonly #command: FliteCommand;
  /** Phones of words in isolation. In insertion order; the oldest is evicted first when full. */
  readonly #known = new Map<string, readonly string[]>();

  constructor(module: WasmModule) {
    this.#command = new FliteCommand(module);
  }

  /** Does ahead what the next clause would begin with. */
  prepare(): void {
    this.#command.prepare();
  }

  speak(job: VoiceJob): VoiceResult {
    const { stdout, file } = this.#command.run([
      ...['-voice', job.voice, '--setf', `duration_stretch=${job.stretch}`],
      ...['-psdur', '-t', job.text, '-o', '/speech.wav'],
    ]);
    if (file.length < WAV_HEADER_BYTES) throw new Error('flite wrote no sound');
    const view = new DataView(file.buffer, file.byteOffset, file.length);
    const sampleRateHz = view.getUint32(RATE_AT, true);
    const all = new Int16Array(
      file.slice(WAV_HEADER_BYTES, file.length - (file.length % 2)).buffer,
    );
    const range = audibleRange(all, sampleRateHz, job.keepBeforeMs, job.keepAfterMs);
    const pcm = all.slice(range.startSample, range.endSample);
    const toMs = (samples: number): number => (samples * 1000) / sampleRateHz;
    const spans = this.#wordSpans(job, stretched(parseTimedPhones(stdout), toMs(all.length)));
    return {
      pcm,
      sampleRateHz,
      spans: spans.map((span) => shifted(span, toMs(range.startSample), toMs(pcm.length))),
    };
  }

  #wordSpans(job: VoiceJob, phones: readonly Phone[]): Span[] {
    this.#learn(job.words.filter((word) => word !== '' && !this.#known.has(word)));
    return alignWords(
      phones,
      job.words.map((word) => (word === '' ? [] : (this.#known.get(word) ?? [...word]))),
    );
  }

  /** Asks flite for the words' phones; commas separate the words. */
  #learn(words: readonly string[]): void {
    const unknown = [...new Set(words)];
    if (unknown.length === 0) return;
    const list = unknown.map((word) => word.replaceAll(',', '')).join(', ');
    const { stdout } = this.#command.run([
      '-voice',
      LEXICON_VOICE,
      '-ps',
      '-t',
      list,
      '-o',
      'none',
    ]);
    const groups = parsePhoneGroups(stdout);
    for (const [i, word] of unknown.entries()) {
      // If a word splits into two groups, its letters replace its phones: vowels still match vowels.
      const letters = word.replace(/[^a-z]/g, '').split('');
      this.#known.set(word, (groups.length === unknown.length && groups[i]) || letters);
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN_WORDS) break;
      this.#known.delete(oldest);
    }
  }
}

/** The diphone voices speak slightly faster than the times they report. */
function stretched(phones: readonly Phone[], totalMs: number): Phone[] {
  const printedMs = phones.at(-1)?.endMs ?? totalMs;
  const factor = printedMs > 0 ? totalMs / printedMs : 1;
  return phones.map(({ name, startMs, endMs }) => ({
    name,
    startMs: startMs * factor,
    endMs: endMs * factor,
  }));
}

function shifted(span: Span, byMs: number, totalMs: number): Span {
  const clamp = (ms: number): number => Math.round(Math.min(totalMs, Math.max(0, ms - byMs)));
  return { startMs: clamp(span.startMs), endMs: clamp(span.endMs) };
}
