import { describe, expect, test } from 'vitest';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import type { CallSettings, TransferMode } from '../../src/engine/settings/settings.ts';
import { CallHarness, type World } from '../support/call-harness.ts';
import { callSettings } from '../support/call-settings.ts';

const ANNOUNCEMENT = "I'll put you through. One moment, please.";

/** A call whose assistant may put callers through. */
function office(
  mode: TransferMode,
  world: World = {},
  more: Partial<CallSettings['transfer']> = {},
) {
  const { transfer } = callSettings();
  return new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
      transfer: {
        ...transfer,
        toolEnabled: true,
        mode,
        phoneNumber: '+14155550123',
        name: 'Anna',
        timeoutMs: 20_000,
        ...more,
      },
    },
  }).answer();
}

const asked = (...how: Parameters<typeof office>) =>
  office(...how).at(1000, { type: 'control.forward' });

/** Dialled once the announcement has sounded, from 1100 on, six words of 300 ms. */
const DIALLED = 1000 + 100 + 7 * 300;

const operator = (type: 'ringing' | 'answered' | 'accepted' | 'hungUp', legId = 1): CallEvent => ({
  type: `operator.${type}`,
  legId,
});

const statuses = (call: CallHarness) =>
  call.of('status').map(({ status, phoneCallStatus }) => [status, phoneCallStatus]);

