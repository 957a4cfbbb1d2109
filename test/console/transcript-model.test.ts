import { expect, test } from 'vitest';
import { TranscriptModel } from '../../src/console/talk/transcript-model.ts';

function shown(model: TranscriptModel) {
  return model.lines.map(({ role, text, final, cut }) => ({ role, text, final, cut }));
}

test('an utterance is one line from its first interim to its final', () => {
  const model = new TranscriptModel();
  model.add({ role: 'user', text: 'what', final: false }, 0);
  model.add({ role: 'user', text: 'what is', final: false }, 10);
  model.add({ role: 'user', text: 'What is it?', final: true }, 20);
  expect(shown(model)).toEqual([{ role: 'user', text: 'What is it?', final: true, cut: false }]);
});

test('both sides may be open at once', () => {
  const model = new TranscriptModel();
  model.add({ role: 'assistant', text: 'We are', final: false }, 0);
  model.add({ role: 'user', text: 'no', final: false }, 0);
  model.add({ role: 'assistant', text: 'We are open', final: true }, 0);
  model.add({ role: 'user', text: 'No.', final: true }, 0);
  expect(shown(model).map(({ text }) => text)).toEqual(['We are open', 'No.']);
});

test('an interrupted reply shows the part that was heard, and is marked', () => {
  const model = new TranscriptModel();
  model.sounded();
  model.add({ role: 'assistant', text: 'We are open from', final: false }, 0);
  model.silenced();
  model.add({ role: 'assistant', text: 'We are open from nine', final: true }, 0);
  expect(shown(model)[0]).toMatchObject({ text: 'We are open from nine', cut: true });
});

test('a reply that was only held for a moment is not marked', () => {
  const model = new TranscriptModel();
  model.add({ role: 'assistant', text: 'We are', final: false }, 0);
  model.silenced();
  model.sounded();
  model.add({ role: 'assistant', text: 'We are open.', final: true }, 0);
  expect(shown(model)[0]).toMatchObject({ cut: false });
});

test('a caller who goes on after the pause keeps one line', () => {
  const model = new TranscriptModel();
  model.add({ role: 'user', text: 'my number is five', final: true }, 0);
  model.add({ role: 'user', text: 'my number is five five', final: true }, 0);
  model.add({ role: 'user', text: 'hello', final: true }, 0);
  expect(shown(model).map(({ text }) => text)).toEqual(['my number is five five', 'hello']);
});

test('an interim text that turns out to be no speech disappears', () => {
  const model = new TranscriptModel();
  model.add({ role: 'user', text: 'uh', final: false }, 0);
  expect(model.add({ role: 'user', text: '', final: true }, 0).text).toBe('');
  expect(shown(model)).toEqual([]);
});
