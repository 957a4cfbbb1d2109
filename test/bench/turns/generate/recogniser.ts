import type { Hearing, Script } from '../script.ts';
import { RECOGNISERS, type RecogniserName } from '../vendor-profiles.ts';
import { part, type Stage, script, turn } from './stage.ts';

const SORTS = [
  'another vendor',
  'another vendor',
  'final after the commit',
  'split final',
  'reordered finals',
  'no final',
  'no voice activity',
  'voice without words',
  'rewritten interims',
  'stall',
] as const;

/** Recognisers that are late, or odd, or both. */
export function recogniser(stage: Stage): Script {
  const { random, phrases } = stage;
  const sort = random.pick(SORTS);
  const names = Object.keys(RECOGNISERS).slice(1) as RecogniserName[];
  const text = random.pick(phrases.turns.filter((each) => each.split(' ').length >= 4));
  const silent = sort === 'voice without words';
  return script(stage, 'recogniser', {
    sort,
    recogniser: sort === 'another vendor' ? random.pick(names) : 'nova-3',
    hearing: hearingOf(sort, stage),
    acts: [
      turn(stage, text, silent ? { unanswered: true, kind: 'control' } : {}),
      turn(stage, random.pick(phrases.turns), { hearing: { text: 'normal', vad: 'normal' } }),
      turn(stage, '', { parts: [part(stage, text)], hearing: { text: 'normal', vad: 'normal' } }),
    ],
  });
}

function hearingOf(sort: (typeof SORTS)[number], { random }: Stage): Hearing {
  switch (sort) {
    case 'another vendor':
      return {};
    case 'final after the commit':
      return { finalExtraMs: Math.round(random.between(400, 1500)) };
    case 'split final':
      return { splitMs: Math.round(random.between(80, 900)) };
    case 'reordered finals':
      return { splitMs: Math.round(random.between(80, 500)), reorder: true };
    case 'no final':
      return { text: 'interims-only' };
    case 'no voice activity':
      return { vad: 'none' };
    case 'voice without words':
      return { text: 'none' };
    case 'rewritten interims':
      return { rewritten: 0.5 };
    case 'stall':
      return { text: 'final-only', finalExtraMs: 3000 };
  }
}
