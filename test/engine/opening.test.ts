import { describe, expect, test } from 'vitest';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import { CallHarness } from '../support/call-harness.ts';

const welcome = (mode: CallSettings['welcome']['mode'], message = 'Hello there.') => ({
  message,
  mode,
  interruptible: true,
});

const outbound = { callType: 'phone', direction: 'outbound' } as const;

describe('the welcome', () => {
  test('[W1] is spoken as soon as the call is answered', () => {
    const call = new CallHarness().answer(500).runTo(4000);
    expect(call.farEnd.heard[0]?.from).toBe(600);
    expect(call.transcript).toEqual(['assistant: Hello there.']);
  });

  test('[W1] to a called party a moment later', () => {
    const call = new CallHarness({
      settings: { ...outbound, welcome: welcome('assistant-speaks-first') },
    });
    call.answer(500).runTo(4000);
    expect(call.farEnd.heard[0]?.from).toBe(900);
  });

  test('[W1] a caller who is already speaking is let finish; the welcome is the answer', () => {
    const call = new CallHarness({ voiceMs: 400 }).answer(0);
    call.says(100, 'Hello?', { ms: 500 });
    call.runTo(6000);
    expect(call.farEnd.heard[0]?.from).toBe(800);
    expect(call.of('llm.start')).toEqual([]);
    expect(call.transcript).toEqual(['user: Hello?', 'assistant: Hello there.']);
  });

  test('[W1] a request made before the welcome sounds is answered, and the welcome is not said', () => {
    const call = new CallHarness({ voiceMs: 900, model: () => 'For how many?' }).answer(0);
    call.says(100, 'Hi, I would like to book a table.');
    call.runTo(9000);
    expect(call.transcript).toEqual([
      'user: Hi, I would like to book a table.',
      'assistant: For how many?',
    ]);
  });

  test('[W1] a request that is recognised only while the welcome sounds cuts it and is answered', () => {
    const call = new CallHarness({ voiceMs: 900, model: () => 'For how many?' }).answer(0);
    call.says(100, 'Hi, I would like to book a table.', { interims: false, finalMs: 100 });
    call.runTo(9000);
    expect(call.of('play.start').at(0)?.at).toBeLessThan(2000);
    expect(call.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
    expect(call.spoken.at(-1)).toBe('For how many?');
  });

  test('[W1] a greeting that names a hint is a request', () => {
    const call = new CallHarness({
      voiceMs: 900,
      model: () => 'Speaking.',
      settings: { hints: ['Rialto'] },
    }).answer(0);
    call.says(100, 'Hello, Rialto?');
    call.runTo(9000);
    expect(call.transcript).toEqual(['user: Hello, Rialto?', 'assistant: Speaking.']);
  });

  test('[W1] a greeting whose welcome was cut before three words were heard is welcomed again', () => {
    const call = new CallHarness({
      voiceMs: 900,
      settings: { welcome: welcome('assistant-speaks-first', 'Hello, this is the bakery.') },
    }).answer(0);
    call.says(100, 'Hello?', { ms: 1300 });
    call.runTo(9000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.of('llm.start')).toEqual([]);
    expect(call.transcript.at(-1)).toBe('assistant: Hello, this is the bakery.');
  });

  test('[W1] [W4] a request made before a protected welcome is answered after it', () => {
    const notice = 'This call is recorded for training. '.repeat(3).trim();
    const call = new CallHarness({
      voiceMs: 900,
      model: () => 'For how many?',
      settings: { welcome: { ...welcome('assistant-speaks-first', notice), interruptible: false } },
    }).answer(0);
    call.says(100, 'Hi, I would like to book a table.');
    call.runTo(12_000);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.spoken).toEqual([notice, 'For how many?']);
    expect(call.messages.map(({ text }) => text)).toContain('Hi, I would like to book a table.');
  });

  test('[W2] waits for the caller, and answers a mere greeting', () => {
    const settings = { welcome: welcome('assistant-waits-for-user') };
    const call = new CallHarness({ settings }).answer();
    call.says(1000, 'Good morning.');
    call.runTo(6000);
    expect(call.of('llm.start')).toEqual([]);
    expect(call.transcript).toEqual(['user: Good morning.', 'assistant: Hello there.']);
  });

  test.each([
    ['Hello, this', 1500, 'Hello, this is the bakery on the corner.'],
    ['Hello, this is', 2000, 'All right.'],
  ])(
    '[W2] a greeting that follows once "%s" was heard, %d ms after the first, is answered: %s',
    (heard, afterMs, answer) => {
      const message = 'Hello, this is the bakery on the corner.';
      const settings = { welcome: welcome('assistant-waits-for-user', message) };
      const call = new CallHarness({ msPerWord: 600, settings }).answer();
      const end = call.says(1000, 'Good morning.');
      call.says(end + afterMs, 'Hello?', { ms: 300, finalMs: 100 });
      call.runTo(14_000);
      expect(call.transcript).toEqual([
        'user: Good morning.',
        `assistant: ${heard}`,
        'user: Hello?',
        `assistant: ${answer}`,
      ]);
    },
  );

  test('[W2] [Y6] a greeting after a person has given the call back is answered as well', () => {
    const settings = { welcome: welcome('assistant-waits-for-user') };
    const call = new CallHarness({ settings }).answer();
    call.at(500, { type: 'control.takeOver', by: 'Ada' }).at(2000, { type: 'control.giveBack' });
    call.says(3000, 'Good morning.');
    call.runTo(8000);
    expect(call.transcript.slice(-2)).toEqual(['user: Good morning.', 'assistant: Hello there.']);
  });

  test('[W2] anything else goes to the model', () => {
    const settings = { welcome: welcome('assistant-waits-for-user') };
    const call = new CallHarness({ settings }).answer();
    call.says(1000, 'Are you open on Sunday?');
    call.runTo(6000);
    expect(call.transcript).toEqual(['user: Are you open on Sunday?', 'assistant: All right.']);
  });

  test('[W3] automatic: at once to who calls us, after two seconds of silence to whom we call', () => {
    const inbound = new CallHarness({ settings: { welcome: welcome('automatic') } }).answer();
    inbound.runTo(4000);
    expect(inbound.farEnd.heard[0]?.from).toBe(100);
    const called = new CallHarness({ settings: { ...outbound, welcome: welcome('automatic') } });
    called.answer().runTo(4000);
    expect(called.farEnd.heard[0]?.from).toBe(2100);
  });

  test("[W3] automatic: at the called party's first pause", () => {
    const call = new CallHarness({ settings: { ...outbound, welcome: welcome('automatic') } });
    call.answer();
    call.says(500, 'Hello?', { ms: 600 });
    call.runTo(6000);
    expect(call.farEnd.heard[0]?.from).toBe(1400);
    expect(call.transcript).toEqual(['user: Hello?', 'assistant: Hello there.']);
    expect(call.of('llm.start')).toEqual([]);
  });

  test('[W3] without a message the model opens', () => {
    const call = new CallHarness({
      settings: { welcome: welcome('assistant-speaks-first', '') },
      model: () => 'Good day.',
    });
    call.answer().runTo(4000);
    expect(call.transcript).toEqual(['assistant: Good day.']);
    // The caller has not had a turn yet.
    expect(call.of('llm.start').map(({ turn }) => turn)).toEqual([0]);
  });

  test.each([
    ['', [expect.objectContaining({ role: 'system', content: expect.stringContaining('Greet') })]],
    ['You are Ava.', [{ role: 'system', content: 'You are Ava.' }]],
  ])(
    '[W3] the model that opens is asked with a message, also with the prompt "%s"',
    (prompt, messages) => {
      const call = new CallHarness({
        settings: { systemPrompt: prompt, welcome: welcome('assistant-speaks-first', '') },
        model: () => 'Good day.',
      });
      call.answer().runTo(4000);
      expect(call.of('llm.start').map((start) => start.messages)).toEqual([messages]);
    },
  );
});

