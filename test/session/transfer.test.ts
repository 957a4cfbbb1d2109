import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import type { CallSettings, TransferMode } from '../../src/engine/settings/settings.ts';
import { callSettings } from '../support/call-settings.ts';
import { ScriptedLlm, type ScriptedReply } from '../support/scripted-llm.ts';
import type { ScriptedOperator } from '../support/scripted-operator.ts';
import { SessionRig } from '../support/session-rig.ts';

const USAGE = { inputTokens: 70, outputTokens: 3 };
const SUMMARY = 'A caller asks for a table.';
const BACK = 'Nobody can take it, can I help?';
const CALLER_LEFT = callSettings().lines.callerLeft;

/** Answers as the model of the caller's call, and of the talk with the operator. */
function model(decision?: string): (clock: SessionRig['clock']) => ScriptedLlm {
  return (clock) =>
    new ScriptedLlm(clock, ({ messages, tools = [] }): ScriptedReply => {
      const prompt = messages.map(({ content }) => content).join('\n');
      if (tools.some(({ name }) => name === 'voicemail')) {
        return decision === undefined
          ? { text: ['Can you take it?'] }
          : { toolCalls: [{ id: 'd1', name: decision, arguments: '{}' }], usage: USAGE };
      }
      return prompt.includes('Write what you say to') &&
        !prompt.includes('could not be put through')
        ? { text: [SUMMARY] }
        : { text: [BACK] };
    });
}

const STARTED_AT = 1_700_000_000_000;

let rig: SessionRig;

afterEach(async () => {
  rig.session.hangup();
  await rig.clock.advance(20_000);
  await rig.session.finished;
  expect(rig.clock.nextDueAt()).toBeUndefined();
  expect(rig.ticker.size).toBe(0);
  expect(rig.stt.streams.every((stream) => stream.closed)).toBe(true);
  for (const { leg, hungUp } of rig.operators.dialled) {
    expect(leg.endedWith !== undefined || hungUp || leg.sent.length === 0).toBe(true);
  }
});

/** A call in which the caller has been told that they are put through, and the operator's telephone rings. */
async function ringing(
  mode: TransferMode,
  more: Partial<CallSettings['transfer']> = {},
  decision?: string,
  recordingPath?: string,
): Promise<ScriptedOperator> {
  rig = new SessionRig({
    llm: model(decision),
    ...(recordingPath ? { recordingPath } : {}),
    settings: {
      transfer: {
        ...callSettings().transfer,
        toolEnabled: true,
        mode,
        phoneNumber: '+14155550123',
        name: 'Anna',
        timeoutMs: 20_000,
        ...more,
      },
    },
  });
  rig.session.answered();
  await rig.silence(2000);
  expect(await rig.session.control({ type: 'control.forward' })).toEqual({ outcome: 'accepted' });
  await rig.silence(3000);
  const operator = rig.operators.last;
  operator.events.ringing();
  await rig.silence(1000);
  return operator;
}

/** Both parties make a sound for so long; each at its own rate. */
async function both(operator: ScriptedOperator, ms: number): Promise<void> {
  for (let elapsed = 0; elapsed < ms; elapsed += 20) {
    await rig.clock.advance(20);
    rig.session.audio(new Int16Array(320).fill(1000));
    operator.speak(3000);
  }
}

const loudest = (chunks: readonly { readonly pcm: Int16Array }[]) =>
  chunks.flatMap(({ pcm }) => [...pcm]).reduce((most, sample) => Math.max(most, sample), 0);

