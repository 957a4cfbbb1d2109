import { join } from 'node:path';
import type { Grammar } from './grammar.ts';
import type { Language } from './language.ts';
import { Loudness } from './loudness.ts';
import { RECOGNISER_RATE_HZ } from './protocol.ts';
import { type Decoder, modelPath, type SoundSwallower } from './soundswallower-module.ts';

/** A decoder's result for the speech so far. */
export interface Hypothesis {
  /** Without silence, noise and hesitations. */
  readonly words: readonly string[];
  /** Relative to the start of the written audio. */
  readonly startMs: number;
  readonly endMs: number;
  /** How much better free phones explain the audio than these words do; see `confidence.ts`. */
  readonly excess: number;
}

/** Every grammar adds words to a decoder; beyond this number it is recreated. */
const MAX_WORDS = 20_000;
const BEAMS = { beam: 1e-80, wbeam: 1e-60, pbeam: 1e-80 };
// Narrow: the free phones need a score, not a correct result.
const FREE_BEAMS = { beam: 1e-20, wbeam: 1e-10, pbeam: 1e-20 };
const FRAME_MS = 10;
/** The penalty of a speech frame outside of any word: the same as in a wrong word. */
const PASSED_OVER_LEAD = 25;
/** The suffix that distinguishes pronunciations of a word. */
const VARIANT = /\(\d+\)$/;
const SAMPLES_A_MS = RECOGNISER_RATE_HZ / 1000;
/** Interval between score marks. */
const PIECE_SAMPLES = 60 * SAMPLES_A_MS;

interface Mark {
  readonly ms: number;
  readonly phrases: number;
  readonly free: number;
}

/**
 * Two decoders in parallel: one for the grammar, the other for any phones. The second shows whether the first merely
 * guessed. One speaker at a time; the grammar may change between utterances.
 */
export class PhraseDecoder {
  readonly #module: SoundSwallower;
  readonly #language: Language;
  readonly #score: number;
  readonly #free: Decoder;
  #phrases: Decoder;
  #grammar: Grammar | undefined;
  /** Scores of both decoders after each piece of audio. */
  #marks: Mark[] = [];
  #loudness = new Loudness();
  #known = new Set<string>();

  private constructor(module: SoundSwallower, language: Language, phrases: Decoder, free: Decoder) {
    this.#module = module;
    this.#language = language;
    this.#phrases = phrases;
    this.#free = free;
    this.#score = module._malloc(4);
  }

  static async create(module: SoundSwallower, language: Language): Promise<PhraseDecoder> {
    const phrases = await createDecoder(module, language, BEAMS);
    const free = await createDecoder(module, language, FREE_BEAMS);
    const { phones } = language;
    free.add_words(...phones.map((phone): [string, string] => [`phone-${phone}`, phone]));
    const loop = phones.map((phone) => `phone-${phone}`).join(' | ');
    free.set_grammar(`#JSGF V1.0;\ngrammar phones;\npublic <any> = ( ${loop} )+;`);
    return new PhraseDecoder(module, language, phrases, free);
  }

