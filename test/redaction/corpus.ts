import { REDACTION_KINDS, type RedactionKind } from '../../src/contract/redaction.ts';
import { findSpans } from '../../src/redaction/find-spans.ts';
import { type CorpusLanguage, TEMPLATES } from './corpus-templates.ts';
import { harmless, madeValue, type Random } from './corpus-values.ts';

export interface Sentence {
  readonly language: CorpusLanguage;
  readonly text: string;
  /** What is to be found; absent: nothing. */
  readonly planted?: { readonly kind: RedactionKind; readonly start: number; readonly end: number };
  /** No rule was written or changed by what is found in it. */
  readonly hidden: boolean;
}

/** Mulberry32. */
function seeded(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n: number) => Math.floor(next() * n);
  return { below, of: (list) => list[below(list.length)] as (typeof list)[number] };
}

const PER_LANGUAGE = 125;
const NEGATIVE_EVERY = 5;

/**
 * 500 sentences, a fifth of them without anything to find. Half of the templates of each kind are hidden, drawn by the
 * seed: their sentences judge, the others may be looked at while the rules are written.
 */
export function corpus(seed = 23): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const language of Object.keys(TEMPLATES) as CorpusLanguage[]) {
    const random = seeded(seed + language.charCodeAt(0) * 256 + language.charCodeAt(1));
    const templates = TEMPLATES[language];
    const hiddenOf = new Map(
      Object.entries(templates).map(([kind, list]) => [kind, halfOf(list.length, random)]),
    );
    for (let i = 0; i < PER_LANGUAGE; i++) {
      const isNegative = i % NEGATIVE_EVERY === 0;
      const kind = isNegative
        ? 'nothing'
        : (REDACTION_KINDS[i % REDACTION_KINDS.length] as RedactionKind);
      const list = templates[kind];
      // By turns one that may be seen and one that is hidden.
      const wanted = Math.floor(i / REDACTION_KINDS.length) % 2 === 0;
      const hiddenSet = hiddenOf.get(kind) as ReadonlySet<number>;
      const candidates = [...list.keys()].filter((index) => hiddenSet.has(index) === wanted);
      const template = list[random.of(candidates)] as string;
      if (kind === 'nothing') {
        sentences.push({ language, text: harmless(template, random), hidden: wanted });
        continue;
      }
      const value = madeValue(kind, language, random);
      const start = template.indexOf('{}');
      const text = template.replace('{}', () => value);
      sentences.push({
        language,
        text,
        planted: { kind, start, end: start + value.length },
        hidden: wanted,
      });
    }
  }
  return sentences;
}

function halfOf(length: number, random: Random): ReadonlySet<number> {
  const indexes = Array.from({ length }, (_, i) => i);
  const chosen = new Set<number>();
  while (chosen.size < Math.floor(length / 2)) chosen.add(random.of(indexes));
  return chosen;
}

export interface Score {
  planted: number;
  found: number;
  reported: number;
  right: number;
  readonly faults: string[];
}

/**
 * Recall and precision by kind. A planted value counts as found if every letter and digit of it is covered, under
 * whatever label; what is reported is right if it overlaps a planted value of that kind.
 */
export function score(sentences: readonly Sentence[]): ReadonlyMap<RedactionKind, Score> {
  const scores = new Map<RedactionKind, Score>(
    REDACTION_KINDS.map((kind) => [
      kind,
      { planted: 0, found: 0, reported: 0, right: 0, faults: [] },
    ]),
  );
  for (const { language, text, planted } of sentences) {
    const spans = findSpans(text, { language, kinds: REDACTION_KINDS });
    const isCovered = (at: number) => spans.some(({ start, end }) => at >= start && at < end);
    if (planted) {
      const of = scores.get(planted.kind) as Score;
      of.planted++;
      const letters = Array.from(
        { length: planted.end - planted.start },
        (_, i) => planted.start + i,
      ).filter((at) => /[\p{L}\p{N}]/u.test(text.charAt(at)));
      const needed =
        planted.kind === 'health'
          ? spans.some((span) => span.end > planted.start && span.start < planted.end)
          : letters.every(isCovered);
      if (needed) of.found++;
      else of.faults.push(`missed: ${text}`);
    }
    for (const { start, end, label } of spans) {
      const of = scores.get(label as RedactionKind) as Score;
      of.reported++;
      const isRight = planted?.kind === label && start < planted.end && end > planted.start;
      if (isRight) of.right++;
      else of.faults.push(`wrong (${text.slice(start, end)}): ${text}`);
    }
  }
  return scores;
}