describe('a transfer that succeeds', () => {
  test.each(['blind', 'announced'] as const)(
    '[X2] [X3] [X4] [X5] %s: both hear each other, and nobody else listens',
    async (mode) => {
      const operator = await ringing(mode, { extension: '12' });
      operator.answer();
      await rig.silence(mode === 'blind' ? 100 : 4000);
      expect(operator.keys).toEqual(['12']);
      expect(rig.tts.texts.includes(SUMMARY)).toBe(mode === 'announced');
      expect(rig.stt.streams.every(({ closed }) => closed)).toBe(true);
      const [toCaller, toOperator] = [rig.leg.sent.length, operator.leg.sent.length];
      const asked = rig.llm.requests.length;
      await both(operator, 2000);
      expect(loudest(rig.leg.sent.slice(toCaller))).toBeGreaterThan(2900);
      expect(loudest(operator.leg.sent.slice(toOperator))).toBeGreaterThan(950);
      expect(rig.leg.maxLeadMs).toBeLessThanOrEqual(200);
      expect(operator.leg.maxLeadMs).toBeLessThanOrEqual(200);
      expect(rig.llm.requests).toHaveLength(asked);
      await rig.silence(200);
      expect(rig.record).toMatchObject({ status: 'forwarded' });
      expect(rig.record.endAt).toBeUndefined();

      operator.hangUp();
      await rig.silence(200);
      expect(rig.leg.endedWith).toBe('transferred');
      expect(rig.record).toMatchObject({ status: 'forwarded', endReason: 'transferred' });
      expect(rig.record.endAt).toBeGreaterThan(0);
    },
  );

  test('[X4] [X5] conversational: a second mind asks, and joins them when the operator accepts', async () => {
    const operator = await ringing('conversational', {}, 'accept');
    operator.answer();
    for (let elapsed = 0; elapsed < 2500; elapsed += 20) {
      await rig.clock.advance(20);
      rig.session.audio(new Int16Array(320));
      operator.speak(0);
    }
    expect(loudest(operator.leg.sent)).toBeGreaterThan(1900);
    // Its recogniser expects what operators answer in this language.
    expect(rig.stt.line.options.phrases).toContain('put them through');
    expect(rig.stt.streams[0]?.options.phrases).toEqual([]);
    for (let elapsed = 0; elapsed < 600; elapsed += 20) {
      await rig.clock.advance(20);
      rig.session.audio(new Int16Array(320));
      operator.speak(3000);
    }
    rig.stt.line.final('Yes, put them through.');
    for (let elapsed = 0; elapsed < 1500; elapsed += 20) {
      await rig.clock.advance(20);
      rig.session.audio(new Int16Array(320));
      operator.speak(0);
    }
    expect(rig.record.status).toBe('forwarded');
    expect(rig.stt.streams.every(({ closed }) => closed)).toBe(true);
    await both(operator, 500);
    expect(loudest(rig.leg.sent.slice(-5))).toBeGreaterThan(2900);
    const noted = rig.lines.filter(({ type, data }) => type === 'llm.usage' && data.briefing);
    expect(noted.map(({ data }) => data)).toEqual([{ briefing: true, ...USAGE }]);
  });

  test('[X5] whoever listens in hears the operator in place of the assistant', async () => {
    const operator = await ringing('blind');
    const heard: number[] = [];
    rig.session.listen({
      audio: (pcm) => void heard.push(...pcm.filter((_, i) => i % 2 === 1)),
      event: () => undefined,
      ended: () => undefined,
    });
    operator.answer();
    await both(operator, 1000);
    expect(heard.reduce((most, sample) => Math.max(most, sample), 0)).toBeGreaterThan(2900);
  });

  test('[X5] a key that the caller presses reaches the operator once they are connected', async () => {
    const operator = await ringing('blind');
    rig.session.dtmf('4');
    operator.answer();
    await both(operator, 500);
    rig.session.dtmf('5');
    await both(operator, 500);
    expect(operator.keys).toEqual(['5']);
  });

  test('[X2] blind: one that the carrier took over ends here, as forwarded', async () => {
    const operator = await ringing('blind');
    expect(operator.request).toMatchObject({ mayHandOver: true, to: '+14155550123' });
    operator.events.handedOver();
    await rig.silence(200);
    expect(rig.record).toMatchObject({ status: 'forwarded', endReason: 'transferred' });
    expect(rig.leg.endedWith).toBe('transferred');
  });

  test('[X2] blind: with an extension to be keyed, or a recording that goes on, the legs are kept', async () => {
    expect((await ringing('blind', { extension: '9' })).request.mayHandOver).toBe(false);
    rig.session.hangup();
    await rig.clock.advance(20_000);
    expect((await ringing('blind', { recordAfter: true })).request.mayHandOver).toBe(false);
  });

  test('[X5] the caller who hangs up ends both legs', async () => {
    const operator = await ringing('blind');
    operator.answer();
    await both(operator, 500);
    rig.session.hangup();
    await rig.silence(100);
    expect(operator.leg.endedWith).toBeDefined();
    expect(rig.record.status).toBe('forwarded');
  });
});

