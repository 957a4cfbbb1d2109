import { expect, test } from 'vitest';
import type { CallState } from '../../src/engine/state/call-state.ts';
import type { Reply } from '../../src/engine/state/reply.ts';
import { isAboutThis } from '../../src/engine/turn/topic.ts';

const about = (word: string, spoken: string, before: readonly string[] = []) =>
  isAboutThis(
    [word],
    {
      entries: before.map((text) => ({ role: 'user', messageId: 'm', text, at: 0 })),
    } as unknown as CallState,
    { utterances: [{ text: spoken }] } as unknown as Reply,
  );

test.each([
  ['table', 'We have a table.', true],
  ['tables', 'We have a table.', true],
  ['table', 'We have tables.', true],
  ['tabled', 'We have a table.', true],
  // The last letter may be another one, the first four may not.
  ['baker', 'We have bakes.', true],
  ['taboo', 'We have a table.', false],
  ['opening', 'We open at nine.', false],
  ['tablet', 'A tabloid.', false],
  ['openly', 'We open at nine.', true],
  ['room', 'The rooms are free.', true],
  ['roof', 'The rooms are free.', false],
  // Words of three letters tell nothing.
  ['tea', 'We have tea.', false],
  ['chair', 'We have a table.', false],
])('[B16] %j after %j names something of the conversation: %s', (word, spoken, is) => {
  expect(about(word, spoken)).toBe(is);
});

test('[B16] of what was said before, the last six messages count', () => {
  const later = (count: number) => ['A table.', ...Array.from({ length: count }, () => 'Yes.')];
  expect(about('table', 'Sure.', later(5))).toBe(true);
  expect(about('table', 'Sure.', later(6))).toBe(false);
});
