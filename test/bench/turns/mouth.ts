import type { CallEvent } from '../../../src/engine/machine/events.ts';
import type { Random } from './random.ts';
import type { Hearing, Part } from './script.ts';
import { RECOGNISERS, type RecogniserName, sampleLatency } from './vendor-profiles.ts';

interface Deps {
  readonly later: (at: number, act: () => void) => void;
  readonly emit: (event: CallEvent) => void;
  readonly random: Random;
  readonly recogniser: RecogniserName;
}

/** Pauses shorter than this are none to the voice activity: its own stop time. */
const VAD_STOP_MS = 200;
/** Silence at which a recogniser can be asked for its final text, and those that can. */
const LULL_MS = 120;
const FLUSHED: readonly RecogniserName[] = ['nova-3', 'universal'];

/** A detector that is not yet sure has a doubt after its first window (32 ms) and 20 ms of work. */
const MAYBE_MS = [35, 65] as const;

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** One stretch of the recogniser's, from a voice's start to its stop. */
interface Segment {
  readonly id: string;
  readonly from: number;
  readonly words: Word[];
}

/**
 * Sound of the caller's side as voice activity and recogniser report it: onsets noticed late, stops after
 * their silence, interims that lag and are rewritten, finals when the vendor has them.
 */
export class Mouth {
  readonly #deps: Deps;
  readonly #hearing: Hearing;
  readonly #id: string;
  #segment: Segment | undefined;
  #segments = 0;
  /** Voice activity has noticed the voice and not yet its end. */
  #noticed = false;
  /** The silence that is reported just now. */
  #lull: { readonly from: number; readonly last: boolean } | undefined;
  /** Changes with every part; what an earlier one still had to report is void. */
  #run = 0;
  /** From the end of speech to the last final. */
  tailMs = 0;

  constructor(id: string, hearing: Hearing, deps: Deps) {
    this.#id = id;
    this.#hearing = hearing;
    this.#deps = deps;
  }

  /** A part begins to sound; `last`: nothing follows it. */
  begin(part: Part, at: number, last: boolean): void {
    const end = at + part.ms;
    this.#run++;
    if (this.#noticed) this.#alive(at, end);
    else this.#notice(at, end);
    this.#segment ??= { id: `${this.#id}.${++this.#segments}`, from: at, words: [] };
    this.#segment.words.push(...wordTimes(part.text, at, part.ms));
    this.#interims(this.#segment, at, end);
    this.#stop(end, last);
  }

  /** The caller breaks off: what was said so far is all there is. */
  cut(at: number): void {
    this.#run++;
    const { words } = this.#segment ?? { words: [] };
    words.splice(0, words.length, ...words.filter(({ from, to }) => at >= (from + to) / 2));
    this.#stop(at, true);
  }

  /** The recogniser is asked for its final text at a lull. */
  flush(): void {
    if (this.#lull) this.#finish(this.#lull.from, this.#lull.last, LULL_MS);
  }

  /** Happens unless the sound has gone another way by then. */
  #then(at: number, act: () => void): void {
    const run = this.#run;
    this.#deps.later(at, () => {
      if (run === this.#run) act();
    });
  }

