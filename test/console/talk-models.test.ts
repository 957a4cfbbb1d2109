import { describe, expect, test } from 'vitest';
import { unheardRest } from '../../src/console/talk/unheard.ts';

describe('the unheard part of a reply', () => {
  interface Command {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }
  const say = (uttId: number, text: string): Command => ({
    type: 'tts.start',
    data: { uttId, text },
  });
  const giveUp = (uttId: number): Command => ({ type: 'tts.cancel', data: { uttId } });
  const clear: Command = { type: 'play.clear', data: {} };
  const log = (...commands: readonly Command[]): string =>
    commands
      .map(
        (command, seq) =>
          `${JSON.stringify({ seq, at: seq * 100, kind: 'command', ...command })}\n`,
      )
      .join('');

  test('is the rest of the text sent to synthesis when the reply was interrupted', () => {
    const said = log(say(1, 'Hello.'), say(2, 'We are open'), say(3, 'from nine to five.'), clear);
    expect(unheardRest(said, 'We are open from nine')).toBe('to five.');
  });

  test('ends where playback was cleared: the next answer is no part of it', () => {
    const said = log(
      say(1, 'We are open'),
      say(2, 'from nine to five.'),
      clear,
      say(3, 'On Sundays we are closed.'),
      say(4, 'Anything else?'),
    );
    expect(unheardRest(said, 'We are open from nine')).toBe('to five.');
    expect(unheardRest(said, 'On Sundays')).toBeUndefined();
  });

  test('belongs to the latest reply that begins with the heard text', () => {
    const said = log(
      say(1, 'We are open'),
      say(2, 'from nine to five.'),
      clear,
      say(3, 'We are open'),
      say(4, 'all night.'),
      clear,
    );
    expect(unheardRest(said, 'We are open all')).toBe('night.');
    expect(unheardRest(said, 'We are open from')).toBe('nine to five.');
  });

  test('leaves out a draft that was cancelled before', () => {
    const said = log(say(1, 'One moment.'), say(2, 'A draft.'), giveUp(2), say(3, 'Go on.'), clear);
    expect(unheardRest(said, 'One')).toBe('moment. Go on.');
  });

  test('is undefined if no reply begins with the heard text, or if all was heard', () => {
    expect(unheardRest(log(say(1, 'Hello.'), clear), 'Goodbye')).toBeUndefined();
    expect(unheardRest(log(say(1, 'Hello.'), clear), 'Hello.')).toBeUndefined();
    expect(unheardRest('', 'Hello')).toBeUndefined();
  });
});
