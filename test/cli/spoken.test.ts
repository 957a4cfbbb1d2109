import { describe, expect, onTestFinished, test } from 'vitest';
import { rmsDb } from '../../src/audio/level.ts';
import { lineNoise, noiseAt, pinkNoise } from '../../src/audio/room-noise.ts';
import { Track } from '../../src/audio/track.ts';
import { parseTestOptions } from '../../src/cli/assistant-test/options.ts';
import { ScriptServer } from '../../src/cli/spoken/script-server.ts';
import { conditionTable, measuredIn } from '../../src/cli/spoken/spoken-report.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { createOfflineTts } from '../../src/providers/offline/tts/adapter.ts';
import { parseTests } from '../../src/testing/parse-tests.ts';
import { atLevel, CallerVoice } from '../../src/testing/spoken/caller-voice.ts';
import { LINE_CONDITIONS } from '../../src/testing/spoken/manners.ts';
import { echoRoom, loopRoom, lossyRoom } from '../../src/testing/spoken/rooms.ts';
import { assistantOf, vendorFault } from '../../src/testing/spoken/spoken-assistant.ts';
import { figuresOf, resultOf } from '../../src/testing/spoken/spoken-result.ts';
import { turnsOf } from '../../src/testing/spoken/spoken-turns.ts';
import { brokenTest } from '../../src/testing/test-result.ts';

const FRAME = 320;
const talk = {
  turns: [
    { say: 'Hello', expect: [] },
    { say: 'Goodbye', expect: [] },
  ],
};

