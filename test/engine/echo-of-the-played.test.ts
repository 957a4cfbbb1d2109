import { expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

const TEXT = 'Our shop is open from nine until six on every single day.';

/** A voice with word times reads a text, one word every 300 ms. Returns when it began too. */
const reading = (world: World = {}, text = TEXT) => {
  const call = new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      dtmfInput: true,
      welcome: { message: text, mode: 'assistant-speaks-first', interruptible: true },
      ...world.settings,
    },
  }).answer();
  while (call.of('play.start').length === 0) call.runTo(call.now + 10);
  return { call, from: call.farEnd.heard[0]?.from ?? 0 };
};

const recognised = (text: string, startAt: number) =>
  ({ type: 'stt.interim', segId: 'e', text, startAt, endAt: startAt + 400, conf: 0.6 }) as const;

const echoes = (call: CallHarness) => call.of('log').filter(({ note }) => note === 'echo');

/** When the word sounds, from the beginning of the text. */
const atOf = (word: string) => TEXT.split(' ').indexOf(word) * 300;

test.each([-100, 450])(
  '[C9] an echo of the last word that begins %d ms after it is one, though it is recognised only after the reply',
  (lag) => {
    const { call, from } = reading();
    const over = from + TEXT.split(' ').length * 300;
    call.at(over + 300, recognised('day', from + atOf('day.') + lag)).runTo(over + 2000);
    expect(echoes(call)).toHaveLength(1);
    expect(call.transcript).toEqual([`assistant: ${TEXT}`]);
  },
);

test('[C9] so is one of a piece that was over as the next one began, however late in the call', () => {
  const call = new CallHarness({
    model: () => ({ pieces: ['We are open until eleven.', 'What can I do for you?'] }),
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
    },
  }).answer();
  call.says(7000, 'Is it open?');
  while (call.farEnd.heard.length < 2) call.runTo(call.now + 10);
  const next = call.farEnd.heard[1]?.from ?? 0;
  call.at(next + 100, recognised('until', next - 500));
  call.at(next + 200, recognised('eleven', next - 200)).runTo(next + 600);
  expect(echoes(call).map(({ data }) => data)).toEqual([{ text: 'until' }, { text: 'eleven' }]);
  expect(call.of('play.hold')).toEqual([]);
});

test('[C9] words that a held reply would have said by then are the caller’s', () => {
  const { call, from } = reading();
  call.voice(from + 900, 3000);
  call.runTo(from + 2400);
  expect(call.of('play.hold')).toHaveLength(1);
  call.at(from + 2900, recognised('until six on every', from + atOf('until')));
  call.runTo(from + 3000);
  expect(echoes(call)).toEqual([]);
  expect(call.of('play.clear')).toHaveLength(1);
});

test('[C9] an echo of the word at which a key cut the reply off is one before the far end has counted', () => {
  const { call, from } = reading();
  // The far end has counted 350 ms before.
  const cut = from + atOf('until') + 150;
  call.at(cut, { type: 'dtmf', digit: '1' });
  call.at(cut + 10, recognised('until', from + atOf('until') + 450)).runTo(cut + 15);
  expect(call.of('play.clear').map(({ at }) => at)).toEqual([cut]);
  expect(echoes(call)).toHaveLength(1);
});
