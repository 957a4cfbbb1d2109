import { describe, expect, test } from 'vitest';
import { CONSTANTS } from '../../src/engine/settings/constants.ts';
import { CallHarness, type World } from '../support/call-harness.ts';
import { callSettings } from '../support/call-settings.ts';

const quiet = (world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();

describe('the reply', () => {
  test('[A2] is voiced piece by piece, in order, two at most ahead of the ear', () => {
    const pieces = [
      'One is here.',
      'Two is here.',
      'Three is here.',
      'Four is here.',
      'Five is here.',
    ];
    const call = quiet({ model: () => ({ pieces }) });
    call.says(1000, 'Is it open?');
    call.runTo(2600);
    expect(call.of('tts.start').map(({ text }) => text)).toEqual(pieces.slice(0, 3));
    call.runTo(12_000);
    expect(call.spoken).toEqual(pieces);
    expect(call.messages.at(-1)).toEqual({ role: 'assistant', text: pieces.join(' ') });
    const gaps = call.farEnd.heard
      .slice(1)
      .map(({ from }, i) => from - (call.farEnd.heard[i]?.to ?? 0));
    expect(gaps).toEqual([0, 0, 0, 0]);
  });

  test.each([0, 400, 1500])(
    '[A3] no audio before the end of a closed question + %d ms, and no more wait than that',
    (waitMs) => {
      const call = quiet();
      const settings = { ...call.settings.startSpeaking, waitMs };
      const tuned = quiet({ settings: { startSpeaking: settings } });
      const end = tuned.says(1000, 'Is it open?');
      tuned.runTo(9000);
      const committed = tuned.of('llm.start')[0]?.at ?? 0;
      // The model takes 200 ms and the voice 100, in parallel with the wait.
      expect(tuned.farEnd.heard[0]?.from).toBe(Math.max(committed + 300, end + waitMs));
    },
  );

  test('[A3] where the caller may well go on, the wait begins with the commit', () => {
    const call = quiet();
    call.says(1000, 'I would like to come on Monday');
    call.runTo(9000);
    const committed = call.of('llm.adopt')[0]?.at ?? call.of('llm.start')[0]?.at ?? 0;
    expect(call.farEnd.heard[0]?.from).toBe(committed + 400);
  });

  test.each([
    [400, 1750],
    [2500, 2500],
  ])(
    '[A3] a long silence needs no second wait: %d ms of it sound %d ms after the end',
    (waitMs, ms) => {
      const { startSpeaking, welcome } = callSettings();
      const call = new CallHarness({
        settings: {
          startSpeaking: { ...startSpeaking, waitMs },
          welcome: { ...welcome, message: 'Could you spell your name?' },
          drafts: true,
        },
      }).answer();
      const end = call.says(4000, 'A N N');
      call.runTo(9000);
      expect(call.of('llm.adopt')[0]?.at).toBe(end + 1750);
      expect(call.farEnd.heard[1]?.from).toBe(end + ms);
    },
  );

  test('[A3] its message is dated by its first audio, and the turn tells where the time went', () => {
    const call = quiet();
    const end = call.says(1000, 'Is it open?');
    call.runTo(9000);
    expect(call.of('turn.metrics')[0]?.metrics).toEqual({
      turn: 1,
      endpointMs: 200,
      recogniserMs: 150,
      modelMs: 400,
      voiceMs: 500,
      totalMs: 500,
    });
    const [opened] = call
      .of('transcript.append')
      .filter(({ message }) => message.role === 'assistant');
    expect(opened?.message.at).toBe(end + 500);
  });

  test('[H1] [H3] [H4] cut without word times: by the share that was played, never the whole', () => {
    const text = 'We are open from nine to six on every day but Sunday.';
    const call = quiet({ wordTimes: false, model: (_t, n) => (n === 0 ? text : 'Sure.') });
    const end = call.says(1000, 'When is it open?');
    call.says(end + 1600, 'Tell me the address.');
    call.runTo(15_000);
    const cut = call.messages[1]?.text ?? '';
    expect(cut).not.toBe('');
    expect(text.startsWith(cut)).toBe(true);
    expect(cut.length).toBeLessThan(text.length / 2);
  });

  test('[H5] a reply of which nothing was heard leaves no message, and the turns become one', () => {
    const call = quiet({ modelMs: 1500, model: (text) => `You said ${text}` });
    const end = call.says(1000, 'Is it open?');
    call.says(end + 1000, 'On Sunday?');
    call.runTo(15_000);
    expect(call.transcript).toEqual([
      'user: Is it open? On Sunday?',
      'assistant: You said Is it open? On Sunday?',
    ]);
  });

  test('[H6] a reply counts as said in full only when it was played to its end', () => {
    const call = quiet({ model: () => 'We are open from nine to six.' });
    call.says(1000, 'Is it open?');
    call.runTo(2900);
    expect(call.transcript.at(-1)).not.toContain('six.');
    call.runTo(9000);
    expect(call.transcript.at(-1)).toBe('assistant: We are open from nine to six.');
    expect(call.of('transcript.patch').at(-1)?.frozen).toBe(true);
  });
});

test('[H6] what was played to its end was heard in full, though the voice timed only some of its words', () => {
  const call = quiet({ wordTimes: false, model: () => 'We open at nine.' });
  const end = call.says(1000, 'Is it open?');
  call.at(end + 800, {
    type: 'tts.words',
    uttId: 1,
    words: [{ word: 'We', startMs: 0, endMs: 300 }],
  });
  call.runTo(end + 8000);
  expect(call.of('tts.start').map(({ uttId }) => uttId)).toEqual([1]);
  expect(call.transcript).toEqual(['user: Is it open?', 'assistant: We open at nine.']);
});

test('[E6] [H6] what ended without having sounded was not heard', () => {
  const call = quiet({ model: () => ({ pieces: ['We open at nine. ', 'We close at six.'] }) });
  const end = call.says(1000, 'Is it open?');
  while (call.of('play.start').length < 2) call.runTo(call.now + 10);
  call.freezePlayback();
  call.at(call.now + 10, { type: 'play.finished', uttId: 1 });
  call.at(call.now + 10, { type: 'play.finished', uttId: 2 });
  call.runTo(end + 4000);
  expect(call.transcript).toEqual(['user: Is it open?', 'assistant: We open at nine.']);
  expect(call.call.view.assistant).toBe('idle');
});

test('[K3] an answer that follows one of which nothing was heard has patience of its own', () => {
  const call = quiet({ model: () => ({ silent: true }) });
  call.says(1000, 'Is it open?');
  while (call.of('llm.start').length === 0) call.runTo(call.now + 10);
  const end = call.says(call.now + 1500, 'On Sunday I mean, and in the evening?');
  call.runTo(end + 20_000);
  const second = call.of('llm.start')[1]?.at ?? 0;
  const hangs = call.of('webhook').filter(({ kind }) => kind === 'hang');
  expect(hangs.map(({ at }) => at)).toEqual([second + CONSTANTS.hangMs]);
  expect(call.of('tts.start')[0]?.at).toBe(second + CONSTANTS.thinkMaxMs);
});

describe('say', () => {
  test('[Y1] at rest it is said at once', () => {
    const call = quiet().at(1000, { type: 'control.say', text: 'A notice.' });
    call.runTo(4000);
    expect(call.of('control.accepted')).toHaveLength(1);
    expect(call.farEnd.heard[0]?.from).toBe(1100);
    expect(call.transcript).toEqual(['assistant: A notice.']);
  });

  test('[Y1] while the answer is due it comes before it; while one sounds, after it', () => {
    const call = quiet({ modelMs: 1500 });
    const end = call.says(1000, 'Is it open?');
    call.at(end + 600, { type: 'control.say', text: 'First this.' });
    call.at(end + 2200, { type: 'control.say', text: 'Then that.' });
    call.runTo(9000);
    expect(call.spoken).toEqual(['First this.', 'All right.', 'Then that.']);
  });

  test('[Y1] an answer that has its words but was not heard is preceded as well', () => {
    const call = quiet({ modelMs: 50, voiceMs: 1500 });
    const end = call.says(1000, 'Is it open?');
    call.at(end + 600, { type: 'control.say', text: 'First this.' });
    call.runTo(9000);
    expect(call.of('llm.start')[0]?.at).toBeLessThan(end + 500);
    expect(call.spoken).toEqual(['First this.', 'All right.']);
  });

  test('[Y1] while the caller speaks it waits for the turn, and comes before its answer', () => {
    const call = quiet();
    call.says(1000, 'Is it open on Sunday?').toString();
    call.at(1500, { type: 'control.say', text: 'First this.' });
    call.runTo(9000);
    expect(call.spoken).toEqual(['First this.', 'All right.']);
  });

  test('[Y2] is refused where there is nobody to hear it', () => {
    const call = new CallHarness().at(100, { type: 'control.say', text: 'A notice.' });
    call.runTo(1000);
    expect(call.of('control.refused')).toHaveLength(1);
  });

  test('[Y3] a muted caller is not heard, and not prompted', () => {
    const call = quiet().at(500, { type: 'control.mute', who: 'user', on: true });
    call.says(1000, 'Is it open?');
    call.at(30_000, { type: 'control.mute', who: 'user', on: false });
    call.says(31_000, 'Can you hear me now?');
    call.runTo(36_000);
    expect(call.transcript).toEqual(['user: Can you hear me now?', 'assistant: All right.']);
  });
});

describe('a muted assistant', () => {
  const mute = (call: CallHarness, at: number, isOn: boolean) =>
    call.at(at, { type: 'control.mute', who: 'assistant', on: isOn });
  const LONG = 'We are open from nine to six on every day but Sunday.';

  test('[Y4] is held, and goes on from the held word when it is unmuted', () => {
    const call = quiet().at(1000, { type: 'control.say', text: LONG });
    mute(call, 2000, true);
    mute(call, 5000, false);
    call.runTo(12_000);
    expect(call.of('play.hold')[0]?.at).toBe(2000);
    expect(call.of('play.release')[0]?.at).toBe(5000);
    expect(call.transcript).toEqual([`assistant: ${LONG}`]);
  });

  test('[Y4] loses what it was saying after five seconds, and only that', () => {
    const call = quiet().at(1000, { type: 'control.say', text: LONG });
    mute(call, 2000, true);
    call.runTo(9000);
    expect(call.of('play.clear')[0]?.at).toBe(7000);
    expect(call.transcript).toEqual(['assistant: We are open']);
    mute(call, 10_000, false);
    call.says(11_000, 'Is it open?');
    call.runTo(16_000);
    expect(call.spoken.at(-1)).toBe('All right.');
  });

  test('[Y4] writes its answer meanwhile; heard it is only when unmuted in time', () => {
    const intime = quiet();
    mute(intime, 500, true);
    const end = intime.says(1000, 'Is it open?');
    mute(intime, end + 3000, false);
    intime.runTo(end + 9000);
    expect(intime.of('llm.start')).toHaveLength(1);
    expect(intime.farEnd.heard.map(({ from }) => from)).toEqual([end + 3000]);
    const late = quiet();
    mute(late, 500, true);
    late.says(1000, 'Is it open?');
    late.runTo(30_000);
    expect(late.farEnd.heard).toEqual([]);
    expect(late.transcript).toEqual(['user: Is it open?']);
    // Nothing of it is left in the way of the next one.
    expect(late.call.view.assistant).toBe('idle');
    mute(late, 30_100, false);
    late.says(31_000, 'Are you still there?');
    late.runTo(36_000);
    expect(late.transcript.at(-1)).toBe('assistant: All right.');
  });

  test('[Y4] is not released by a noise that ends', () => {
    const call = quiet().at(1000, { type: 'control.say', text: LONG });
    mute(call, 2500, true);
    call.voice(2600, 400);
    call.runTo(6000);
    expect(call.of('play.release')).toEqual([]);
  });
});

describe('backchannels', () => {
  const story = 'Well I was on my way home last night and then there was a';
  const listening = (settings: World['settings'] = {}) =>
    quiet({ settings: { backchanneling: true, ...settings } });

  test('[B15] a long story that will go on is murmured to, softly and off the record', () => {
    const call = listening();
    const end = call.says(1000, story, { ms: 6000, finalMs: 100 });
    call.says(end + 900, 'big dog in the street.', { finalMs: 100 });
    call.runTo(end + 9000);
    expect(call.of('play.backchannel')).toMatchObject([{ at: end + 250 }]);
    expect(call.transcript.filter((line) => line.startsWith('assistant'))).toEqual([
      'assistant: All right.',
    ]);
  });

  test.each([
    ['switched off', { backchanneling: false }, story, 6000],
    ['short', {}, story, 4000],
    ['done', {}, `${story} big dog.`, 6000],
    ['dictation', {}, 'My number is four one five five five', 6000],
  ])('not when it is %s', (_why, settings, text, ms) => {
    const call = listening(settings);
    const end = call.says(1000, text, { ms, finalMs: 100 });
    call.runTo(end + 3000);
    expect(call.of('play.backchannel')).toEqual([]);
  });

  test('no sooner than six seconds after the last, and three times a turn', () => {
    const call = listening();
    let at = 1000;
    for (let n = 0; n < 9; n++) at = call.says(at, story, { ms: 5200, finalMs: 100 }) + 800;
    call.runTo(at);
    const given = call.of('play.backchannel').map((command) => command.at);
    expect(given).toHaveLength(3);
    expect(given.slice(1).every((when, i) => when - (given[i] ?? 0) >= 6000)).toBe(true);
  });
});

describe('keys', () => {
  const keys = (call: CallHarness, at: number, digits: string) => {
    for (const [i, digit] of [...digits].entries()) call.at(at + i * 300, { type: 'dtmf', digit });
  };

  test('[D1] are only logged where they are not wanted', () => {
    const call = quiet();
    keys(call, 1000, '12#');
    call.runTo(5000);
    expect(call.transcript).toEqual([]);
    expect(call.of('log')).toHaveLength(3);
  });

  test('[D2] make a turn: at #, or when no more come', () => {
    const ended = quiet({ settings: { dtmfInput: true } });
    keys(ended, 1000, '1234#');
    ended.runTo(6000);
    expect(ended.transcript).toEqual(['user: [keypad] 1234', 'assistant: All right.']);
    expect(ended.of('llm.start')[0]?.at).toBe(2200);
    const left = quiet({ settings: { dtmfInput: true } });
    keys(left, 1000, '12');
    left.runTo(6000);
    expect(left.of('llm.start')[0]?.at).toBe(3300);
  });

  test('[D2] are at most 32: the last of them ends the input', () => {
    const call = quiet({ settings: { dtmfInput: true } });
    const digits = '12345678'.repeat(4);
    keys(call, 1000, digits);
    call.runTo(1000 + 31 * 300);
    expect(call.of('llm.start').map(({ at }) => at)).toEqual([1000 + 31 * 300]);
    expect(call.transcript).toEqual([`user: [keypad] ${digits}`]);
  });

  test('[D1] [D2] interrupt, and join what is being said', () => {
    const call = quiet({
      settings: {
        dtmfInput: true,
        welcome: {
          message: 'Please enter your number and then press hash.',
          mode: 'assistant-speaks-first',
          interruptible: true,
        },
      },
    });
    keys(call, 1000, '12#');
    call.runTo(6000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.transcript).toEqual([
      'assistant: Please enter your',
      'user: [keypad] 12',
      'assistant: All right.',
    ]);
  });
});

describe('what is typed', () => {
  test('[D2] is a turn at once, without a pause', () => {
    const call = quiet();
    call.at(1000, { type: 'typed', text: 'Are you open on Sunday?' });
    call.runTo(6000);
    expect(call.transcript).toEqual(['user: Are you open on Sunday?', 'assistant: All right.']);
    expect(call.of('llm.start')[0]?.at).toBe(1000);
  });

  test('[D1] interrupts what can be interrupted, and leaves standing what was heard', () => {
    const call = quiet({
      settings: {
        welcome: {
          message: 'Welcome to the house of many long and winding welcomes.',
          mode: 'assistant-speaks-first',
          interruptible: true,
        },
      },
    });
    call.at(1000, { type: 'typed', text: 'Stop.' });
    call.runTo(6000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.transcript).toEqual([
      'assistant: Welcome to the',
      'user: Stop.',
      'assistant: All right.',
    ]);
  });

  test('joins what is being said, and is only logged where nobody is heard', () => {
    const spoken = quiet();
    spoken.voice(1000, 1600);
    const said = { segId: 'a', text: 'My number is', startAt: 1000, conf: 0.9 };
    spoken.at(1700, { type: 'stt.final', ...said, endAt: 1600 });
    spoken.at(1750, { type: 'typed', text: 'AB 12' });
    spoken.runTo(6000);
    expect(spoken.transcript[0]).toBe('user: My number is AB 12');
    const muted = quiet();
    muted.at(500, { type: 'control.mute', who: 'user', on: true });
    muted.at(1000, { type: 'typed', text: 'Hello?' });
    muted.runTo(6000);
    expect(muted.transcript).toEqual([]);
  });
});

describe('a turn-aware recogniser', () => {
  const aware = () => {
    const call = quiet();
    const startSpeaking = {
      ...call.settings.startSpeaking,
      smartEndpointing: 'recogniser' as const,
    };
    return quiet({ settings: { startSpeaking, sttTurnAware: true } });
  };

  test('[N1] ends the turn when it says so', () => {
    const call = aware();
    const end = call.says(1000, 'I want to book a table');
    call.at(end + 400, { type: 'stt.eot', eager: false, p: 0.9 });
    call.runTo(9000);
    expect(call.of('llm.start')[0]?.at).toBe(end + 400);
  });

  test('[N1] that says nothing is waited for, not for ever', () => {
    const call = aware();
    const end = call.says(1000, 'I want to book a table');
    call.at(end + 400, { type: 'stt.eot', eager: true, p: 0.5 });
    call.runTo(12_000);
    expect(call.of('llm.start')[0]?.at).toBe(end + 5000);
  });
});
