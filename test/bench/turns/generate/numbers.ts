import type { Phrases } from '../phrases/phrases.ts';
import type { Random } from '../random.ts';
import type { Script } from '../script.ts';
import { part, type Stage, script, turn } from './stage.ts';
import { insistence, lastWithout } from './turns.ts';

const SORTS = ['phone', 'phone', 'card', 'code', 'date', 'email', 'spelling', 'open'] as const;
type Sort = (typeof SORTS)[number];

/** Values dictated in groups, slowly, with the recogniser's full stops between them. */
export function numbers(stage: Stage): Script {
  const { random, phrases } = stage;
  const sort = random.pick(SORTS);
  const written = random.chance(0.6);
  const groups = groupsOf(sort, phrases, random).map((group) =>
    /^\d+$/.test(group) && !written ? spoken(group, phrases) : group,
  );
  const lead = sort === 'open' ? '' : random.pick(phrases.leads);
  const parts = groups.map((group, i) =>
    part(stage, i === 0 && lead !== '' ? `${lead} ${group}` : group, random.between(500, 1600)),
  );
  return script(stage, 'numbers', {
    sort,
    welcome: phrases.asks[sort],
    acts: [
      turn(stage, '', {
        parts: parts.map((each) => ({ ...each, ms: slow(each.text, each.ms) })).map(lastWithout),
        whenCutIn: insistence(stage),
      }),
    ],
  });
}

// A digit takes as long to say as a word, however it is written.
const slow = (text: string, ms: number) => Math.max(ms, (text.match(/\d/g)?.length ?? 0) * 260);

const spoken = (group: string, { digits }: Phrases) =>
  [...group].map((digit) => digits[Number(digit)]).join(' ');

function groupsOf(sort: Sort, phrases: Phrases, random: Random): string[] {
  const digits = (n: number) => Array.from({ length: n }, () => random.int(0, 9)).join('');
  switch (sort) {
    case 'phone':
      return phoneGroups(phrases.language, digits, random);
    case 'open':
      return [phrases.offer, ...phoneGroups(phrases.language, digits, random)];
    case 'card':
      return random.chance(0.8)
        ? [digits(4), digits(4), digits(4), digits(4)]
        : [`4${digits(7)}`, digits(8)];
    case 'code':
      return random.pick([
        [digits(3), digits(3)],
        [digits(2), digits(2), digits(2)],
        [`${random.pick(['A', 'B', 'K', 'R'])} ${random.pick(['X', 'T', 'M'])}`, digits(4)],
      ]);
    case 'date':
      return [
        `${random.int(1, 28)} ${random.pick(phrases.months)}`,
        String(random.int(1940, 2008)),
      ];
    case 'email': {
      const [first, second] = [random.pick(phrases.names), random.pick(phrases.names)];
      const domain = random.pick(['gmail', 'outlook', 'web', 'example']);
      return [
        `${first} ${phrases.dot} ${second}`,
        `${phrases.at} ${domain}`,
        `${phrases.dot} ${random.pick(['com', 'net', 'org'])}`,
      ];
    }
    case 'spelling': {
      const letters = [...random.pick(phrases.names)].map((letter) => letter.toUpperCase());
      const middle = Math.ceil(letters.length / 2);
      return [letters.slice(0, middle).join(' '), letters.slice(middle).join(' ')];
    }
  }
}

function phoneGroups(language: string, digits: (n: number) => string, random: Random): string[] {
  if (language === 'fr-FR') return ['06', digits(2), digits(2), digits(2), digits(2)];
  if (language === 'es-ES') return [`6${digits(2)}`, digits(3), digits(3)];
  if (language === 'de-DE') return [`01${digits(2)}`, digits(3), digits(2), digits(2)];
  return random.pick([
    [digits(3), digits(3), digits(4)],
    [digits(3), digits(3), digits(2), digits(2)],
  ]);
}