describe('[X5] the recording of a transferred call', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'parley-transfer-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  test.each([true, false])('recordAfterTransfer %s', async (recordAfter) => {
    const path = join(dir, 'call.wav');
    const operator = await ringing('blind', { recordAfter }, undefined, path);
    operator.answer();
    await rig.silence(100);
    const joinedMs = rig.clock.now() - STARTED_AT;
    await both(operator, 2000);
    operator.hangUp();
    await rig.silence(200);
    await rig.session.finished;

    const wav = parseWav(await readFile(path));
    const [caller, other] = wav.channels;
    const middle = ((joinedMs + 1000) * wav.sampleRateHz) / 1000;
    if (recordAfter) {
      expect(Math.abs((caller?.[middle] ?? 0) - 1000)).toBeLessThan(50);
      expect(Math.abs((other?.[middle] ?? 0) - 3000)).toBeLessThan(150);
    } else {
      expect(((caller?.length ?? 0) * 1000) / wav.sampleRateHz).toBeLessThan(joinedMs + 100);
    }
  });
});

type Fail = (operator: ScriptedOperator) => void | Promise<void>;

const BEFORE_ANSWER: Readonly<Record<string, Fail>> = {
  busy: ({ events }) => events.failed('busy', 'busy'),
  'no-answer': ({ events }) => events.failed('no-answer', 'no-answer'),
  'line-error': ({ events }) => events.failed('line-error', 'failed'),
  timeout: () => rig.silence(20_000),
};

describe('a transfer that fails brings the caller back', () => {
  const cases = (['blind', 'announced', 'conversational'] as const).flatMap((mode) =>
    Object.entries(BEFORE_ANSWER).map(([failure, fail]) => ({ mode, failure, fail })),
  );

  test.each(cases)('[X6] $mode: $failure', async ({ mode, failure, fail }) => {
    const operator = await ringing(mode);
    await fail(operator);
    await backWithAssistant(failure);
    expect(operator.leg.sent).toEqual([]);
    if (failure === 'timeout') expect(operator.hungUp).toBe(true);
  });

  test.each(['announced', 'conversational'] as const)(
    '[X6] %s: operator-left while they were told',
    async (mode) => {
      const operator = await ringing(mode);
      operator.answer();
      await rig.silence(500);
      operator.hangUp();
      await backWithAssistant('operator-left');
    },
  );

  test.each(['declined', 'voicemail'] as const)('[X6] conversational: %s', async (failure) => {
    const operator = await ringing(
      'conversational',
      {},
      failure === 'declined' ? 'decline' : 'voicemail',
    );
    operator.answer();
    for (let elapsed = 0; elapsed < 4000; elapsed += 20) {
      await rig.clock.advance(20);
      rig.session.audio(new Int16Array(320));
      operator.speak(elapsed >= 2500 && elapsed < 3100 ? 3000 : 0);
      if (elapsed === 3160) rig.stt.line.final('No, sorry, not now.');
    }
    await backWithAssistant(failure);
    expect(operator.leg.endedWith).toBe(failure);
  });

  test('[X6] a second try may succeed', async () => {
    const first = await ringing('blind');
    first.events.failed('busy', 'busy');
    await backWithAssistant('busy');
    await rig.session.control({ type: 'control.forward', to: '+14155550199' });
    await rig.silence(3000);
    const second = rig.operators.last;
    expect(second.request.to).toBe('+14155550199');
    second.answer();
    await rig.silence(200);
    expect(rig.record.status).toBe('forwarded');
  });

  test('[X6] an operator whose line is lost for good has left', async () => {
    const operator = await ringing('announced');
    operator.answer();
    await rig.silence(300);
    operator.sink?.lost('socket-closed');
    await rig.silence(5100);
    await backWithAssistant('operator-left');
  });
});

describe('[X7] a caller who hangs up before they are joined', () => {
  test('while it rings: the dialling is cancelled', async () => {
    const operator = await ringing('announced');
    rig.session.hangup();
    await rig.silence(100);
    expect(operator.hungUp).toBe(true);
    expect(rig.lines.map(({ type }) => type)).toContain('operator.ringing');
    expect(rig.record).toMatchObject({ status: 'finished', endReason: 'user-hung-up' });
    await rig.session.finished;
  });

  test.each(['announced', 'conversational'] as const)(
    'while the operator is told (%s): they are told so and let go',
    async (mode) => {
      const operator = await ringing(mode);
      operator.answer();
      await rig.silence(500);
      rig.session.hangup();
      await rig.silence(600);
      expect(rig.tts.texts.at(-1)).toBe(CALLER_LEFT);
      expect(operator.leg.endedWith).toBeUndefined();
      await rig.clock.advance(9000);
      await rig.session.finished;
      expect(operator.leg.endedWith).toBe('user-hung-up');
    },
  );
});