  #notice(at: number, end: number): void {
    if (this.#hearing.vad === 'none') return;
    const { emit, random } = this.#deps;
    const { vadLagMs } = this.#hearing;
    const lag = vadLagMs ?? random.between(60, 120);
    if (lag >= end - at) return;
    const onsetAt = Math.round(at + (vadLagMs === undefined ? random.between(-20, 30) : lag - 80));
    this.#then(at + Math.min(lag, random.fork('maybe', at).between(...MAYBE_MS)), () =>
      emit({ type: 'vad.maybe', db: 0 }),
    );
    this.#then(at + lag, () => {
      this.#noticed = true;
      emit({ type: 'vad.start', onsetAt: Math.max(0, onsetAt) });
    });
    this.#alive(at + lag, end);
  }

  #alive(from: number, end: number): void {
    if (this.#hearing.vad === 'none') return;
    for (let t = from + 500; t < end; t += 500) {
      this.#then(t, () => this.#deps.emit({ type: 'vad.alive' }));
    }
  }

  #stop(end: number, last: boolean): void {
    const { random, emit } = this.#deps;
    const speechEndAt = Math.round(end + random.between(-20, 20));
    // Without voice activity the recogniser has to find the silence by itself.
    const unaided = this.#hearing.vad === 'none' ? 150 : 0;
    if (FLUSHED.includes(this.#deps.recogniser)) {
      this.#then(end + LULL_MS + random.fork('lull', end).between(0, 30), () => {
        if (!this.#noticed) return;
        this.#lull = { from: end, last };
        emit({ type: 'vad.lull' });
        this.#lull = undefined;
      });
    }
    this.#then(end + VAD_STOP_MS + unaided + random.between(0, 30), () => {
      if (this.#noticed) emit({ type: 'vad.stop', speechEndAt });
      this.#noticed = false;
      this.#finish(end + unaided, last);
    });
  }

  #interims(segment: Segment, at: number, end: number): void {
    const { text: kind, rewritten = 0.15 } = this.#hearing;
    if (kind === 'none' || kind === 'final-only') return;
    const { random, emit } = this.#deps;
    const lag = random.between(120, 260);
    let before = '';
    for (let t = at + random.between(180, 320); t < end + 160; t += random.between(120, 300)) {
      const said = segment.words.filter(({ to }) => to <= t - lag);
      let texts = said.map(({ text }) => bare(text));
      if (texts.length > 0 && random.chance(rewritten)) {
        texts = [...texts.slice(0, -1), misheard(texts.at(-1) as string, random)];
      }
      const text = texts.join(' ');
      if (text === before) continue;
      before = text;
      const endAt = Math.round(said.at(-1)?.to ?? at);
      const startAt = Math.round(segment.from);
      this.#then(t, () =>
        emit({ type: 'stt.interim', segId: segment.id, text, startAt, endAt, conf: 0.8 }),
      );
    }
  }

  // The recogniser takes what it heard since the last silence for a stretch of its own.
  #finish(end: number, last: boolean, askedAfterMs = VAD_STOP_MS): void {
    const segment = this.#segment;
    this.#segment = undefined;
    const { text, finalExtraMs = 0, splitMs, reorder } = this.#hearing;
    if (!segment || segment.words.length === 0) return;
    if (text === 'none' || text === 'interims-only') return;
    const { random, later } = this.#deps;
    const usualMs = sampleLatency(RECOGNISERS[this.#deps.recogniser], random) + finalExtraMs;
    const tailMs = usualMs - (VAD_STOP_MS - askedAfterMs);
    if (last) this.tailMs = tailMs + (splitMs ?? 0);
    const at = end + Math.max(askedAfterMs, tailMs);
    const { words } = segment;
    if (splitMs === undefined || words.length < 2) {
      later(at, () => this.#give(segment.id, words, last));
      return;
    }
    const middle = Math.ceil(words.length / 2);
    const [first, second] = reorder ? [at + splitMs, at] : [at, at + splitMs];
    later(first, () => this.#give(segment.id, words.slice(0, middle), false));
    later(second, () => this.#give(`${segment.id}b`, words.slice(middle), last));
  }

  #give(segId: string, words: readonly Word[], last: boolean): void {
    const { random, emit } = this.#deps;
    const [first] = words;
    const final = words.at(-1);
    if (!first || !final) return;
    emit({
      type: 'stt.final',
      segId,
      text: written(words, this.#hearing, last, random),
      startAt: Math.round(first.from),
      endAt: Math.round(final.to),
      conf: 0.95,
    });
  }
}

/** Each word gets time by its length. */
export function wordTimes(text: string, at: number, ms: number): Word[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const weights = words.map((word) => 2 + bare(word).length);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let from = at;
  return words.map((word, i) => {
    const to = from + (ms * (weights[i] as number)) / total;
    const timed = { text: word, from, to };
    from = to;
    return timed;
  });
}

const bare = (word: string) => word.replace(/[.,!?;:…¿¡]+$/u, '').replace(/^[¿¡]+/u, '');

function misheard(word: string, random: Random): string {
  return word.length > 3 ? word.slice(0, random.int(2, word.length - 1)) : `${word}s`;
}

/** A final as vendors write it: their own full stop at the end of any stretch, or no marks at all. */
function written(
  words: readonly Word[],
  { punctuation = 'full', fullStops = 0.25 }: Hearing,
  last: boolean,
  random: Random,
): string {
  if (punctuation === 'none') return words.map(({ text }) => bare(text)).join(' ');
  const texts = words.map(({ text }) => text);
  const tail = bare(texts.at(-1) as string);
  const own = (texts.at(-1) as string).slice(tail.length);
  const sure = last || /[.!?]$/.test(own) ? 0.92 : 0;
  let mark = own;
  if (sure > 0) mark = random.chance(sure) ? own : '';
  else if (own === '' || own === ',')
    mark = random.chance(fullStops) ? '.' : random.chance(0.35) ? ',' : own;
  return [...texts.slice(0, -1), `${tail}${mark}`].join(' ');
}
