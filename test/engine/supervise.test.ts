import { describe, expect, test } from 'vitest';
import { eventsOfTakeOver } from '../../src/session/take-over-events.ts';
import { CallHarness, type World } from '../support/call-harness.ts';

const LONG = 'We are open from nine to five every day, and on Saturdays until noon as well.';
const quiet = (world: World = {}) =>
  new CallHarness({
    ...world,
    settings: {
      callType: 'phone',
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();
const takeOver = { type: 'control.takeOver', by: 'Ada' } as const;
const giveBack = { type: 'control.giveBack' } as const;

describe('a call that a person takes over', () => {
  test('[Y5] cuts off what the assistant says, and keeps what was heard of it', () => {
    const call = quiet().at(1000, { type: 'control.say', text: LONG });
    call.at(2500, takeOver);
    call.runTo(8000);
    expect(call.of('supervisor.join')).toMatchObject([{ at: 2500, by: 'Ada' }]);
    expect(call.of('play.clear')[0]?.at).toBe(2500);
    expect(call.transcript[0]).toMatch(/^assistant: We are open/);
    expect(call.transcript[0]).not.toContain('noon');
    expect(call.call.view.assistant).toBe('idle');
  });

  test('[Y5] drops an answer that nobody has heard yet', () => {
    const call = quiet();
    const end = call.says(1000, 'Is it open?');
    const begun = end + 350;
    call.at(begun, takeOver);
    call.runTo(begun + 5000);
    expect(call.farEnd.heard.filter(({ from }) => from >= begun)).toEqual([]);
    expect(call.transcript.filter((line) => line.startsWith('assistant'))).toEqual([]);
  });

  test('[Y5] says nothing meanwhile: no answer, no prompt of an idle line, no acknowledgement, no draft', () => {
    const call = quiet({ settings: { backchanneling: true } }).at(500, takeOver);
    const end = call.says(1000, 'Is it open on Sundays?');
    call.says(end + 3000, 'And on Mondays?');
    call.runTo(60_000);
    expect(call.of('llm.start')).toEqual([]);
    expect(call.of('tts.start')).toEqual([]);
    expect(call.of('play.backchannel')).toEqual([]);
    // What the caller says is written down.
    const said = call.transcript.join(' ');
    expect(said).toContain('Is it open on Sundays?');
    expect(said).toContain('And on Mondays?');
  });

  test('[Y5] refuses what would speak or transfer, names the person, and ends at a request', () => {
    const call = quiet().at(500, takeOver);
    call.at(1000, { type: 'control.say', text: 'Hello.' });
    call.at(1100, { type: 'control.forward', to: '+4930123456' });
    call.at(1200, { ...takeOver, by: 'Grace' });
    call.runTo(1500);
    expect(call.of('control.refused').map(({ reason }) => reason)).toEqual(
      Array(3).fill('Ada speaks with the caller'),
    );
    call.at(2000, { type: 'control.end', text: 'Goodbye now.' });
    call.runTo(8000);
    expect(call.of('supervisor.leave')).toMatchObject([{ at: 2000 }]);
    expect(call.spoken).toEqual(['Goodbye now.']);
    expect(call.of('finish')).toMatchObject([{ endReason: 'ended-by-control' }]);
  });

  test('[Y5] leaves the call when the caller hangs up', () => {
    const call = quiet().at(500, takeOver).at(2000, { type: 'remote.hangup' });
    call.runTo(3000);
    expect(call.of('supervisor.leave')).toMatchObject([{ at: 2000 }]);
    expect(call.of('finish')).toMatchObject([{ endReason: 'user-hung-up' }]);
  });

  test('[Y6] goes on with what the caller says after it was given back, and the model knows who spoke', () => {
    const call = quiet().at(500, takeOver);
    const end = call.says(1000, 'Is it open on Sundays?');
    call.at(end + 8000, giveBack);
    call.runTo(end + 8200);
    expect(call.of('supervisor.leave')).toHaveLength(1);
    expect(call.of('llm.start')).toEqual([]);
    const next = call.says(end + 9000, 'So what does it cost?');
    call.runTo(next + 5000);
    expect(call.spoken).toEqual(['All right.']);
    const [request] = call.of('llm.start');
    const told = JSON.stringify(request?.messages);
    expect(told).toContain('Ada has spoken with the caller for');
    expect(told).toContain('What they said is not written here.');
    expect(told).toContain('Is it open on Sundays?');
  });

  test('[Y5] writes down what the person says as a third one, and the model knows it', () => {
    const call = quiet().at(500, takeOver);
    const end = call.says(1000, 'Is it open on Sundays?');
    const said = { type: 'supervisor.said', by: 'Ada', text: 'From ten to four.' } as const;
    call.at(end + 3000, { ...said, startAt: end + 1000, endAt: end + 2000 });
    call.at(end + 4000, giveBack);
    // The recogniser is a little late.
    call.at(end + 4500, { ...said, text: 'Goodbye.', startAt: end + 3900, endAt: end + 4200 });
    const next = call.says(end + 9000, 'So what does it cost?');
    call.runTo(next + 5000);
    expect(call.transcript).toEqual(
      expect.arrayContaining([
        'system: Ada said to the caller: From ten to four.',
        'system: Ada said to the caller: Goodbye.',
      ]),
    );
    const messages = call.of('transcript.append').map(({ message }) => message);
    expect(messages.find(({ text }) => text.endsWith('From ten to four.'))).toMatchObject({
      at: end + 1000,
      spokenFrom: 'Ada said to the caller: '.length,
    });
    expect(call.spoken).toEqual(['All right.']);
    const told = JSON.stringify(call.of('llm.start')[0]?.messages);
    expect(told).toContain('Ada said to the caller: From ten to four.');
    expect(told).toContain('Ada said to the caller: Goodbye.');
    // Redaction tells these words from the owner's own.
    const spoken = call
      .of('llm.start')[0]
      ?.messages.filter((message) => message.role === 'system' && message.isSpoken);
    expect(spoken?.map(({ content }) => content)).toEqual([
      'Ada said to the caller: From ten to four.',
      'Ada said to the caller: Goodbye.',
    ]);
    expect(told).not.toContain('not written here');
  });

  test('[Y6] is the assistant’s again when its process has died, and the record says that it was given back', () => {
    const call = quiet().at(500, takeOver);
    call.runTo(10_000);
    for (const event of eventsOfTakeOver(call.call, 10_000, 0).atLast) call.at(10_000, event);
    call.at(11_500, { type: 'media.resumed' }).at(11_500, { type: 'call.resumed', gapMs: 1500 });
    call.runTo(12_000);
    expect(call.of('supervisor.leave')).toHaveLength(1);
    expect(call.transcript.join('\n')).toContain('Ada has spoken with the caller for 10 s');
    call.says(16_000, 'Is it open on Sundays?');
    call.runTo(25_000);
    expect(call.spoken).toContain('All right.');
  });

  test('[Y6] is refused while nobody has taken it over, and the idle line is prompted again after it', () => {
    const call = quiet().at(500, giveBack);
    call.at(1000, takeOver).at(20_000, giveBack);
    call.runTo(19_000);
    expect(call.of('control.refused')).toMatchObject([{ reason: 'nobody has taken it over' }]);
    expect(call.spoken).toEqual([]);
    call.runTo(45_000);
    expect(call.spoken.length).toBeGreaterThan(0);
  });
});
