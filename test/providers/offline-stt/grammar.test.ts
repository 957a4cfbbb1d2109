import { expect, test } from 'vitest';
import { english } from '../../../src/providers/offline/stt/english.ts';
import {
  buildGrammar,
  type Grammar,
  MAX_PHRASES,
} from '../../../src/providers/offline/stt/grammar.ts';
import { inSmallDictionary, smallDictionary } from './small-dictionary.ts';

function build(phrases: string[], hints: string[] = [], topics: string[] = []): Grammar {
  return buildGrammar({
    language: english,
    phrases,
    topics,
    hints,
    knows: inSmallDictionary,
    // Only the small dictionary: any other word is unknown.
    pronounce: (word) => (inSmallDictionary(word) ? smallDictionary(word) : undefined),
  });
}

function rule(grammar: Grammar, name: string): string | undefined {
  return grammar.jsgf.split('\n').find((line) => line.startsWith(`<${name}>`));
}

test('a question is listened for as it is spoken', () => {
  const grammar = build(['How old is the Brooklyn Bridge?']);
  expect(rule(grammar, 'question')).toBe('<question> = ( how old is the brooklyn bridge );');
  expect(grammar.pronunciations.get('brooklyn')).toEqual(['SOUND-OF-brooklyn']);
  expect(rule(grammar, 'asked')).toContain('<question> [ <closing> ]');
});

test('both ways to say a contraction are listened for, whichever is written', () => {
  for (const written of ['What is that?', "What's that?"]) {
    expect(rule(build([written]), 'question')).toContain("( what is | what's ) that");
  }
});

test('punctuation is added where a phrase has none: it tells that the turn is over', () => {
  const written = build(['what is that', 'tell me', 'Stop!'], ['Brooklyn']).questions.map(
    (sentence) => sentence.written.join(' '),
  );
  expect(written).toEqual(['what is that?', 'tell me.', 'Stop!', 'Brooklyn']);
});

test('unknown words are named, and cost only their own phrase', () => {
  const grammar = build(['Where is the xylofoo?', 'Where is the quux xylofoo?', 'Where is that?']);
  expect(grammar.unknownWords.slice(0, 2)).toEqual(['xylofoo', 'quux']);
  expect(grammar.questions).toHaveLength(1);
});

test('the number of phrases is bounded, and what was dropped is told', () => {
  const digits = 'zero one two three four five six seven eight nine'.split(' ');
  const phrases = Array.from({ length: MAX_PHRASES + 20 }, (_, i) =>
    [...String(i)].map((digit) => digits[Number(digit)]).join(' '),
  );
  const grammar = build([...phrases, ...phrases]);
  expect(grammar.questions).toHaveLength(MAX_PHRASES);
  expect(grammar.droppedPhrases).toBe(20);
  expect(build([`${'no '.repeat(60)}?`]).droppedPhrases).toBe(1);
});

test('with nothing to be asked it still hears what anyone may say', () => {
  const grammar = build([]);
  expect(rule(grammar, 'question')).toBeUndefined();
  expect(grammar.jsgf).toContain('public <utterance> = /3/ <said> | /1/ <numbers>;');
  expect(rule(grammar, 'said')).toContain('( goodbye )');
});

test('topics stand once, after whatever people put before them, however many frames there are', () => {
  const grammar = build(
    ['Stop!'],
    [],
    ['Brooklyn Bridge', 'Where are you?', 'tell me', 'country.'],
  );
  expect(rule(grammar, 'topic')).toBe('<topic> = ( brooklyn bridge ) | ( tell me ) | ( country );');
  expect(rule(grammar, 'asked')).toContain('( /4/ <question> | /1/ <about> )');
  expect(grammar.jsgf.match(/<topic>/g)).toHaveLength(2);
  expect(rule(build([], [], ['country']), 'asked')).toContain('[ <ask> ] <about> [');
  expect(rule(build(['Stop!']), 'about')).toBeUndefined();
});

test('within a topic any article may stand for its own', () => {
  const grammar = build([], [], ['The old is the country']);
  expect(rule(grammar, 'topic')).toBe('<topic> = ( the old is <article> country );');
});

test('questions that are asked more often weigh more', () => {
  const before = rule(build([], [], ['country']), 'before') ?? '';
  const weightOf = (words: string) =>
    Number(new RegExp(`/([\\d.]+)/ \\( (?:\\( )?${words} `).exec(before)?.[1]);
  expect(weightOf('what is')).toBe(1);
  expect(weightOf('how is')).toBeGreaterThan(0);
  expect(weightOf('how is')).toBeLessThan(1e-4);
});

test('the number of topics is bounded', () => {
  const digits = 'zero one two three four five six seven eight nine'.split(' ');
  const topics = Array.from({ length: 600 }, (_, i) =>
    [...String(i)].map((digit) => digits[Number(digit)]).join(' '),
  );
  expect(build([], [], topics).topics).toHaveLength(150);
});