describe('a transfer', () => {
  test('[X1] is announced to the end whatever the caller says, then dialled under music', () => {
    const call = asked('announced');
    call.says(1500, 'Wait, one more question please.');
    call.runTo(6000);
    expect(call.spoken).toEqual([ANNOUNCEMENT]);
    expect(call.of('play.clear')).toEqual([]);
    expect(call.of('hold.music')).toEqual([{ type: 'hold.music', on: true, at: DIALLED }]);
    expect(call.of('leg.dial')).toMatchObject([
      { legId: 1, to: '+14155550123', name: 'Anna', mode: 'announced', at: DIALLED },
    ]);
    expect(call.of('llm.start').every(({ toolChoice }) => toolChoice === 'none')).toBe(true);
  });

  test.each([
    ['Anna', 'through to Anna by telephone'],
    ['', 'through to a human colleague by telephone'],
  ])('the model knows to whom it may put callers through: %j', (name, described) => {
    const call = office('blind', {}, { name });
    call.says(1000, 'Hello there.');
    call.runTo(4000);
    const [request] = call.of('llm.start');
    const tool = request?.tools.find((offered) => offered.name === 'callForward');
    expect(tool?.description).toContain(described);
  });

  test('[X1] nothing is prompted and no key counts while the caller is on hold', () => {
    const call = asked('announced', { settings: { dtmfInput: true } });
    call.at(5000, { type: 'dtmf', digit: '1' }).runTo(22_000);
    expect(call.spoken).toEqual([ANNOUNCEMENT]);
    expect(call.transcript).toEqual([`assistant: ${ANNOUNCEMENT}`]);
  });

  test('[X1] by the model: what it says is the announcement, when it says anything', () => {
    for (const pieces of [['I am putting you through to Anna.'], []]) {
      const call = office('announced', {
        model: () => ({ pieces, calls: [{ id: 't1', name: 'callForward' }] }),
      });
      call.says(1000, 'Can I talk to a person?');
      call.runTo(9000);
      expect(call.spoken).toEqual(pieces.length > 0 ? pieces : [ANNOUNCEMENT]);
      expect(call.of('leg.dial')).toHaveLength(1);
    }
  });

  test('[X1] by the model: a caller who interrupts it is not put through', () => {
    const call = office('announced', {
      model: (_text, n) =>
        n === 0
          ? {
              pieces: ['Then I am going to put you through to my colleague Anna right away.'],
              calls: [{ id: 't1', name: 'callForward' }],
            }
          : 'All right, I stay.',
    });
    const end = call.says(1000, 'Can I talk to a person?');
    call.says(end + 2200, 'No wait, I would rather ask you.');
    call.runTo(15_000);
    expect(call.of('leg.dial')).toEqual([]);
    expect(call.spoken.at(-1)).toBe('All right, I stay.');
    expect(JSON.stringify(call.context)).toContain('not transferred');
  });

  test('[X2] blind: dialled, the extension keyed, the call left to them', () => {
    const call = asked('blind', {}, { extension: '12', recordAfter: true });
    call.at(6000, operator('ringing')).at(9000, operator('answered')).runTo(10_000);
    expect(call.of('leg.dial')[0]).toMatchObject({ mode: 'blind', keepLegs: true });
    expect(call.of('leg.dtmf')).toMatchObject([{ legId: 1, digits: '12' }]);
    expect(call.of('leg.bridge')).toMatchObject([{ legId: 1, record: true, at: 9000 }]);
    expect(call.of('llm.start')).toEqual([]);
    expect(statuses(call)).toEqual([
      ['ongoing', 'in-progress'],
      ['forwarded', 'in-progress'],
    ]);
    call.at(60_000, operator('hungUp')).runTo(61_000);
    expect(statuses(call).at(-1)).toEqual(['forwarded', 'completed']);
    expect(call.of('finish')).toMatchObject([{ status: 'forwarded', endReason: 'transferred' }]);
  });

  test('[X2] blind: one that the carrier takes over ends the call here, as forwarded', () => {
    const call = asked('blind').at(5000, operator('accepted')).runTo(6000);
    expect(call.of('leg.bridge')).toEqual([]);
    expect(call.of('finish')).toMatchObject([{ status: 'forwarded', at: 5000 }]);
  });

  test('[X3] [X4] warm: the operator is told a summary, which is made while it rings', () => {
    const call = asked('announced', { model: () => 'A caller wants a table for two.' });
    call.at(9000, operator('answered')).runTo(9000);
    expect(call.of('llm.start')).toMatchObject([{ at: DIALLED, tools: [] }]);
    const [brief] = call.of('leg.brief');
    expect(brief).toMatchObject({ legId: 1, at: 9000 });
    expect(brief?.settings.welcome.message).toBe('A caller wants a table for two.');
    expect(brief?.settings.tools).toEqual([]);
    // Nothing of it is the caller's to hear.
    call.runTo(15_000);
    expect(call.spoken).toEqual([ANNOUNCEMENT]);
  });

  test('[X4] a summary that does not come keeps nobody waiting', () => {
    const call = asked('conversational', { model: () => ({ silent: true }) });
    call.at(5000, operator('answered')).runTo(20_000);
    const [brief] = call.of('leg.brief');
    expect(brief?.at).toBe(8000);
    expect(brief?.settings.welcome.message).toBe('A caller is on the line for you.');
    expect(brief?.settings.tools).toHaveLength(3);
    expect(call.of('llm.cancel')).toHaveLength(1);
  });

  test('[X4] an operator who answers before the summary is made waits for it', () => {
    const call = asked('announced', { model: () => 'A table for two.', modelMs: 2500 });
    call.at(DIALLED + 1000, operator('answered')).runTo(9000);
    // The only piece comes after 2500 ms, the end 50 ms later.
    expect(call.of('leg.brief')).toMatchObject([
      { at: DIALLED + 2550, settings: { welcome: { message: 'A table for two.' } } },
    ]);
  });

  test('[X5] what is being said as the operator takes the call is cut off', () => {
    const text = 'We are still trying to reach somebody who can help you with that.';
    const call = asked('blind', {}, { recordAfter: true });
    call.at(5000, { type: 'control.say', text }).at(6000, operator('answered')).runTo(6000);
    expect(call.of('play.clear')).toHaveLength(1);
    expect(call.transcript.at(-1)).toMatch(/^assistant: We are( still)?$/);
    expect(call.call.view).toMatchObject({ lifecycle: 'forwarded', assistant: 'idle' });
  });

  test('[X5] [Y2] a request to end it ends the talk of both', () => {
    const call = asked('blind', {}, { recordAfter: true }).at(6000, operator('answered'));
    call.at(20_000, { type: 'control.end' }).runTo(20_000);
    expect(call.of('finish')).toMatchObject([{ status: 'forwarded', at: 20_000 }]);
    expect(call.of('leg.hangup')).toMatchObject([{ legId: 1 }]);
    // A text is for nobody then.
    const said = asked('blind', {}, { recordAfter: true }).at(6000, operator('answered'));
    said.at(20_000, { type: 'control.say', text: 'Hello.' }).runTo(21_000);
    expect(said.of('control.refused')).toHaveLength(1);
  });

  test('[X5] nobody talks for more than four hours', () => {
    const call = asked('blind', {}, { recordAfter: true }).at(6000, operator('answered'));
    call.runTo(6000 + 4 * 3_600_000 - 1);
    expect(call.of('finish')).toEqual([]);
    call.runTo(6000 + 4 * 3_600_000);
    expect(call.of('finish')).toMatchObject([{ endReason: 'transferred' }]);
  });

  test('[X4] a briefing that never ends is given up after 130 s', () => {
    const call = asked('conversational', { model: () => 'A table for two.' });
    call.at(9000, operator('answered'));
    call.runTo(9000 + 129_999);
    expect(call.of('leg.hangup')).toEqual([]);
    call.runTo(9000 + 130_000);
    expect(call.of('leg.hangup')).toMatchObject([{ legId: 1, reason: 'timeout' }]);
  });

  test('[X5] taken: music off, lines joined, the assistant silent for good', () => {
    const call = asked('announced');
    call.at(5000, operator('answered')).at(12_000, operator('accepted'));
    call.says(15_000, 'Hello Anna, I want to book a table.');
    call.runTo(900_000);
    expect(call.of('hold.music').map(({ on }) => on)).toEqual([true, false]);
    expect(call.of('leg.bridge')).toMatchObject([{ legId: 1, record: false, at: 12_000 }]);
    expect(call.spoken).toEqual([ANNOUNCEMENT]);
    // Longer than the call might have lasted, had it not been handed over.
    expect(call.of('finish')).toEqual([]);
    call.at(900_000, { type: 'remote.hangup' }).runTo(900_001);
    expect(call.of('leg.hangup')).toHaveLength(1);
    expect(call.of('finish')[0]?.trigger).toBeUndefined();
  });

  const failures: [string, (call: CallHarness) => CallHarness, TransferMode?][] = [
    ['busy', (c) => c.at(6000, { type: 'operator.failed', legId: 1, reason: 'busy', code: '486' })],
    [
      'no-answer',
      (c) => c.at(6000, { type: 'operator.failed', legId: 1, reason: 'no-answer', code: '480' }),
    ],
    [
      'line-error',
      (c) => c.at(6000, { type: 'operator.failed', legId: 1, reason: 'line-error', code: '503' }),
    ],
    [
      'declined',
      (c) =>
        c
          .at(5000, operator('answered'))
          .at(6000, { type: 'operator.declined', legId: 1, reason: 'declined' }),
    ],
    [
      'voicemail',
      (c) =>
        c
          .at(5000, operator('answered'))
          .at(6000, { type: 'operator.declined', legId: 1, reason: 'voicemail' }),
    ],
    ['timeout', (c) => c],
    ['operator-left', (c) => c.at(5000, operator('answered')).at(6000, operator('hungUp'))],
  ];

  test.each(
    (['blind', 'announced', 'conversational'] as const).flatMap((mode) =>
      failures
        .filter(([what]) => mode !== 'blind' || !/declined|voicemail|left/.test(what))
        .map(([what, happens]) => [mode, what, happens] as const),
    ),
  )('[X6] %s: %s brings the caller back, with one reply', (mode, what, happens) => {
    const call = happens(
      asked(mode, { model: (text) => (text === '' ? 'Summary.' : 'Nobody is free.') }),
    );
    call.runTo(40_000);
    const back = call.of('leg.hangup')[0];
    expect(back).toMatchObject({ legId: 1, reason: what });
    expect(call.of('hold.music').at(-1)?.on).toBe(false);
    expect(JSON.stringify(call.context)).toContain(what);
    const replies = call.farEnd.heard.filter(({ from }) => from > (back?.at ?? 0));
    expect((replies[0]?.from ?? 0) - (back?.at ?? 0)).toBeLessThanOrEqual(1000);
    // And the talk goes on.
    call.says(41_000, 'Then tell me your opening hours.');
    call.runTo(50_000);
    expect(call.transcript.at(-2)).toBe('user: Then tell me your opening hours.');
    expect(findDifferences(replayJournal(call.journal))).toEqual([]);
  });

  test('[X6] the model is told by the answer to its call, and may try once more', () => {
    const call = office('announced', {
      model: () => ({ calls: [{ id: `t${call.of('llm.start').length}`, name: 'callForward' }] }),
    });
    call.says(1000, 'Can I talk to a person?');
    for (const legId of [1, 2, 3]) {
      call.at(10_000 * legId, { type: 'operator.failed', legId, reason: 'busy', code: '486' });
    }
    call.runTo(60_000);
    expect(call.of('leg.dial')).toHaveLength(2);
    expect(JSON.stringify(call.context)).toContain('the transfer failed: busy');
  });

  test('[X6] what a leg says after it was let go is not heard', () => {
    const call = asked('announced');
    call.at(6000, { type: 'operator.failed', legId: 1, reason: 'busy', code: '486' });
    call.at(7000, operator('answered')).at(8000, operator('accepted'));
    // Nor while the next one is dialled.
    call.at(12_000, { type: 'control.forward' });
    call.at(17_000, operator('answered')).at(18_000, operator('accepted')).runTo(20_000);
    expect(call.of('leg.dial').map(({ legId }) => legId)).toEqual([1, 2]);
    expect(call.of('leg.bridge')).toEqual([]);
    expect(call.of('leg.brief')).toEqual([]);
  });

  test.each([
    ['while it rings', undefined],
    ['while the operator is told', 5000],
  ])('[X7] a caller who hangs up %s ends it all', (_when, answeredAt) => {
    const call = asked('conversational');
    if (answeredAt) call.at(answeredAt, operator('answered'));
    call.at(9000, { type: 'remote.hangup' }).runTo(20_000);
    const [hangup] = call.of('leg.hangup');
    expect(hangup).toMatchObject({ legId: 1, at: 9000 });
    expect(hangup?.say).toBe(answeredAt ? 'The caller has hung up. Goodbye.' : undefined);
    expect(call.of('finish')).toMatchObject([{ status: 'finished', trigger: 'user' }]);
    expect(call.call.nextDueAt()).toBeUndefined();
  });

  test('[X8] who keeps talking on hold is told once that they need not wait', () => {
    const call = asked('announced', { settings: { sttP99Ms: 350 } });
    call.says(5000, 'Can you tell me something?');
    call.says(8000, 'My order number is wrong.');
    call.says(12_000, 'And another thing I wanted to say.');
    call.runTo(16_000);
    const offer = 'I am still trying to reach someone. Say stop if you would rather not wait.';
    expect(call.spoken).toEqual([ANNOUNCEMENT, offer]);
    expect(call.of('leg.hangup')).toEqual([]);
    call.says(17_000, 'Stop, please.');
    call.runTo(22_000);
    expect(call.of('leg.hangup')).toMatchObject([{ reason: 'caller-stopped-waiting' }]);
    expect(call.spoken).toHaveLength(3);
  });

  test('[X8] that is said to its end, though they go on talking', () => {
    const call = asked('announced');
    call.says(5000, 'Can you tell me something?');
    const end = call.says(8000, 'My order number is wrong.');
    call.says(end + 1500, 'And another thing I wanted to say.');
    call.runTo(20_000);
    expect([...call.of('play.hold'), ...call.of('play.clear')]).toEqual([]);
    expect(call.spoken).toHaveLength(2);
    expect(call.transcript.at(-1)).toContain('Say stop if you would rather not wait.');
  });

  test('[Y2] what is to be said is said to the caller over the music', () => {
    const call = asked('announced').at(6000, { type: 'control.say', text: 'Still trying.' });
    call.runTo(9000);
    expect(call.spoken).toEqual([ANNOUNCEMENT, 'Still trying.']);
    expect(call.of('leg.hangup')).toEqual([]);
  });

  test('is refused where there is nobody to transfer to, or one is under way', () => {
    const none = new CallHarness().answer().at(500, { type: 'control.forward' }).runTo(600);
    expect(none.of('control.refused')).toHaveLength(1);
    const twice = asked('announced').at(2000, { type: 'control.forward', to: '+15550100' });
    twice.runTo(9000);
    expect(twice.of('control.refused')).toHaveLength(1);
    expect(twice.of('leg.dial')).toHaveLength(1);
  });
});