  /** Uses this grammar from the next utterance on; does nothing when it is already in use. */
  async use(grammar: Grammar): Promise<void> {
    if (grammar === this.#grammar) return;
    this.#grammar = undefined;
    if (this.#known.size + grammar.pronunciations.size > MAX_WORDS) {
      this.#phrases.delete();
      this.#phrases = await createDecoder(this.#module, this.#language, BEAMS);
      this.#known = new Set();
    }
    const added = [...grammar.pronunciations].filter(([word]) => !this.#known.has(word));
    const entries = added.flatMap(([word, sounds]) =>
      sounds.map((sound, i): [string, string] => [i === 0 ? word : `${word}(${i + 1})`, sound]),
    );
    if (entries.length > 0) this.#phrases.add_words(...entries);
    for (const [word] of added) this.#known.add(word);
    this.#phrases.set_grammar(grammar.jsgf);
    this.#grammar = grammar;
  }

  /** Frees both decoders. */
  delete(): void {
    this.#phrases.delete();
    this.#free.delete();
  }

  start(): void {
    this.#marks = [{ ms: 0, phrases: 0, free: 0 }];
    this.#loudness = new Loudness();
    this.#phrases.start();
    this.#free.start();
  }

  write(pcm: Int16Array): void {
    for (let i = 0; i < pcm.length; i += PIECE_SAMPLES) {
      this.#writePiece(pcm.subarray(i, i + PIECE_SAMPLES));
    }
  }

  #writePiece(pcm: Int16Array): void {
    const samples = new Float32Array(pcm.length);
    for (let i = 0; i < pcm.length; i++) samples[i] = (pcm[i] as number) / 32768;
    this.#loudness.write(pcm);
    this.#phrases.process_audio(samples);
    this.#free.process_audio(samples);
    this.#marks.push({
      ms: (this.#marks.at(-1) as Mark).ms + pcm.length / SAMPLES_A_MS,
      phrases: this.#scoreOf(this.#phrases),
      free: this.#scoreOf(this.#free),
    });
  }

  /** The best words so far, even if they are no complete sentence. */
  soFar(): Hypothesis | undefined {
    return this.#hypothesis();
  }

  /** Ends the utterance and returns the best complete sentence, if any. */
  finish(): Hypothesis | undefined {
    this.#phrases.stop();
    this.#free.stop();
    return this.#hypothesis();
  }

  #hypothesis(): Hypothesis | undefined {
    // Without a path there is no text, and asking for times would fail.
    if (this.#phrases.get_text() === '') return undefined;
    const segments = (this.#phrases.get_alignment().w ?? []).filter(
      ({ t }) => !/^[<([]/.test(t) && !this.#language.hesitations.includes(t.replace(VARIANT, '')),
    );
    const [first, last] = [segments[0], segments.at(-1)];
    if (!first || !last) return undefined;
    const startMs = first.b * 1000;
    const endMs = (last.b + last.d) * 1000;
    const spans = segments.map(({ b, d }) => ({ startMs: b * 1000, endMs: (b + d) * 1000 }));
    const frames = spans.reduce((sum, span) => sum + span.endMs - span.startMs, 0) / FRAME_MS;
    const passedOver = this.#loudness.passedOverMs(spans) / FRAME_MS;
    return {
      words: segments.map(({ t }) => t.replace(VARIANT, '')),
      startMs: Math.round(startMs),
      endMs: Math.round(endMs),
      excess: (this.#lead(startMs, endMs) + passedOver * PASSED_OVER_LEAD) / Math.max(1, frames),
    };
  }

  /**
   * The score lead of the free phones between the marks around the words. Audio outside is excluded, because it may
   * be line noise.
   */
  #lead(startMs: number, endMs: number): number {
    const before = this.#marks.findLast((mark) => mark.ms <= startMs) as Mark;
    const after = this.#marks.find((mark) => mark.ms >= endMs) ?? (this.#marks.at(-1) as Mark);
    return after.free - before.free - (after.phrases - before.phrases);
  }

  #scoreOf(decoder: Decoder): number {
    this.#module._decoder_hyp(decoder.cdecoder, this.#score);
    return this.#module.HEAP32[this.#score / 4] as number;
  }
}

async function createDecoder(
  module: SoundSwallower,
  language: Language,
  beams: Readonly<Record<string, number>>,
): Promise<Decoder> {
  const decoder = new module.Decoder({
    hmm: modelPath(language.model),
    // Without a dictionary it needs a tenth of the memory and an eighth of the time. The grammar supplies the words.
    dict: join(modelPath(language.model), 'none'),
    samprate: 8000,
    // Digital silence has no spectrum, so noise is added; the fixed seed makes equal audio give equal words.
    dither: true,
    seed: 1,
    loglevel: 'FATAL',
    ...beams,
  });
  await decoder.initialize();
  return decoder;
}