function testOf(source: object) {
  const parsed = parseTests(JSON.stringify({ tests: [{ name: 'one', ...source }] }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  const [only] = parsed.tests;
  if (!only) throw new Error('there is no test');
  return only;
}

describe('what a caller does in a condition', () => {
  test('who interrupts says the same again over the answer', () => {
    expect(turnsOf(talk, { over: 'interrupts' })).toEqual([
      { turn: talk.turns[0], index: 0 },
      { turn: { say: 'Hello', expect: [] }, overMs: 1000 },
      { turn: talk.turns[1], index: 1 },
      { turn: { say: 'Goodbye', expect: [] }, overMs: 1000 },
    ]);
  });

  test('who assents does so over answers that the test leaves alone', () => {
    const turns = [
      { say: 'Hello', expect: [] },
      { say: 'Wait', afterMs: 300, expect: [] },
      { press: '1', expect: [] },
    ];
    expect(turnsOf({ turns }, { over: 'backchannels' })).toEqual([
      { turn: turns[0], index: 0 },
      { turn: turns[1], index: 1, overMs: 300 },
      { turn: turns[2], index: 2 },
    ]);
    expect(turnsOf(talk, { over: 'backchannels' })).toHaveLength(4);
  });

  test('who thinks is silent first, and a caller whom only a model plays cannot be spoken', () => {
    expect(turnsOf(talk, { silenceSeconds: 4 })?.[0]).toEqual({
      turn: { waitSeconds: 4, expect: [] },
    });
    const persona = { goal: 'x', about: '', maxTurns: 3 };
    expect(turnsOf({ persona }, {})).toBeUndefined();
    expect(turnsOf({ persona: { ...persona, script: ['Hello'] } }, {})).toHaveLength(1);
  });
});

describe('what a microphone picks up', () => {
  const speaker = new Track();

  test.each([
    ['pink', pinkNoise(16_000, 3)],
    ['line', lineNoise(16_000, 3, 16_000)],
  ])('%s noise has its level, and is the same for the same seed', (_, noise) => {
    expect(rmsDb(noiseAt(noise, -38))).toBeCloseTo(-38, 0);
    const frame = new Int16Array(FRAME);
    loopRoom(noiseAt(noise, -38))(frame, 640, speaker);
    expect(frame).toEqual(noiseAt(noise, -38).subarray(640, 960));
    expect(pinkNoise(100, 5)).toEqual(pinkNoise(100, 5));
  });

  test('an echo is the loudspeaker, later and softer', () => {
    speaker.write(new Int16Array(FRAME).fill(10_000), 0);
    const frame = new Int16Array(FRAME);
    const echo = echoRoom(-20, 2 * FRAME);
    echo(frame, FRAME, speaker);
    expect(frame.every((sample) => sample === 0)).toBe(true);
    echo(frame, 2 * FRAME, speaker);
    expect(frame[0]).toBe(1000);
  });

  test('a bad line loses its share of packets, in bursts', () => {
    const line = lossyRoom(0.05, 7);
    const lost = Array.from({ length: 20_000 }, (_, n) => {
      const frame = new Int16Array(FRAME).fill(1);
      line(frame, n * FRAME, speaker);
      return frame[0] === 0;
    });
    const share = lost.filter(Boolean).length / lost.length;
    expect(share).toBeGreaterThan(0.04);
    expect(share).toBeLessThan(0.06);
    const bursts = lost.filter((is, n) => is && !lost[n - 1]).length;
    expect(lost.filter(Boolean).length / bursts).toBeGreaterThan(1.6);
  });
});

test('the voices speak at other speeds and pitches', async () => {
  const tts = createOfflineTts({ clock: systemClock });
  onTestFinished(() => tts.close());
  const voice = new CallerVoice(tts);
  const say = async (manner: object) =>
    (await voice.speak('Where is my pizza?', 16_000, manner)).pcm;
  const [own, fast, high] = [await say({}), await say({ speed: 1.3 }), await say({ pitch: 1.2 })];
  expect(own.length).toBeGreaterThan(1.2 * fast.length);
  // Higher, and as long.
  expect(high.length / own.length).toBeGreaterThan(0.9);
  expect(high.length / own.length).toBeLessThan(1.1);
  expect(high).not.toEqual(own);
  expect(rmsDb(atLevel(own, -23))).toBeCloseTo(-23, 1);
});

test('vendors are not asked by spoken tests', () => {
  const scripted = testOf({ turns: [{ say: 'x' }], model: [{ say: 'y' }] });
  const { model: _, ...own } = scripted;
  expect(vendorFault({ assistantProvider: 'openai' }, [scripted])).toBeUndefined();
  expect(vendorFault({ assistantProvider: 'openai' }, [own])).toContain('“one”');
  const speech = { stt: { vendor: 'deepgram' } };
  expect(vendorFault({ config: { speech } }, [scripted])).toContain('deepgram');
  const lines = ['Where is it?', 'Where is it?'];
  expect(assistantOf({ hints: ['Ada'] }, scripted, { modelUrl: 'http://x', lines })).toMatchObject({
    hints: ['Ada', 'Where is it?'],
    assistantProvider: 'custom-llm',
    assistantLLMUrl: 'http://x',
    config: { speech: { stt: { vendor: 'offline' }, ttsData: [{ vendor: 'offline' }] } },
  });
});

test('the script server plays the model and the tools of each call apart', async () => {
  await using scripts = await ScriptServer.start();
  const call = (name: string) => ({
    test: testOf({
      turns: [{ say: 'x' }],
      model: [{ say: `I am ${name}.` }],
      tools: { look: [{ when: { n: 1 }, result: { of: name } }] },
    }),
    problems: [] as string[],
    notes: new Set<string>(),
  });
  const [ada, eve] = [call('Ada'), call('Eve')];
  const { modelUrl } = scripts.add('a', ada);
  scripts.add('e', eve);
  const post = async (url: string, body: object) =>
    (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).text();
  const messages = [{ role: 'user', content: 'Hello' }];
  expect(await post(`${modelUrl}/chat/completions`, { messages })).toContain('I am Ada.');
  const ask = (n: number) =>
    post(scripts.toolUrl, {
      message: {
        call: { metadata: { spokenTest: 'e' } },
        toolCallList: [{ id: 't', name: 'look', parameters: { n } }],
      },
    });
  expect(JSON.parse(await ask(1))).toEqual({
    results: [{ toolCallId: 't', result: '{"of":"Eve"}' }],
  });
  await ask(2);
  expect(eve.problems).toEqual(['no answer of look fits the arguments {"n":2}']);
  expect(ada.problems).toEqual([]);
});

test('a reply that stops for nobody is lost, and words count by the record', () => {
  const beganAt = Date.parse('2026-01-05T09:00:01Z');
  const turn = (say: string, fromMs: number, toMs: number) => ({
    turn: { say, expect: [] },
    fromMs,
    toMs,
  });
  const [asked, over] = [turn('Where is my pizza?', 1000, 2000), turn('And my salad?', 5000, 6000)];
  const figures = figuresOf({
    spoken: {
      ...{ callId: 'c', beganAt, durationMs: 9000, turns: [asked, over] },
      measured: [
        { name: '', turn: asked, answerMs: 700 },
        { name: '', turn: over, answerMs: -300, bargeInStopMs: 200 },
      ],
    },
    record: {
      startAt: '2026-01-05T09:00:00Z',
      messages: [{ role: 'user', text: 'Where is the pizza? And my' }],
    } as never,
    // The call began a second before its caller's clock.
    events: [4800, 6500].map((at) => JSON.stringify({ at, type: 'play.cleared' })).join('\n'),
  });
  expect(figures).toEqual({
    ...{ wordsSaid: 7, wordsHeard: 5, turns: 2, answered: 2, answersMs: [700], stopsMs: [200] },
    ...{ cutIns: 1, lostReplies: 1 },
  });
});

test('an answer belongs to its turn, however long the call waited between being asked for and being held', async () => {
  const beganAt = Date.parse('2026-01-05T09:00:03Z');
  const line = (at: number, type: string, data: object) => JSON.stringify({ at, type, data });
  const result = await resultOf(
    testOf({ turns: [{ say: 'When?', expect: [{ contains: 'at ten' }, { tool: 'look' }] }] }),
    {
      spoken: {
        ...{ callId: 'c', beganAt, durationMs: 9000, measured: [] },
        turns: [{ turn: { say: 'When?', expect: [] }, index: 0, fromMs: 2400, toMs: 3000 }],
      },
      record: {
        startAt: '2026-01-05T09:00:00Z',
        messages: [
          { messageId: 'a', role: 'assistant', text: 'At ten.', timestamp: '2026-01-05T09:00:07Z' },
        ],
      },
      events: [
        line(0, 'call.created', { startedAt: beganAt }),
        line(3500, 'tool.invoke', { name: 'look' }),
      ].join('\n'),
      scripts: { problems: [], notes: new Set<string>() },
    },
    () => Promise.reject(new Error('nobody judges')),
  );
  expect(result).toMatchObject({ status: 'passed', transcript: [{ atMs: 4000 }] });
});

test('conditions are judged by who judges; an answer that the service’s own tool did not take breaks the test', async () => {
  const ended = {
    spoken: {
      ...{ callId: 'c', beganAt: 0, durationMs: 9000, measured: [] },
      turns: [{ turn: { say: 'x', expect: [] }, index: 0, fromMs: 0, toMs: 100 }],
    },
    record: { startAt: '1970-01-01T00:00:00Z', messages: [] } as never,
    events: JSON.stringify({ at: 1, type: 'tool.invoke', data: { name: 'appointmentBook' } }),
    scripts: { problems: [], notes: new Set<string>(), ranOwnTools: true },
  };
  const judged = { turns: [{ say: 'x', expect: [{ judge: 'It is kind.' }] }] };
  const resultBy = (source: object, judge: Parameters<typeof resultOf>[2]) =>
    resultOf(testOf(source), ended, judge);
  const yes = async () => ({ met: true, reason: '' });
  expect(await resultBy(judged, yes)).toMatchObject({ status: 'passed' });
  const no = async () => ({ met: false, reason: 'It is curt.' });
  expect(await resultBy(judged, no)).toMatchObject({
    status: 'failed',
    conditions: [{ verdict: 'unmet', detail: 'It is curt.' }],
  });
  const down = () => Promise.reject(new Error('down'));
  expect(await resultBy(judged, down)).toMatchObject({ status: 'not-judged' });
  const tools = { appointmentBook: [{ result: 'booked' }] };
  expect(await resultBy({ ...judged, tools }, yes)).toMatchObject({
    status: 'broken',
    reason: expect.stringContaining('appointmentBook for real'),
  });
});

test('figures are summed up by condition', () => {
  const figures = {
    ...{ wordsSaid: 10, wordsHeard: 9, turns: 2, answered: 1, answersMs: [700, 900] },
    ...{ stopsMs: [200], cutIns: 1, lostReplies: 0 },
  };
  const passed = { ...brokenTest('a', ''), status: 'passed' as const };
  const { conditions, all } = measuredIn([
    { condition: 'clean', file: 'f', result: passed, figures },
    { condition: 'echo', file: 'f', result: brokenTest('a', 'no call') },
    { condition: 'clean', file: 'f', result: brokenTest('b', 'x'), figures },
  ]);
  const [clean, echo] = conditions;
  expect(clean).toEqual({
    ...{ condition: 'clean', calls: 2, passed: 1, recognised: 0.9, answered: 0.5 },
    ...{ heardP50Ms: 900, heardP95Ms: 900, heardP99Ms: 900, stopP50Ms: 200 },
    ...{ cutIns: 2, lostReplies: 0 },
  });
  expect(echo).toEqual({ condition: 'echo', calls: 1, passed: 0, cutIns: 0, lostReplies: 0 });
  expect(conditionTable([all]).split('\n')[1]).toMatch(/^all +3 +1 +90 % +50 % /);
});

test('options of spoken tests', () => {
  const parse = (...args: string[]) =>
    parseTestOptions(['a.yaml', '--assistant', 'a.json', ...args]);
  expect(parse()?.spoken).toBeUndefined();
  expect(parse('--spoken')).toMatchObject({ spoken: [], atOnce: 10 });
  expect(parse('--calls', '100', '--at-once', '20')).toMatchObject({ calls: 100, atOnce: 20 });
  expect(parse('--conditions', 'echo, loss')?.spoken).toEqual(['echo', 'loss']);
  expect(parse('--via', 'emulator')).toMatchObject({ spoken: [], via: 'emulator' });
  expect(parse('--spoken')?.via).toBe('web');
  expect(() => parse('--via', 'twilio')).toThrow('--via twilio is unknown: web, emulator');
  expect(() => parse('--conditions', 'rain')).toThrow(/--conditions rain: must be of clean, fast/);
  expect(() => parse('--calls', '0')).toThrow('--calls 0: must be a number from 1 to 10000');
  expect(new Set(LINE_CONDITIONS.map(({ name }) => name)).size).toBe(LINE_CONDITIONS.length);
});
