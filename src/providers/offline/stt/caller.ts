import { confidenceOf, excessLimit } from './confidence.ts';
import { continuationOf } from './continuation.ts';
import type { Grammar } from './grammar.ts';
import type { Language } from './language.ts';
import type { Hypothesis } from './phrase-decoder.ts';
import { type Heard, RECOGNISER_RATE_HZ } from './protocol.ts';
import type { Slot, Slots } from './slots.ts';
import { createTranscriber, type Transcriber } from './transcript.ts';

/** Receives the results of a caller's recognition. */
export interface CallerSink {
  interim(segmentId: string, heard: Heard): void;
  final(segmentId: string, heard: Heard): void;
  consumed(samples: number): void;
  failed(error: unknown): void;
}

interface Segment {
  readonly id: string;
  readonly startMs: number;
  /** All audio of the segment, for a second decoding. */
  readonly pcm: Int16Array[];
  /** Length of the preceding unfinished speech that is decoded together with this segment, ms. */
  readonly leadMs: number;
  /** Words of the preceding speech that were already reported. */
  readonly reported: string;
  ended: boolean;
}

/** Speech that did not complete a sentence; the next segment may complete it. */
interface Unfinished {
  readonly pcm: readonly Int16Array[];
  readonly endMs: number;
  /** Its words, if they were good enough to be reported. */
  readonly text: string;
}

const INTERIM_MS = 120;
/** Shorter speech is not enough for an interim. */
const SHORTEST_INTERIM_MS = 250;
const LONGEST_GAP_MS = 3000;
const LONGEST_LEAD_MS = 8000;
const NOTHING: Omit<Heard, 'startMs' | 'endMs'> = { text: '', confidence: 0 };

/**
 * One caller's recognition within its thread: segments in, interims and finals out. It holds a decoder only during
 * speech.
 */
export class Caller {
  readonly #language: Language;
  readonly #grammar: Grammar;
  readonly #transcriber: Transcriber;
  readonly #slots: Slots;
  readonly #sink: CallerSink;
  #segment: Segment | undefined;
  #slot: Slot | undefined;
  #unfinished: Unfinished | undefined;
  #sinceInterimMs = 0;
  #lastInterim = '';
  #closed = false;

  constructor(language: Language, grammar: Grammar, slots: Slots, sink: CallerSink) {
    this.#language = language;
    this.#grammar = grammar;
    this.#transcriber = createTranscriber(grammar, language);
    this.#slots = slots;
    this.#sink = sink;
  }

