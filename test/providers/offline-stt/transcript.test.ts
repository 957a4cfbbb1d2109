import { describe, expect, test } from 'vitest';
import { continuationOf } from '../../../src/providers/offline/stt/continuation.ts';
import { english } from '../../../src/providers/offline/stt/english.ts';
import { buildGrammar } from '../../../src/providers/offline/stt/grammar.ts';
import { createTranscriber } from '../../../src/providers/offline/stt/transcript.ts';
import { smallDictionary } from './small-dictionary.ts';

const grammar = buildGrammar({
  language: english,
  phrases: ['How old is the Brooklyn Bridge?', "What's your country?", 'Is 24/7 right?'],
  topics: [
    ...['Cancellation fee', 'Delivery', 'Open', 'How to pay?', 'a b c d e f g'],
    'Status of the last order',
  ],
  hints: ['Brooklyn'],
  knows: () => true,
  pronounce: (word) => (smallDictionary(word).length > 0 ? smallDictionary(word) : ['X']),
});
const transcriber = createTranscriber(grammar, english);

describe('whole sentences are written as the phrase is', () => {
  test.each([
    ['how old is the brooklyn bridge', 'How old is the Brooklyn Bridge?'],
    ['what is your country', "What's your country?"],
    ["what's your country", "What's your country?"],
    ['is twenty four seven right', 'Is 24/7 right?'],
    ['brooklyn', 'Brooklyn'],
    ['hello how old is the brooklyn bridge', 'Hello, how old is the Brooklyn Bridge?'],
    [
      'hi so can you tell me how old is the brooklyn bridge please',
      'Hi, so, can you tell me how old is the Brooklyn Bridge, please?',
    ],
    ['excuse me what is your country thank you', "Excuse me, what's your country, thank you?"],
    ['no thank you', 'No, thank you.'],
    ["that's all", "That's all."],
    ['what is the cancellation fee', 'What is the Cancellation fee?'],
    ['how much does delivery cost please', 'How much does Delivery cost, please?'],
    ['hello can you tell me about your delivery', 'Hello, can you tell me about your Delivery.'],
    ['what is the status of my last order', 'What is the Status of my last order?'],
    ['what is my status of the last order', 'What is my Status of the last order?'],
    ['when do you open', 'when do you open', 'start'],
    ['when is open', 'When is Open?'],
    ['what is how to pay', 'what is how to pay', 'start'],
    ['thank you bye', 'Thank you, bye.'],
  ])('%s', (words, text, kind = 'sentence') => {
    expect(transcriber.write(words.split(' '), true)).toEqual({ text, kind });
  });
});

describe('numbers', () => {
  test.each([
    ['two nine three four zero', '29340'],
    ['five oh five', '505'],
    ['five five', 'five five'],
    ['thirty three four', 'thirty three four'],
  ])('%s', (words, text) => {
    expect(transcriber.write(words.split(' '), true)).toEqual({ text, kind: 'number' });
  });
});

describe('starts have no punctuation at their end', () => {
  test.each([
    ['how old is the', 'How old is the', 'start'],
    ['hello how old', 'Hello, how old', 'start'],
    ['is twenty four', 'Is', 'start'],
    ['can you tell me', 'Can you tell me', 'start'],
    ['yes', 'Yes', 'sentence'],
    ['how old is the brooklyn bridge', 'How old is the Brooklyn Bridge', 'sentence'],
  ])('%s', (words, text, kind) => {
    expect(transcriber.write(words.split(' '), false)).toEqual({ text, kind });
  });
});

test('what continues told words is only what they lack', () => {
  expect(continuationOf('How old is the Brooklyn Bridge?', 'How old is')).toBe(
    'the Brooklyn Bridge?',
  );
  expect(continuationOf('Hello, what is it?', 'hello what')).toBe('is it?');
  expect(continuationOf('What is it?', 'How old')).toBe('What is it?');
  expect(continuationOf('What is it?', '')).toBe('What is it?');
});
