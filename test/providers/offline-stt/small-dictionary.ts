import type { LookUp } from '../../../src/providers/offline/stt/pronounce.ts';

const WORDS =
  `how old is the brooklyn bridge what your country can do for you where are located tell me please
  thanks thank hello hi um uh so okay well yes no i would like to know i'd what's is that's that all right not
  don't stop wait bye goodbye web site book side`.split(/\s+/);

const NUMBERS =
  `zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
  sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
  million`.split(/\s+/);

const SOUNDS = new Map([...WORDS, ...NUMBERS].map((word) => [word, [`SOUND-OF-${word}`]] as const));

/** A dictionary of a few words; what a word sounds like is made up. */
export const smallDictionary: LookUp = (word) => SOUNDS.get(word) ?? [];

export const inSmallDictionary = (word: string): boolean => SOUNDS.has(word);
