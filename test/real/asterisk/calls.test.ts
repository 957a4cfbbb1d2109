import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Lab } from './lab.ts';
import { Service, until } from './service.ts';
import { stretchesOfSound } from './sounds.ts';

let lab: Lab;
let service: Service;
beforeAll(async () => {
  lab = await Lab.start();
  service = await Service.start(lab);
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await lab?.[Symbol.asyncDispose]();
});
beforeEach(() => lab.forgetRecordings());

/** Nothing is left of any call. */
const nothingStands = () =>
  until('the exchange has no channel and no bridge left', async () => {
    const { channels, bridges } = await lab.standing();
    return channels === 0 && bridges === 0;
  });

const said = (messages: readonly { role: string; text: string }[], role: string) =>
  messages.filter((message) => message.role === role).map(({ text }) => text);

describe('calls that come in', () => {
  test('[ci] a question is heard and answered, and the end of the call is noticed', async () => {
    const before = await service.calls();
    await lab.call('ask', '15005550177');
    const { id } = await service.arrival(before);
    const call = await service.ended(id, 60_000);
    expect(call).toMatchObject({
      status: 'finished',
      phoneCallStatus: 'completed',
      endReason: 'user-hung-up',
      callEndTriggerBy: 'user',
      userNumber: '+15005550177',
      assistantNumber: '+15005550199',
      customer: { name: 'Real Caller' },
    });
    expect(said(call.messages, 'user').join(' ')).toMatch(/what your country can do/i);
    expect(said(call.messages, 'assistant').length).toBeGreaterThanOrEqual(2);
    // The welcome, and an answer to each question.
    expect(stretchesOfSound(await lab.recording('ask', 'heard')).length).toBeGreaterThanOrEqual(2);
    await nothingStands();
  });

  test('whoever speaks into the welcome is heard at once', async () => {
    const before = await service.calls();
    await lab.call('barge');
    const { id } = await service.arrival(before);
    const call = await service.ended(id, 60_000);
    expect(said(call.messages, 'user').join(' ')).toMatch(/your country/i);
    const heard = stretchesOfSound(await lab.recording('barge', 'heard'));
    const spoken = stretchesOfSound(await lab.recording('barge', 'said'));
    const [welcome] = heard;
    const [question] = spoken;
    if (!welcome || !question) throw new Error('nothing was said');
    expect(welcome[0]).toBeLessThan(question[0]);
    // The welcome takes five seconds.
    expect(welcome[1] - question[0]).toBeLessThan(0.6);
    await nothingStands();
  });

  test('keys come, and go', async () => {
    const before = await service.calls();
    await lab.call('keys');
    const { id } = await service.arrival(before);
    const pressed = async () =>
      (await service.events(id))
        .filter(({ type, kind }) => type === 'dtmf' && kind === 'event')
        .map(({ data }) => data.digit)
        .join('');
    await until('the keys are heard', async () => (await pressed()) === '159#', 15_000);
    await service.control(id, { type: 'dtmf', message: '2468#' });
    await until(
      'the caller has got them',
      async () => (await lab.carrierSaid('KEYS 2468')).length > 0,
    );
    await service.control(id, { type: 'end' });
    await service.ended(id);
    await nothingStands();
  });

  test('[ci] a caller who hangs up at once leaves nothing behind', async () => {
    const before = await service.calls();
    await lab.call('quick');
    const { id } = await service.arrival(before);
    const call = await service.ended(id, 8000);
    expect(call.endReason).toBe('user-hung-up');
    await nothingStands();
  });
});

describe('silence', () => {
  test('a caller who sends no packet for twenty seconds stays, and is heard after it', async () => {
    const before = await service.calls();
    await lab.call('mute');
    const { id } = await service.arrival(before);
    const question = async () => said((await service.read(id)).messages, 'user').join(' ');
    await until('the question is heard', async () => /country/i.test(await question()), 50_000);
    const lost = (await service.events(id)).filter(({ type }) => type === 'media.lost');
    expect(lost).toEqual([]);
    await service.control(id, { type: 'end' });
    await service.ended(id);
    await nothingStands();
  });

  test('[ci] the line carries packets all the time while the assistant is silent', async () => {
    const before = await service.calls();
    await lab.call('stay');
    const { id } = await service.arrival(before);
    const heard = async () => {
      const channels = (await lab.ari('GET', '/channels')) as { id: string; name: string }[];
      // The channel of the media socket stands beside the telephone's, and has no RTP.
      const channel = channels.find(({ name }) => name.startsWith('PJSIP/'));
      if (!channel) throw new Error('nobody is there');
      const path = `/channels/${encodeURIComponent(channel.id)}/rtp_statistics`;
      return (await lab.ari('GET', path)) as { txcount: number };
    };
    // After the welcome nobody says anything.
    await delay(9000);
    // 50 a second; a busy machine may send fewer. Before silence was sent, whole seconds had none.
    let sent = (await heard()).txcount;
    for (let second = 1; second <= 4; second++) {
      await delay(1000);
      const { txcount } = await heard();
      expect(txcount - sent, `packets in second ${second}`).toBeGreaterThan(15);
      sent = txcount;
    }
    await service.control(id, { type: 'end' });
    await service.ended(id);
    await nothingStands();
  });
});

describe('calls that go out', () => {
  test.each([
    ['busy', '+15005550101', 'busy'],
    ['a number that nobody has', '+15005550103', 'failed'],
    ['declined', '+15005550104', 'failed'],
    ['no line free', '+15005550105', 'failed'],
  ])('%s', async (_what, number, status) => {
    const id = await service.dial(number);
    const call = await service.ended(id);
    expect(call).toMatchObject({ phoneCallStatus: status, endReason: status });
    await nothingStands();
  });

  test('nobody answers', async () => {
    const id = await service.dial('+15005550102');
    await until('it rings', async () => (await service.read(id)).phoneCallStatus === 'ringing');
    const call = await service.ended(id, 45_000);
    expect(call).toMatchObject({ phoneCallStatus: 'no-answer', endReason: 'no-answer' });
    await nothingStands();
  });

  test('[ci] a person answers, asks, presses keys and hangs up', async () => {
    const id = await service.dial('+15005550110');
    const call = await service.ended(id, 60_000);
    expect(call).toMatchObject({ status: 'finished', endReason: 'user-hung-up' });
    expect(said(call.messages, 'user').join(' ')).toMatch(/your country/i);
    const keys = (await service.events(id)).filter(
      ({ type, kind }) => type === 'dtmf' && kind === 'event',
    );
    expect(keys.map(({ data }) => data.digit).join('')).toBe('1234#');
    await nothingStands();
  });

  test('a mailbox is not talked over', async () => {
    const id = await service.dial('+15005550111');
    const call = await service.ended(id, 60_000);
    expect(call.endReason).toBe('voicemail');
    const spoken = stretchesOfSound(await lab.recording('mailbox', 'heard'));
    const greeting = stretchesOfSound(await lab.recording('mailbox', 'said'));
    const over = greeting.at(-1)?.[1] ?? 0;
    // Whatever began before it was known for a machine has ended soon.
    expect(spoken.filter(([from, to]) => from < over && to - from > 1.5)).toEqual([]);
    await nothingStands();
  });

  test('somebody behind early media', async () => {
    const id = await service.dial('+15005550112');
    await until(
      'early media is told',
      async () =>
        (await service.log).includes('early-media') ||
        (await service.read(id)).phoneCallStatus === 'early-media',
    );
    const call = await service.ended(id, 40_000);
    expect(call.phoneCallStatus).toBe('completed');
    await nothingStands();
  });
});
