import { expect, test } from 'vitest';
import type { LlmPart } from '../../src/ports/llm.ts';
import { mergeTexts } from '../../src/providers/openai-llm/merge-texts.ts';

const say = (text: string): LlmPart => ({ type: 'text', text });
const CALL: LlmPart = { type: 'tool-call', call: { id: '1', name: 'look', arguments: '{}' } };
const END: LlmPart = { type: 'finish', reason: 'stop' };

test('texts that follow each other are one, all else stays where it is', () => {
  expect([
    ...mergeTexts([say('We '), say('are '), say('open.'), CALL, say('One '), say('moment.'), END]),
  ]).toEqual([say('We are open.'), CALL, say('One moment.'), END]);
  expect([...mergeTexts([say('Yes.')])]).toEqual([say('Yes.')]);
  expect([...mergeTexts([])]).toEqual([]);
});

test('what was said before an error is told before it', () => {
  function* broken() {
    yield say('We ');
    yield say('are ');
    throw new Error('cut off');
  }
  const told: LlmPart[] = [];
  expect(() => {
    for (const part of mergeTexts(broken())) told.push(part);
  }).toThrow('cut off');
  expect(told).toEqual([say('We are ')]);
});
