import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ControlEvent } from '../../src/contract/control.ts';
import { ProviderError } from '../../src/lib/errors.ts';
import type { TtsRequest } from '../../src/ports/tts.ts';
import { ScriptedTts } from '../support/scripted-tts.ts';
import { SessionRig } from '../support/session-rig.ts';

let rig: SessionRig;

afterEach(async () => {
  rig.session.hangup();
  await rig.clock.advance(20_000);
  await rig.session.finished;
  // Nothing of a call outlives it.
  expect(rig.clock.nextDueAt()).toBeUndefined();
  expect(rig.ticker.size).toBe(0);
  expect(rig.stt.streams.every((stream) => stream.closed)).toBe(true);
  expect(rig.leg.hasMoved || rig.leg.endedWith !== undefined).toBe(true);
});

const startOf = (marker: number) =>
  rig.leg.sent.find(({ pcm }) => pcm.includes(marker))?.at ?? Number.NaN;

describe('a call', () => {
  test('[W1] [A2] [C3] [H6] greets, hears a question, answers it, and keeps what was heard', async () => {
    rig = new SessionRig({ replies: [{ text: ['It is ', 'free. Quite free.'] }] });
    rig.session.answered();
    await rig.silence(2000);
    const from = rig.clock.now();
    await rig.speak('How much is it?');
    const spokenUntil = from + 1000;
    await rig.silence(3000);

    expect(rig.tts.texts).toEqual(['Hello there.', 'It is free.', 'Quite free.']);
    expect(rig.transcript).toEqual([
      'assistant: Hello there.',
      'user: How much is it?',
      'assistant: It is free. Quite free.',
    ]);
    const answer = rig.leg.sent.find(({ at }) => at > spokenUntil)?.at ?? 0;
    expect(answer - spokenUntil).toBeGreaterThanOrEqual(400);
    expect(answer - spokenUntil).toBeLessThan(460);
    expect(rig.llm.requests[0]?.messages).toEqual([
      { role: 'system', content: 'You are a test.' },
      { role: 'assistant', content: 'Hello there.' },
      { role: 'user', content: 'How much is it?' },
    ]);
    expect(rig.turns).toHaveLength(1);
    expect(rig.record.status).toBe('ongoing');
  });

  test('[S6] a recogniser is asked at a lull, and told where the voice goes on and where it ends', async () => {
    rig = new SessionRig({ replies: [{ text: ['It is free.'] }] });
    rig.session.answered();
    await rig.silence(2000);
    await rig.voice(600);
    await rig.silence(140);
    expect(rig.stt.line.edges).toEqual(['started', 'flushed']);
    await rig.voice(400);
    expect(rig.stt.line.edges).toEqual(['started', 'flushed', 'started']);
    await rig.silence(300);
    expect(rig.stt.line.edges).toEqual(['started', 'flushed', 'started', 'flushed', 'ended']);
  });

  test('[B2] [B3] [B10] [H2] [H4] a barge-in silences the reply and keeps only what was heard', async () => {
    rig = new SessionRig({
      replies: [
        { text: [`One two three four five six seven eight nine ten ${'and more '.repeat(10)}. `] },
        { text: ['Yes.'] },
      ],
    });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Please count.');
    // Past the first second, in which voice alone holds nothing on the web.
    await rig.silence(1900);
    const onset = rig.clock.now();
    await rig.voice(300);
    expect(rig.leg.soundingMs).toBe(0);
    expect((rig.leg.clears.at(-1) ?? Number.NaN) - onset).toBeLessThanOrEqual(300);
    rig.stt.line.interim('what about');
    await rig.voice(500);
    await rig.silence(60);
    rig.stt.line.final('What about tea?');
    await rig.silence(3000);

    const [, , , cut, , last] = ['', ...rig.transcript];
    expect(cut).toMatch(/^assistant: One two three four( five| six| seven| eight| nine)*$/);
    expect(last).toBe('assistant: Yes.');
    expect(rig.llm.requests[1]?.messages.at(-2)).toEqual({
      role: 'assistant',
      content: `${cut?.replace('assistant: ', '')}—`,
    });
  });

  test('[H4] what was heard of a voice without word times is the share that was played of its whole length', async () => {
    const words = Array.from({ length: 20 }, (_, i) => `${'abcdefghij'[i % 10]}xtraordinarily`);
    rig = new SessionRig({
      replies: [{ text: [`${words.join(' ')}.`] }, { text: ['Yes.'] }],
      tts: (clock) => new ScriptedTts(clock, { wordTimings: false }),
    });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Please count.');
    await rig.silence(1900);
    await rig.voice(300);
    rig.stt.line.interim('what about');
    await rig.voice(500);
    await rig.silence(60);
    rig.stt.line.final('What about tea?');
    await rig.silence(3000);

    // The voice needs 200 ms a word, a fifth of what so many letters usually take.
    const heard = rig.transcript[2]?.replace('assistant: ', '').split(' ') ?? [];
    expect(heard).toEqual(words.slice(0, heard.length));
    expect(heard.length).toBeGreaterThan(5);
    expect(heard.length).toBeLessThan(12);
  });

  test('[B5] [B6] a cough over the reply holds it, and it goes on', async () => {
    rig = new SessionRig({ replies: [{ text: ['One two three four five six seven eight. '] }] });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Please count.');
    await rig.silence(1400);
    await rig.voice(260);
    await rig.silence(4000);
    expect(rig.transcript.at(-1)).toBe('assistant: One two three four five six seven eight.');
    expect(rig.llm.requests).toHaveLength(1);
  });

  test('a vendor that is replaced is an event of the call, told to its owner, and the call goes on', async () => {
    class Replaced extends ScriptedTts {
      override synthesize(request: TtsRequest) {
        const error = new Error('a secret is in here');
        const change = { vendor: 'elevenlabs', successor: 'cartesia', error, delayMs: 1500 };
        if (request.text.startsWith('Yes')) request.onFailover?.(change);
        return super.synthesize(request);
      }
    }
    rig = new SessionRig({ replies: [{ text: ['Yes.'] }], tts: (clock) => new Replaced(clock) });
    rig.session.answered();
    await rig.silence(1500);
    const error = new ProviderError({
      class: 'network',
      provider: 'deepgram',
      code: 'ws_1011',
      message: 'deepgram closed the connection (1011)',
    });
    const change = { vendor: 'deepgram', successor: 'assemblyai', error, delayMs: 230 };
    rig.stt.line.options.onFailover?.(change);
    await rig.speak('Are you open?');
    await rig.silence(3000);
    expect(rig.transcript.at(-1)).toBe('assistant: Yes.');
    const failure = { code: 'ws_1011', message: error.message, provider: 'deepgram' };
    expect(rig.lines.filter(({ type }) => type === 'vendor.failover')).toMatchObject([
      { kind: 'event', data: { ...change, port: 'stt', error: { ...failure, retryable: true } } },
      {
        data: {
          ...{ port: 'tts', vendor: 'elevenlabs', successor: 'cartesia', delayMs: 1500 },
          error: { code: 'internal', message: 'elevenlabs failed unexpectedly' },
        },
      },
    ]);
    expect(rig.commands('webhook').map(({ data }) => data)).toMatchObject([
      { kind: 'error', data: { ...failure, type: 'stt' } },
      { kind: 'error', data: { provider: 'elevenlabs', type: 'tts' } },
    ]);
  });

  test('[A5] a model that is down is asked once more, then there is an apology', async () => {
    const down = () =>
      new ProviderError({ class: 'network', provider: 'x', code: 'refused', message: 'down' });
    rig = new SessionRig({ replies: [{ error: down() }, { error: down() }, { text: ['Back.'] }] });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Are you there?');
    await rig.silence(3000);
    expect(rig.llm.requests).toHaveLength(2);
    expect(rig.transcript.at(-1)).toBe('assistant: Sorry, that went wrong.');
    await rig.speak('Again please.');
    await rig.silence(2500);
    expect(rig.transcript.at(-1)).toBe('assistant: Back.');
  });

  test('[K3] [A5] a model that stalls: nobody waits in silence, and the call goes on', async () => {
    rig = new SessionRig({ replies: [{ hangs: true }, { hangs: true }, { text: ['Back.'] }] });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Are you there?');
    await rig.silence(14_000);
    expect(
      rig.transcript.some((line) => line.startsWith('assistant: Sorry') || line.includes('moment')),
    ).toBe(true);
    expect(rig.commands('webhook').some((line) => line.data.kind === 'hang')).toBe(true);
    expect(rig.llm.aborted).toBe(2);
  });

  test('[T1] [T3] a tool is run and its result answered, in one reply', async () => {
    rig = new SessionRig({
      settings: {
        tools: [
          {
            definition: { name: 'look', description: '', parameters: { type: 'object' } },
            async: false,
            readOnly: true,
            timeoutMs: 1000,
            lines: [],
          },
        ],
      },
      replies: [
        { toolCalls: [{ id: 'c1', name: 'look', arguments: '{"q":"x"}' }] },
        { text: ['Found it.'] },
      ],
      tools: {
        invoke: async ({ arguments: args }) => ({ ok: true, result: JSON.stringify(args) }),
      },
    });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Look it up.');
    await rig.silence(2000);
    expect(rig.llm.requests[1]?.messages.slice(-2)).toEqual([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c1', name: 'look', arguments: '{"q":"x"}' }],
      },
      { role: 'tool', toolCallId: 'c1', content: '{"q":"x"}' },
    ]);
    expect(rig.transcript.at(-1)).toBe('assistant: Found it.');
  });

  test.each([
    { storeAway: false, heard: 'assistant: Booked.' },
    { storeAway: true, heard: 'assistant: I could not book it.' },
  ])(
    'a tool with an effect starts once its line is stored (store away: $storeAway)',
    async (given) => {
      let invoked = 0;
      let known = false;
      rig = new SessionRig({
        settings: {
          tools: [
            {
              definition: { name: 'book', description: '', parameters: { type: 'object' } },
              async: false,
              readOnly: false,
              timeoutMs: 5000,
              lines: [],
            },
          ],
        },
        replies: [
          { toolCalls: [{ id: 'c1', name: 'book', arguments: '{}' }] },
          { text: [given.heard.replace('assistant: ', '')] },
        ],
        tools: {
          invoke: async () => {
            invoked++;
            known = rig.commands('tool.invoke').length > 0;
            return { ok: true, result: '{}' };
          },
        },
      });
      rig.session.answered();
      await rig.silence(1500);
      rig.storeAway = given.storeAway;
      await rig.speak('Book it.');
      await rig.silence(6000);
      rig.storeAway = false;
      await rig.silence(6000);
      expect({ invoked, known }).toEqual(
        given.storeAway ? { invoked: 0, known: false } : { invoked: 1, known: true },
      );
      expect(rig.transcript).toContain(given.heard);
    },
  );

  test('[I2] [I3] silence is asked after, then ended with a farewell', async () => {
    rig = new SessionRig();
    rig.session.answered();
    await rig.silence(40_000);
    await rig.session.finished;
    expect(rig.transcript).toEqual([
      'assistant: Hello there.',
      'assistant: Still there?',
      'assistant: Still there?',
      'assistant: Goodbye.',
    ]);
    expect(rig.record).toMatchObject({
      status: 'finished',
      endReason: 'idle-timeout',
      endTrigger: 'assistant',
    });
  });

  test('[E3] a caller who says an end phrase is said goodbye to', async () => {
    rig = new SessionRig();
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Goodbye.');
    await rig.silence(4000);
    await rig.session.finished;
    expect(rig.transcript.at(-1)).toBe('assistant: Goodbye.');
    expect(rig.record).toMatchObject({ endTrigger: 'user', endReason: 'user-said-end-phrase' });
  });

  test('[Y1] say is spoken when the floor is free; [Y2] refused when the call is over', async () => {
    rig = new SessionRig();
    rig.session.answered();
    await rig.silence(100);
    const said = rig.session.control({ type: 'control.say', text: 'The shop closes soon.' });
    await rig.silence(3000);
    expect(await said).toEqual({ outcome: 'accepted' });
    expect(rig.transcript).toEqual(['assistant: Hello there.', 'assistant: The shop closes soon.']);
    rig.session.hangup();
    await rig.clock.advance(100);
    expect(await rig.session.control({ type: 'control.say', text: 'x' })).toEqual({
      outcome: 'not-live',
    });
  });

  test('a control event that this version does not know is refused and not journalled', async () => {
    rig = new SessionRig();
    rig.session.answered();
    const unknown = { type: 'control.sing' } as unknown as ControlEvent;
    expect(await rig.session.control(unknown)).toMatchObject({ outcome: 'refused' });
    await rig.silence(200);
    expect(rig.lines.map(({ type }) => type)).not.toContain('control.sing');
  });

  test('a voice that fails on one piece loses that piece, and the record says what was heard', async () => {
    rig = new SessionRig({
      tts: (clock) =>
        new ScriptedTts(clock, {
          fails: (text) => (text.startsWith('Two') ? 'before' : undefined),
        }),
      replies: [{ text: ['One. Two. Three. '] }],
    });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Count.');
    await rig.silence(3000);
    expect(rig.transcript.at(-1)).toBe('assistant: One. Three.');
  });

  test('a recogniser that cannot be opened ends the call with words, and says why in the record', async () => {
    rig = new SessionRig({
      sttFailures: [
        new ProviderError({ class: 'auth', provider: 'x', code: 'http_401', message: 'bad key' }),
      ],
    });
    rig.session.answered();
    await rig.silence(6000);
    await rig.session.finished;
    expect(rig.transcript.at(-1)).toBe('assistant: I have a technical problem. Goodbye.');
    expect(rig.record).toMatchObject({
      endReason: 'recogniser-failed',
      failure: { code: 'http_401', message: 'bad key' },
    });
  });

  test('a recogniser that cannot be reached at first is tried again, and then hears the caller', async () => {
    const down = { class: 'network', provider: 'x', code: 'refused', message: 'down' } as const;
    rig = new SessionRig({
      sttFailures: [new ProviderError(down)],
      replies: [{ text: ['It is free.'] }],
    });
    expect(rig.session.callId).toBe('WC-test');
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('How much is it?');
    await rig.silence(2000);
    expect(rig.transcript).toContain('assistant: It is free.');
  });

  test('a store that is away during the call loses nothing of it', async () => {
    rig = new SessionRig({ replies: [{ text: ['It is free.'] }] });
    rig.storeAway = true;
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('How much is it?');
    await rig.silence(2000);
    expect(rig.batches).toEqual([]);
    rig.storeAway = false;
    await rig.silence(6000);
    expect(rig.transcript.slice(0, 3)).toEqual([
      'assistant: Hello there.',
      'user: How much is it?',
      'assistant: It is free.',
    ]);
    expect(startOf(2000)).not.toBeNaN();
  });

  test('a call that belongs to another process falls silent at once, and its record is left alone', async () => {
    rig = new SessionRig({ replies: [{ text: ['It is free.'] }] });
    rig.session.answered();
    await rig.silence(300);
    const { length } = rig.batches;
    rig.taken = true;
    await rig.silence(200);
    expect(rig.leg.endedWith).toBe('service-restarted');
    await rig.session.finished;
    const sent = rig.leg.sent.length;
    await rig.silence(2000);
    expect(rig.leg.sent.length).toBe(sent);
    expect(rig.batches).toHaveLength(length);
  });

  test('a call that is let go falls silent at once, and its caller is sent elsewhere while the store is still away', async () => {
    rig = new SessionRig({ replies: [{ text: ['It is free.'] }] });
    rig.session.answered();
    await rig.silence(300);
    rig.storeAway = true;
    expect(rig.session.letGo()).toBe(true);
    expect(rig.leg.hasMoved).toBe(true);
    const sent = rig.leg.sent.length;
    await rig.silence(2000);
    expect(rig.leg.sent.length).toBe(sent);
    expect(rig.leg.endedWith).toBeUndefined();
    expect(rig.session.letGo()).toBe(false);
    await rig.silence(15_000);
    await rig.session.finished;
  });

  test('a model that is asked for a call that belongs to another process now is stopped', async () => {
    rig = new SessionRig({ replies: [{ hangs: true }] });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Are you there?');
    await rig.silence(1000);
    const { aborted } = rig.llm;
    rig.taken = true;
    await rig.speak('Hello?');
    await rig.session.finished;
    expect(rig.llm.aborted).toBe(aborted + 1);
  });

  test.each([
    ['joined by the process that owns the call', false, ['joined']],
    ['left alone by one that has lost it, even as its call ends', true, []],
  ])('recordings are %s', async (_what, taken, expected) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-session-'));
    try {
      const joins: string[] = [];
      rig = new SessionRig({
        recordingPath: join(folder, 'call.wav'),
        earlierRecordings: {
          async join() {
            joins.push('joined');
            return undefined;
          },
          remove: async () => expect.unreachable('nobody refused the recording'),
        },
      });
      rig.session.answered();
      await rig.silence(500);
      // It learns of the other one by the line that ends its call.
      rig.taken = taken;
      rig.session.hangup();
      await rig.session.finished;
      expect(joins).toEqual(expected);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a socket that breaks in a reply and comes back: the rest is heard, and the call goes on', async () => {
    rig = new SessionRig({
      replies: [{ text: ['One two three four five six seven eight. '] }, { text: ['Yes.'] }],
    });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Please count.');
    await rig.silence(1300);
    rig.leg.break();
    rig.session.lost();
    await rig.clock.advance(5000);
    rig.session.resumed();
    await rig.silence(3000);
    expect(rig.transcript.at(-1)).toBe('assistant: One two three four five six seven eight.');
    await rig.speak('Are you there?');
    await rig.silence(2000);
    expect(rig.transcript.at(-1)).toBe('assistant: Yes.');
  });

  test('[E4] a socket that does not come back ends the call, and nobody is said to have ended it', async () => {
    rig = new SessionRig({ replies: [{ text: ['One two three four five six seven eight. '] }] });
    rig.session.answered();
    await rig.silence(1500);
    await rig.speak('Please count.');
    await rig.silence(1300);
    rig.leg.break();
    rig.session.lost();
    await rig.clock.advance(16_000);
    await rig.session.finished;
    expect(rig.record).toMatchObject({ status: 'finished', endReason: 'connection-lost' });
    expect(rig.record.endTrigger).toBeUndefined();
    expect(rig.transcript.at(-1)).toMatch(/^assistant: One two( three)?( four)?$/);
  });
});

test('connections are readied at the answer and whenever the caller begins to speak', async () => {
  let warmed = 0;
  const rig = new SessionRig({ warm: () => warmed++ });
  rig.session.answered();
  expect(warmed).toBe(1);
  await rig.silence(400);
  await rig.speak('hello');
  expect(warmed).toBe(2);
  rig.session.hangup();
  await rig.session.finished;
});

test('what the call used is on its record once everything is closed', async () => {
  const rig = new SessionRig({
    bill: () => ({
      usage: [{ kind: 'stt', vendor: 'v', requests: rig.stt.line.closed ? 1 : 0, audioMs: 5 }],
    }),
  });
  rig.session.answered();
  await rig.silence(200);
  rig.session.hangup();
  await rig.session.finished;
  expect(rig.record.usage).toEqual([{ kind: 'stt', vendor: 'v', requests: 1, audioMs: 5 }]);
});