describe('a transfer whose process dies', () => {
  const inCall = (type: 'ringing' | 'answered' | 'accepted' | 'hungUp') => operator(type);
  /** Caller and operator talk from 6000 on; the process dies at 20 s. */
  const bridged = (how: Parameters<typeof office>[2] = {}) =>
    asked('blind', {}, { recordAfter: true, ...how })
      .at(6000, inCall('answered'))
      .runTo(20_000);

  test('[R6] bridged: the leg is asked for, and both are connected as soon as it is back', () => {
    const call = bridged().takeOver(1200);
    call.at(21_700, inCall('answered')).runTo(60_000);
    expect(call.of('leg.resume')).toMatchObject([{ legId: 1, record: true, at: 21_200 }]);
    expect(call.of('leg.bridge')).toMatchObject([{ at: 6000 }, { legId: 1, at: 21_700 }]);
    // X5: the assistant stays silent, about the gap too.
    expect(call.of('tts.start')).toHaveLength(1);
    expect(call.of('llm.start')).toEqual([]);
    expect(call.of('finish')).toEqual([]);
    call.at(70_000, inCall('hungUp')).runTo(71_000);
    expect(call.of('finish')).toMatchObject([{ status: 'forwarded', endReason: 'transferred' }]);
    expect(findDifferences(replayJournal(call.journal))).toEqual([]);
  });

  test('[R6] bridged: an operator who does not come back ends the call, and is let go', () => {
    const call = bridged().takeOver(300).runTo(60_000);
    expect(call.of('leg.hangup')).toMatchObject([{ legId: 1, at: 35_300 }]);
    expect(call.of('finish')).toMatchObject([{ endReason: 'transferred', at: 35_300 }]);
  });

  test('[R6] bridged: a leg that is no more ends the call at once', () => {
    const call = bridged().takeOver(300);
    const gone = { legId: 1, reason: 'line-error', code: 'gone' } as const;
    call.at(20_400, { type: 'operator.failed', ...gone }).runTo(21_000);
    expect(call.of('finish')).toMatchObject([{ endReason: 'transferred', at: 20_400 }]);
  });

  test('[R6] bridged: the next process may die as well, however long before the caller is back', () => {
    const call = bridged().takeOver(300).runTo(21_000).takeOver(20_000);
    call.at(41_500, inCall('answered')).runTo(50_000);
    expect(call.of('leg.resume')).toHaveLength(2);
    expect(call.of('leg.bridge').at(-1)).toMatchObject({ at: 41_500 });
    expect(call.of('finish')).toEqual([]);
  });

  test.each([
    ['rings', []],
    ['has answered', [[9000, inCall('answered')]]],
  ] as const)(
    '[R6] [X6] while the operator %s: they are let go, and the caller is told and goes on',
    (_, events) => {
      const call = asked('conversational', {
        model: (text) => (text.includes('Write what you say') ? 'A caller.' : 'Anna is away.'),
      });
      for (const [at, event] of events) call.at(at, event);
      call.runTo(14_000);
      const lost = { legId: 1, reason: 'line-error', code: 'process-lost' } as const;
      call
        .takeOver(300)
        .at(14_300, { type: 'operator.failed', ...lost })
        .runTo(25_000);
      expect(call.of('leg.hangup')).toMatchObject([{ legId: 1, reason: 'line-error' }]);
      expect(call.of('hold.music').at(-1)).toMatchObject({ on: false });
      expect(call.spoken.at(-1)).toBe('Anna is away.');
      call.says(26_000, 'Then when are you open?');
      const before = call.spoken.length;
      call.runTo(35_000);
      expect(call.spoken.length).toBeGreaterThan(before);
      expect(findDifferences(replayJournal(call.journal))).toEqual([]);
    },
  );

  test('[R6] [X1] while it is announced: the announcement ends, and the operator is dialled once', () => {
    const call = asked('blind').runTo(1800).takeOver(300).runTo(9000);
    expect(call.of('leg.dial')).toHaveLength(1);
    expect(call.of('leg.hangup')).toEqual([]);
  });
});