/** The assistant has the caller again: the model was told why, and one reply was heard. */
async function backWithAssistant(failure: string): Promise<void> {
  await rig.silence(2500);
  const told = rig.llm.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
  expect(told.join('\n')).toContain(`could not be put through to Anna: ${failure}`);
  expect(rig.transcript.filter((line) => line === `assistant: ${BACK}`)).toHaveLength(1);
  expect(rig.record.status).toBe('ongoing');
  expect(rig.stt.streams[0]?.closed).toBe(false);
  expect(rig.lines.filter(({ type }) => type === 'failure').map(({ data }) => data)).toMatchObject([
    { code: 'transfer-failed', cause: { code: failure } },
  ]);
}

describe('a transfer whose process dies', () => {
  /** The next process goes on with the call after a gap; the operator's telephone is in the hand of the test. */
  async function takenOver(recordingPath?: string): Promise<void> {
    const died = rig;
    died.session.taken();
    await died.clock.advance(20_000);
    await died.session.finished;
    rig = new SessionRig({
      goesOnFrom: died.lines,
      llm: model(),
      ...(recordingPath ? { recordingPath } : {}),
    });
    await rig.clock.advance(died.clock.now() + 500 - rig.clock.now());
    if (!rig.restored) throw new Error('the call was not restored');
    rig.session.takenOver(rig.restored);
    await rig.silence(100);
  }

  test('[R6] bridged: the two hear each other again, and nobody else listens or speaks', async () => {
    const before = await ringing('blind');
    before.answer();
    await rig.silence(1000);
    await takenOver();
    // The process that lost the call hangs up nobody.
    expect(before).toMatchObject({ hasLeft: true, hungUp: false, leg: { hasMoved: true } });
    expect(before.leg.endedWith).toBeUndefined();
    const [operator] = rig.operators.resumed;
    if (!operator) throw new Error('the leg was not asked for');
    expect(operator.request).toEqual({ callId: 'WC-test', legId: 1 });
    await rig.voice(500);
    expect(loudest(rig.leg.sent)).toBe(0);
    operator.answer();
    await both(operator, 1000);
    expect(loudest(rig.leg.sent)).toBeGreaterThan(2900);
    expect(loudest(operator.leg.sent)).toBeGreaterThan(950);
    expect([rig.tts.texts, rig.llm.requests]).toEqual([[], []]);
    expect(rig.stt.streams.filter(({ closed }) => !closed)).toEqual([]);
    operator.hangUp();
    await rig.silence(200);
    expect(rig.record).toMatchObject({ status: 'forwarded', endReason: 'transferred' });
  });

  test('[R6] bridged: a caller who hangs up before the operator is back releases them', async () => {
    (await ringing('blind')).answer();
    await rig.silence(1000);
    await takenOver();
    rig.session.hangup();
    await rig.silence(200);
    expect(rig.operators.resumed[0]?.hungUp).toBe(true);
    expect(rig.leg.endedWith).toBeDefined();
  });

  test('[R6] bridged: it may be left once more before the operator is back, who keeps the line', async () => {
    (await ringing('blind')).answer();
    await rig.silence(1000);
    await takenOver();
    const [operator] = rig.operators.resumed;
    let hadLeft: boolean | undefined;
    const left = rig.session.handOver(
      { untilMs: rig.clock.now(), mayLeave: () => true },
      async () => {
        hadLeft = operator?.hasLeft;
      },
    );
    await rig.clock.advance(1000);
    await left;
    // A carrier that asks earlier would find that this process still has the call.
    expect(hadLeft).toBe(false);
    expect(operator).toMatchObject({ hasLeft: true, hungUp: false });
    expect(rig.leg.hasMoved).toBe(true);
  });

  test.each(['ringing', 'briefed'] as const)(
    '[R6] [X6] %s: the leg of the dead process is hung up, and the caller is told and goes on',
    async (place) => {
      const operator = await ringing('conversational');
      if (place === 'briefed') {
        operator.answer();
        await rig.silence(4000);
      }
      await takenOver();
      expect(rig.operators.released).toEqual([{ callId: 'WC-test', legId: 1 }]);
      await rig.silence(4000);
      expect(rig.tts.texts).toContain(BACK);
      await rig.speak('Then when are you open?');
      const asked = rig.llm.requests.length;
      await rig.silence(3000);
      expect(rig.llm.requests.length).toBeGreaterThanOrEqual(asked);
      expect(rig.record.endAt).toBeUndefined();
    },
  );
});