  start(id: string, startMs: number): void {
    // The segment has no decoder yet: its audio is kept and decoded with the new segment.
    const waiting = this.#segment;
    if (waiting) this.#sink.final(waiting.id, this.#nothing(waiting));
    const lead = this.#leadFor(startMs);
    const segment: Segment = {
      id,
      startMs,
      pcm: [],
      leadMs: lead ? durationMs(lead.pcm) : 0,
      reported: lead?.text ?? '',
      ended: false,
    };
    this.#segment = segment;
    this.#sinceInterimMs = 0;
    this.#lastInterim = '';
    this.#slots.acquire(this.#language, this.#grammar).then(
      (slot) => this.#begin(segment, slot, lead),
      (error) => this.#sink.failed(error),
    );
  }

  write(pcm: Int16Array): void {
    const segment = this.#segment;
    if (!segment || segment.ended) return;
    segment.pcm.push(pcm);
    if (this.#slot) this.#decode(segment, this.#slot, pcm);
  }

  end(): void {
    const segment = this.#segment;
    if (!segment || segment.ended) return;
    segment.ended = true;
    if (this.#slot) this.#finish(segment, this.#slot);
  }

  close(): void {
    this.#closed = true;
    this.#segment = undefined;
    this.#unfinished = undefined;
    if (this.#slot) this.#giveBack(this.#slot, true);
  }

  /**
   * Only words reported as unfinished are decoded again with the new segment; other speech gets its own decoding
   * first.
   */
  #leadFor(startMs: number): Unfinished | undefined {
    const before = this.#unfinished;
    if (!before || startMs - before.endMs > LONGEST_GAP_MS) this.#unfinished = undefined;
    return before && this.#unfinished && before.text !== '' ? before : undefined;
  }

  #begin(segment: Segment, slot: Slot, lead: Unfinished | undefined): void {
    if (this.#closed || this.#segment !== segment) {
      this.#slots.release(slot);
      return;
    }
    this.#slot = slot;
    slot.decoder.start();
    for (const pcm of lead?.pcm ?? []) slot.decoder.write(pcm);
    for (const pcm of segment.pcm) this.#decode(segment, slot, pcm);
    if (segment.ended) this.#finish(segment, slot);
  }

  #decode(segment: Segment, slot: Slot, pcm: Int16Array): void {
    slot.decoder.write(pcm);
    this.#sinceInterimMs += durationMs([pcm]);
    if (this.#sinceInterimMs >= INTERIM_MS && !segment.ended) {
      this.#sinceInterimMs = 0;
      this.#tellInterim(segment, slot.decoder.soFar());
    }
    // Last, so that whoever is told has heard all that came of it.
    this.#sink.consumed(pcm.length);
  }

  #tellInterim(segment: Segment, hypothesis: Hypothesis | undefined): void {
    if (!hypothesis || hypothesis.endMs - hypothesis.startMs < SHORTEST_INTERIM_MS) return;
    const heard = this.#heard(segment, hypothesis, false);
    if (!heard || heard.text === '' || heard.text === this.#lastInterim) return;
    this.#lastInterim = heard.text;
    this.#sink.interim(segment.id, heard);
  }

  #finish(segment: Segment, slot: Slot): void {
    const start = slot.decoder.soFar();
    const whole = slot.decoder.finish();
    this.#segment = undefined;
    const heard =
      this.#accept(segment, whole, start) ??
      this.#secondReading(segment, slot) ??
      this.#nothing(segment);
    this.#giveBack(slot, false);
    this.#sink.final(segment.id, heard);
  }

  /** A complete sentence, else the start of one, if the acoustic score supports it. */
  #accept(
    segment: Segment,
    whole: Hypothesis | undefined,
    start: Hypothesis | undefined,
  ): Heard | undefined {
    const sentence = whole && this.#heard(segment, whole, true);
    if (sentence) {
      this.#unfinished = undefined;
      return sentence;
    }
    if (!start || start.words.length < 2) return undefined;
    const heard = this.#heard(segment, start, false);
    if (heard) this.#keep(segment, `${segment.reported} ${heard.text}`.trim());
    return heard;
  }

  /** Decodes the segment again: with the preceding speech if that was not recognised, without it if it was. */
  #secondReading(segment: Segment, slot: Slot): Heard | undefined {
    const before = this.#unfinished;
    if (!before) return undefined;
    const alone = segment.leadMs > 0;
    const lead = alone ? [] : before.pcm;
    slot.decoder.start();
    for (const pcm of [...lead, ...segment.pcm]) slot.decoder.write(pcm);
    const whole = slot.decoder.finish();
    const heard =
      whole && this.#heard({ ...segment, leadMs: durationMs(lead), reported: '' }, whole, true);
    if (heard) this.#unfinished = undefined;
    return heard;
  }

  #nothing(segment: Segment): Heard {
    this.#keep(segment, '');
    return {
      ...NOTHING,
      startMs: segment.startMs,
      endMs: segment.startMs + durationMs(segment.pcm),
    };
  }

  /** Keeps the segment, and the speech it continued, for the next one. */
  #keep(segment: Segment, text: string): void {
    const lead = segment.leadMs > 0 ? (this.#unfinished?.pcm ?? []) : [];
    const pcm = [...lead, ...segment.pcm];
    this.#unfinished =
      durationMs(pcm) > LONGEST_LEAD_MS
        ? undefined
        : { pcm, endMs: segment.startMs + durationMs(segment.pcm), text };
  }

  /** Undefined when the acoustic score does not support the words. */
  #heard(segment: Segment, hypothesis: Hypothesis, complete: boolean): Heard | undefined {
    const { text, kind } = this.#transcriber.write(hypothesis.words, complete);
    if (hypothesis.excess > excessLimit(kind, hypothesis.words.length)) return undefined;
    const offsetMs = segment.startMs - segment.leadMs;
    return {
      text: continuationOf(text, segment.reported),
      startMs: Math.max(segment.startMs, offsetMs + hypothesis.startMs),
      endMs: offsetMs + hypothesis.endMs,
      confidence: confidenceOf(hypothesis.excess),
    };
  }

  #giveBack(slot: Slot, midway: boolean): void {
    this.#slot = undefined;
    if (midway) slot.decoder.finish();
    this.#slots.release(slot);
  }
}

function durationMs(pcm: readonly Int16Array[]): number {
  const samples = pcm.reduce((sum, piece) => sum + piece.length, 0);
  return (samples * 1000) / RECOGNISER_RATE_HZ;
}
