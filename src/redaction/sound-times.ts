import type { JournalLine } from '../ports/journal.ts';
import type { SoundPart } from '../ports/redaction.ts';
import type { Span } from './span.ts';

interface Segment {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly startAt: number;
  readonly endAt: number;
}

interface Utterance {
  text: string;
  spans: readonly Span[];
  readonly words: {
    readonly startMs: number;
    readonly endMs: number;
    readonly isSecret: boolean;
  }[];
  totalMs?: number;
  /** Instants at which the playback was at a position. */
  readonly anchors: { readonly at: number; playedMs: number }[];
  heldMs?: number;
}

/** Recognisers date a whole segment: a word's time within it is a guess. */
const SEGMENT_MARGIN_MS = 400;
const SEGMENT_MARGIN_SHARE = 0.1;
const WORD_MARGIN_MS = 200;
const KEY_MARGIN_MS = 300;

/**
 * Learns from a call's journal and from what was found in its lines when the found words were heard.
 * A voice of which nothing was written down is taken out whole.
 */
export class SoundTimes {
  readonly #segments = new Map<string, Segment>();
  readonly #utterances = new Map<number, Utterance>();
  readonly #keys: number[] = [];
  readonly #voices: { readonly fromMs: number; toMs: number }[] = [];
  #playing: number | undefined;

  /** `spans`: those of each text of the line. */
  take({ type, at, data }: JournalLine, spans: readonly (readonly Span[])[]): void {
    const uttId = Number(data.uttId);
    switch (type) {
      case 'stt.interim':
      case 'stt.final':
        this.#segments.set(String(data.segId), {
          text: String(data.text),
          spans: spans[0] ?? [],
          startAt: Number(data.startAt),
          endAt: Math.max(Number(data.endAt), Number(data.startAt)),
        });
        return;
      case 'vad.start':
        this.#voices.push({ fromMs: Number(data.onsetAt), toMs: Number.POSITIVE_INFINITY });
        return;
      case 'vad.stop': {
        const voice = this.#voices.at(-1);
        if (voice) voice.toMs = Number(data.speechEndAt);
        return;
      }
      case 'dtmf':
        this.#keys.push(at);
        return;
      case 'tts.start': {
        const text = String(data.text);
        this.#utterances.set(uttId, { text, spans: spans[0] ?? [], words: [], anchors: [] });
        return;
      }
      case 'tts.words':
        this.#takeWords(uttId, data, spans[0] ?? []);
        return;
      case 'tts.done':
        this.#change(uttId, (utterance) => {
          utterance.totalMs = Number(data.totalMs);
        });
        return;
      case 'play.started':
        this.#playing = uttId;
        this.#change(uttId, ({ anchors }) => anchors.push({ at, playedMs: 0 }));
        return;
      case 'play.held':
        this.#change(uttId, (utterance) => {
          utterance.heldMs = Number(data.playedMs);
        });
        return;
      case 'play.release':
        if (this.#playing !== undefined)
          this.#change(this.#playing, ({ anchors, heldMs }) => {
            if (heldMs !== undefined) anchors.push({ at, playedMs: heldMs });
          });
    }
  }

  /** The parts to be taken out, in order. `isCleared`: numbers of such a text turned out to be nothing. */
  parts(isCleared: (text: string) => boolean): readonly SoundPart[] {
    const parts = [
      ...[...this.#segments.values()].flatMap((segment) => partsOf(segment, isCleared)),
      ...[...this.#utterances.values()].flatMap(partsOfUtterance),
      ...this.#unwritten(),
      ...this.#keys.map((at) => ({ fromMs: at - KEY_MARGIN_MS, toMs: at + KEY_MARGIN_MS })),
    ];
    const merged: { fromMs: number; toMs: number }[] = [];
    for (const { fromMs, toMs } of parts.toSorted((a, b) => a.fromMs - b.fromMs)) {
      const last = merged.at(-1);
      if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
      else merged.push({ fromMs: Math.max(0, fromMs), toMs });
    }
    return merged;
  }

  /** Where a voice was heard and nothing was written down: nobody knows what it said. */
  #unwritten(): readonly SoundPart[] {
    const segments = [...this.#segments.values()];
    return this.#voices.filter(
      ({ fromMs, toMs }) =>
        !segments.some(
          ({ startAt, endAt }) =>
            startAt - SEGMENT_MARGIN_MS < toMs && endAt + SEGMENT_MARGIN_MS > fromMs,
        ),
    );
  }

  #takeWords(uttId: number, data: JournalLine['data'], spans: readonly Span[]): void {
    const words = data.words as readonly { word: string; startMs: number; endMs: number }[];
    this.#change(uttId, (utterance) => {
      let at = 0;
      for (const { word, startMs, endMs } of words) {
        const [start, end] = [at, at + word.length];
        at = end + 1;
        const isSecret = spans.some((span) => span.start < end && span.end > start);
        utterance.words.push({ startMs, endMs, isSecret });
      }
    });
  }

  #change(uttId: number, change: (utterance: Utterance) => void): void {
    const utterance = this.#utterances.get(uttId);
    if (utterance) change(utterance);
  }
}

function partsOf(
  { text, spans, startAt, endAt }: Segment,
  isCleared: (text: string) => boolean,
): SoundPart[] {
  const durationMs = endAt - startAt;
  const margin = Math.max(SEGMENT_MARGIN_MS, durationMs * SEGMENT_MARGIN_SHARE);
  return spans
    .filter(({ label }) => label !== 'number' || !isCleared(text))
    .map(({ start, end }) => ({
      fromMs: Math.round(startAt + (start / text.length) * durationMs - margin),
      toMs: Math.round(startAt + (end / text.length) * durationMs + margin),
    }));
}

function partsOfUtterance({ text, spans, words, totalMs, anchors }: Utterance): SoundPart[] {
  if (anchors.length === 0 || spans.length === 0) return [];
  // A voice that dates no words: by their place in the text, else the whole.
  const dated =
    words.length > 0
      ? words.filter(({ isSecret }) => isSecret)
      : spans.map(({ start, end }) => ({
          startMs: totalMs === undefined ? 0 : (start / text.length) * totalMs - WORD_MARGIN_MS,
          endMs:
            totalMs === undefined
              ? Number.POSITIVE_INFINITY
              : (end / text.length) * totalMs + WORD_MARGIN_MS,
        }));
  const whole =
    words.length > 0 && dated.length === 0
      ? [{ startMs: 0, endMs: totalMs ?? Number.POSITIVE_INFINITY }]
      : dated;
  const instant = (playedMs: number): number => {
    const anchor = anchors.findLast((one) => one.playedMs <= playedMs) ?? anchors[0];
    return anchor ? anchor.at + playedMs - anchor.playedMs : playedMs;
  };
  return whole.map(({ startMs, endMs }) => ({
    fromMs: Math.round(instant(Math.max(0, startMs)) - WORD_MARGIN_MS),
    toMs: Math.round(instant(endMs) + WORD_MARGIN_MS),
  }));
}
