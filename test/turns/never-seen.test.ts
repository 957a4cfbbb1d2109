import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { languageOf } from '../../src/engine/language/language.ts';
import { wordsOf } from '../../src/engine/language/words.ts';
import { NEVER_SEEN } from '../bench/turns/phrases/never-seen.ts';

const ROOT = new URL('../../', import.meta.url);

test('nothing but the corpus of the bench reads the phrases that are never seen', () => {
  const readers = ['src/', 'test/'].flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}${name}`)
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => readFileSync(new URL(name, ROOT), 'utf8').includes('never-seen.ts')),
  );
  expect(readers.sort()).toEqual([
    'test/bench/turns/generate/stage.ts',
    'test/turns/never-seen.test.ts',
  ]);
});

test.each(Object.entries(NEVER_SEEN))(
  '%s: most of its backchannels stand in no list of ours',
  (tag, phrases) => {
    const { backchannels } = languageOf([tag]);
    const unlisted = phrases.backchannels.filter((said) => !backchannels.covers(wordsOf(said)));
    expect(unlisted.length / phrases.backchannels.length).toBeGreaterThan(0.5);
  },
);
