import type { Part, Script } from '../script.ts';
import { part, pieces, type Stage, script, turn } from './stage.ts';

/** Turns without a pause; two of them in a call. */
export function clean(stage: Stage): Script {
  const { random, phrases } = stage;
  const exchange = random.pick(phrases.exchanges);
  const short = random.chance(0.3);
  const first = random.pick(phrases.turns);
  const second = short ? random.pick(exchange.answers) : random.pick(phrases.turns);
  const reply = random.pick(phrases.replies);
  const asking = short ? `${reply} ${exchange.question}` : reply;
  return script(stage, 'clean', {
    sort: short ? 'short answer' : 'turns',
    acts: [turn(stage, first), turn(stage, second)],
    plan: {
      replies: [{ pieces: pieces(asking) }, { pieces: pieces(random.pick(phrases.replies)) }],
    },
  });
}

/** Turns with silences in them, as people have who think while they speak. */
export function pauses(stage: Stage): Script {
  const { random, phrases } = stage;
  const draw = random.next();
  const sort = draw < 0.62 ? 'pause' : draw < 0.85 ? 'hesitation' : 'self-correction';
  const long = phrases.turns.filter((text) => text.split(' ').length >= 5);
  const parts =
    sort === 'self-correction'
      ? random
          .pick(phrases.corrections)
          .split('|')
          .map((text) => part(stage, text.trim(), pauseMs(stage)))
      : broken(stage, random.pick(long), sort === 'hesitation');
  return script(stage, 'pauses', {
    sort,
    acts: [turn(stage, '', { parts: parts.map(lastWithout), whenCutIn: insistence(stage) })],
  });
}

/** Half of the callers who are cut in on say the rest all the same. */
export const insistence = ({ random }: Stage) => (random.chance(0.5) ? 'insist' : 'yield');

export const lastWithout = (each: Part, i: number, all: readonly Part[]): Part =>
  i === all.length - 1 ? { ...each, pauseMs: 0 } : each;

const pauseMs = ({ random }: Stage) => Math.min(4000, Math.max(100, random.lognormal(420, 1400)));

// Pauses prefer the ends of clauses but spare no place; a hesitation is heard before its silence.
function broken(stage: Stage, text: string, hesitates: boolean): Part[] {
  const { random, phrases } = stage;
  const words = text.split(' ');
  const count = Math.min(random.pick([1, 1, 1, 2, 2, 3]), Math.floor(words.length / 2));
  const places = new Set<number>();
  const clauses = words.flatMap((word, i) =>
    i < words.length - 1 && /[,.!?;]$/.test(word) ? [i + 1] : [],
  );
  while (places.size < count) {
    const atClause = clauses.length > 0 && random.chance(0.45);
    places.add(atClause ? random.pick(clauses) : random.int(1, words.length - 1));
  }
  const cuts = [0, ...[...places].sort((a, b) => a - b), words.length];
  const hesitation = hesitates ? random.int(1, count) : 0;
  return cuts.slice(1).map((to, i) => {
    const said = words.slice(cuts[i], to).join(' ');
    if (i + 1 !== hesitation) return part(stage, said, pauseMs(stage));
    const filled = `${said.replace(/[.,!?;]+$/, '')} ${random.pick(phrases.hesitations)}`;
    return part(stage, filled, random.between(600, 2500));
  });
}