describe('idle', () => {
  test('[I1] [I2] [I3] prompts after each full silence, then says goodbye and hangs up', () => {
    const call = new CallHarness({
      settings: {
        idle: { timeoutMs: 5000, maxMessages: 2, messages: ['One?', 'Two?'] },
        endCall: { enabled: true, message: 'Bye.', phrases: [], toolDescription: '' },
      },
    });
    call.answer().runTo(40_000);
    expect(call.spoken).toEqual(['Hello there.', 'One?', 'Two?', 'Bye.']);
    // Heard from 100 to 700, then five seconds of silence and the voice's 100 ms.
    expect(call.farEnd.heard.map(({ from }) => from)).toEqual([100, 5800, 11_200, 16_600]);
    expect(call.commands.at(-1)).toMatchObject({
      type: 'finish',
      endReason: 'idle-timeout',
      trigger: 'assistant',
    });
  });

  test('[I1] nothing is prompted while the caller speaks or the answer is due', () => {
    const call = new CallHarness({
      settings: { idle: { timeoutMs: 5000, maxMessages: 3, messages: ['Still there?'] } },
      modelMs: 4500,
    });
    call.answer();
    call.voice(2000, 8000);
    const end = call.says(10_500, 'So, this was a long story, was it not?');
    call.runTo(end + 4000);
    expect(call.spoken).toEqual(['Hello there.']);
  });

  test('[I4] a turn of the caller starts the count again', () => {
    const call = new CallHarness({
      settings: { idle: { timeoutMs: 5000, maxMessages: 1, messages: ['Still there?'] } },
    });
    call.answer();
    call.says(7000, 'Yes, I am here.');
    call.runTo(16_000);
    expect(call.spoken).toEqual(['Hello there.', 'Still there?', 'All right.', 'Still there?']);
  });

  test('[I5] a noise keeps the count and starts the wait again', () => {
    const call = new CallHarness({
      settings: { idle: { timeoutMs: 5000, maxMessages: 1, messages: ['Still there?'] } },
    });
    call.answer();
    call.voice(3000, 300);
    call.runTo(40_000);
    const [, prompt] = call.farEnd.heard;
    expect(prompt?.from).toBeGreaterThan(8300);
    expect(call.spoken).toEqual(['Hello there.', 'Still there?']);
    expect(call.of('finish')).toHaveLength(1);
  });
});
