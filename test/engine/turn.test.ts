import { describe, expect, test } from 'vitest';
import { CallHarness, type World } from '../support/call-harness.ts';

/** A call that has been answered and in which nothing has been said yet. */
const quiet = (world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();

const echo: World = { model: (text) => `You said ${text}` };

describe('the turn of the caller', () => {
  test('[C1] [C2] [C3] voice opens it, a pause that lasts commits it, and the model is asked once', () => {
    const call = quiet();
    const end = call.says(1000, 'What are your opening hours?');
    call.runTo(10_000);
    expect(call.transcript).toEqual([
      'user: What are your opening hours?',
      'assistant: All right.',
    ]);
    expect(call.of('llm.start')).toHaveLength(1);
    expect(call.of('llm.start')[0]?.at).toBe(end + 200);
    expect(call.of('state').map(({ user, assistant }) => `${user} ${assistant}`)).toEqual([
      'speaking idle',
      'pausing idle',
      'silent thinking',
      'silent speaking',
      'silent idle',
    ]);
  });

  test('[C1] text without voice activity opens a turn too', () => {
    const call = quiet();
    call.says(1000, 'Are you open on Sunday?', { vad: false });
    call.runTo(10_000);
    expect(call.transcript).toEqual(['user: Are you open on Sunday?', 'assistant: All right.']);
  });

  test('[C2] voice before the deadline goes on with the same turn', () => {
    const call = quiet(echo);
    const end = call.says(1000, 'I want to book a table');
    call.says(end + 700, 'for two tomorrow.');
    call.runTo(12_000);
    expect(call.of('llm.start')).toHaveLength(1);
    expect(call.transcript[0]).toBe('user: I want to book a table for two tomorrow.');
  });

  test('[C3] the text that is still to come is waited for, no longer than the recogniser takes', () => {
    const call = quiet(echo);
    const end = call.says(1000, 'What is it?', { interims: true, finalMs: 430 });
    call.runTo(10_000);
    expect(call.of('llm.start')[0]?.at).toBe(end + 430);
  });

  test('[C4] late words take back a reply of which nothing was heard: one message, one response', () => {
    const call = quiet(echo);
    const end = call.says(1000, 'I want to book.', { finalMs: 100 });
    call.at(end + 500, {
      type: 'stt.final',
      segId: 'late',
      text: 'For two.',
      startAt: end - 300,
      endAt: end,
      conf: 0.9,
    });
    call.runTo(12_000);
    expect(call.transcript).toEqual([
      'user: I want to book. For two.',
      'assistant: You said I want to book. For two.',
    ]);
    const turns = call.of('llm.start').map(({ turn }) => turn);
    expect(new Set(turns).size).toBe(1);
    expect(call.of('llm.cancel')).toHaveLength(1);
  });

  test('[C4] a final that only writes the same words otherwise keeps the generation', () => {
    const call = quiet(echo);
    const end = call.says(1000, 'Um, is it open?', { finalMs: 100 });
    call.at(end + 500, {
      type: 'stt.final',
      segId: 's1',
      text: 'Is it open.',
      startAt: 1000,
      endAt: end,
      conf: 0.9,
    });
    call.runTo(12_000);
    expect(call.of('llm.start')).toHaveLength(1);
    expect(call.of('llm.cancel')).toHaveLength(0);
    expect(call.transcript[0]).toBe('user: Is it open.');
  });

  test('[C5] [A4] a noise while the reply is due delays it, and does not cancel it', () => {
    const call = quiet(echo);
    const end = call.says(1000, 'Is it open?');
    call.voice(end + 300, 150);
    call.runTo(12_000);
    expect(call.of('llm.cancel')).toHaveLength(0);
    expect(call.transcript).toEqual(['user: Is it open?', 'assistant: You said Is it open?']);
    // The noise ended at +450; the recogniser gets until +900 to make words of it.
    expect(call.farEnd.heard[0]?.from).toBe(end + 900);
  });

  test('[C5] words while the reply is due reopen the turn: one message, one heard response', () => {
    const call = quiet(echo);
    const end = call.says(1000, 'I want to book a table.');
    call.says(end + 500, 'for two people.');
    call.runTo(15_000);
    expect(call.transcript).toEqual([
      'user: I want to book a table. for two people.',
      'assistant: You said I want to book a table. for two people.',
    ]);
    expect(call.farEnd.heard).toHaveLength(1);
  });

  test('[C5] words whose final is overdue keep a due reply from sounding under the turn they open', () => {
    const call = quiet(echo);
    const end = call.says(1000, 'Is it open?');
    call.at(end + 250, { type: 'vad.start', onsetAt: end + 230 });
    const spoken = { type: 'stt.interim', startAt: end + 230, conf: 0.8 } as const;
    call.at(end + 600, { ...spoken, segId: 'next', text: 'On', endAt: end + 500 });
    call.at(end + 900, { type: 'vad.stop', speechEndAt: end + 700 });
    call.at(end + 4000, {
      ...spoken,
      type: 'stt.final',
      segId: 'next',
      text: 'On Sunday.',
      endAt: end + 700,
    });
    call.runTo(end + 9000);
    expect(call.transcript[0]).toMatch(/^user: Is it open\? On/);
    expect(new Set(call.farEnd.heard.map(({ uttId }) => uttId)).size).toBe(1);
    expect(call.transcript[1]).toMatch(/^assistant: You said Is it open\? On/);
  });

  test('[C4] text that grows after the commit without voice activity goes on with the turn', () => {
    const call = quiet(echo);
    const words = 'I want to book a table for two people tomorrow at eight.'.split(' ');
    words.forEach((_, i) => {
      const last = i === words.length - 1;
      // A recogniser that is slow after the third word, and then keeps growing.
      const at = 1000 + i * 400 + (i > 2 ? 1700 : 0);
      call.at(at, {
        type: last ? 'stt.final' : 'stt.interim',
        segId: 's1',
        text: words.slice(0, i + 1).join(' '),
        startAt: 900,
        endAt: at - 150,
        conf: 0.8,
      });
    });
    call.runTo(15_000);
    const said = words.join(' ');
    expect(call.transcript.filter((line) => line.startsWith('user'))).toEqual([`user: ${said}`]);
    // The model is asked at the long pause and at the end, not at every word.
    expect(call.of('llm.start')).toHaveLength(2);
    expect(call.farEnd.heard.filter(({ from, to }) => to > from)).toHaveLength(2);
  });

  test('[C6] late words while the reply is heard are recorded and bring no second response', () => {
    const call = quiet({
      model: () => 'We open at nine and close at six every single day of the week.',
    });
    const end = call.says(1000, 'When do you open?');
    call.at(end + 2000, {
      type: 'stt.final',
      segId: 's1',
      text: 'When do you open today?',
      startAt: 1000,
      endAt: end,
      conf: 0.9,
    });
    call.runTo(12_000);
    expect(call.of('llm.start')).toHaveLength(1);
    expect(call.transcript).toEqual([
      'user: When do you open today?',
      'assistant: We open at nine and close at six every single day of the week.',
    ]);
  });

  test('[C7] a short noise is dropped without a word', () => {
    const call = quiet();
    call.voice(1000, 400);
    call.runTo(6000);
    expect(call.transcript).toEqual([]);
    expect(call.of('tts.start')).toEqual([]);
    expect(call.of('state').at(-1)).toMatchObject({ user: 'silent' });
  });

  test('[C7] long voice without words is asked about, twice in a row at the most', () => {
    const call = quiet();
    for (const at of [1000, 8000, 15_000]) call.voice(at, 1500);
    call.runTo(22_000);
    expect(call.spoken.filter((text) => text.includes('catch'))).toHaveLength(2);
  });

  test('[C7] words in between begin that count anew, and shorter voice is not asked about', () => {
    const call = quiet();
    for (const at of [1000, 8000]) call.voice(at, 1500);
    call.says(15_000, 'Is it open?');
    for (const at of [22_000, 29_000, 36_000]) call.voice(at, 1500);
    call.runTo(42_000);
    expect(call.spoken.filter((text) => text.includes('catch'))).toHaveLength(4);
    for (const [ms, asked] of [
      [1190, 0],
      [1200, 1],
    ] as const) {
      const short = quiet();
      short.voice(1000, ms).runTo(7000);
      expect(short.spoken).toHaveLength(asked);
    }
  });

  test('[C7] words that the recogniser takes back are asked about when a sound without words is', () => {
    const askedAt = (text: string) => {
      const call = quiet();
      call.voice(1000, 1500);
      const said = { segId: 'a', startAt: 1000, endAt: 2500, conf: 0.5 };
      if (text !== '') {
        call.at(2400, { type: 'stt.interim', ...said, text });
        call.at(2800, { type: 'stt.final', ...said, text: '' });
      }
      return call
        .runTo(7000)
        .of('tts.start')
        .map(({ at }) => at);
    };
    expect(askedAt('')).toHaveLength(1);
    expect(askedAt('Is it open?')).toEqual(askedAt(''));
  });

  test('[C8] turns with nothing heard between them are one message', () => {
    const call = quiet({ modelMs: 4000, ...echo });
    const end = call.says(1000, 'Is it open?');
    call.says(end + 1500, 'On Sunday?');
    call.runTo(20_000);
    expect(call.messages.filter(({ role }) => role === 'user')).toEqual([
      { role: 'user', text: 'Is it open? On Sunday?' },
    ]);
    expect(call.farEnd.heard).toHaveLength(1);
  });

  test('[K2] a voice whose end never comes ends by itself', () => {
    const call = quiet();
    call.at(1080, { type: 'vad.start', onsetAt: 1000 });
    call.at(1500, {
      type: 'stt.final',
      segId: 'a',
      text: 'Is it open?',
      startAt: 1000,
      endAt: 1500,
      conf: 1,
    });
    call.runTo(9000);
    expect(call.transcript[0]).toBe('user: Is it open?');
    expect(call.of('llm.start')).toHaveLength(1);
  });

  test('[K2] two seconds after its last sign', () => {
    const call = quiet();
    call.at(1080, { type: 'vad.start', onsetAt: 1000 }).at(1580, { type: 'vad.alive' });
    call.runTo(3579);
    expect(call.call.view.user).toBe('speaking');
    call.runTo(3580);
    expect(call.call.view.user).toBe('pausing');
  });
});
