import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type {
  EmulatedCall,
  EmulatedCarrier,
} from '../../src/carriers/emulator/emulated-carrier.ts';
import type { Call } from '../../src/contract/call.ts';
import { type ChatEmulator, startChatEmulator } from '../support/chat-completions-emulator.ts';
import { isLong, rowsOf } from '../support/effort.ts';
import { eventually } from '../support/eventually.ts';
import { PhoneRig } from '../support/phone-rig.ts';
import { ears, loudMs, speaks } from '../support/phone-talk.ts';
import { spoken } from '../support/spoken.ts';
import { toneMs } from '../support/tones.ts';

const SUMMARY = 'Somebody asks for a table tonight. Can you take the call?';
const BACK = 'Nobody can take it now. Can I help?';

let rig: PhoneRig;
let model: ChatEmulator;
let yes: Int16Array;
let no: Int16Array;

beforeAll(async () => {
  [rig, model] = await Promise.all([PhoneRig.start(), startChatEmulator()]);
  [yes, no] = (await spoken('Yes.', 'No.')) as [Int16Array, Int16Array];
  const decision = (name: string) => ({ toolCalls: [{ id: 'd1', name, arguments: '{}' }] });
  model.script(
    { about: /could not be put through|the transfer failed/, deltas: [BACK] },
    { about: /Write what you say to/, deltas: [SUMMARY] },
    { about: /telephoned Otto/, ...decision('voicemail') },
    { about: /"name":"voicemail"/, match: /\byes\b/i, ...decision('accept') },
    { about: /"name":"voicemail"/, match: /\bno\b/i, ...decision('decline') },
    { about: /"name":"callForward"/, ...decision('callForward') },
    { deltas: [BACK] },
  );
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

/** A caller who has asked for a person, which the model answers by its callForward tool. */
async function asked(
  carrier: EmulatedCarrier,
  mode: 'announced' | 'conversational',
  { name = 'Anna', ...more }: { readonly name?: string; readonly [setting: string]: unknown } = {},
) {
  const [user, operatorNumber] = [rig.person(), rig.person()];
  const { number } = await rig.addNumber(carrier, {
    welcomeMessage: 'Hello.',
    assistantSystemPrompt: `You work with Anna, ${operatorNumber}.`,
    assistantProvider: 'custom-llm',
    assistantLLMUrl: model.baseUrl,
    assistantPredefinedTools: { callForward: true },
    callForwardData: { name, phoneNumber: operatorNumber },
    warmTransferEnabled: true,
    warmTransferConversational: mode === 'conversational',
    recordingEnabled: true,
    ...more,
  });
  return {
    operatorNumber,
    operator: rig.answered(operatorNumber),
    async call() {
      const call = await carrier.call({ from: user, to: number });
      await call.connected;
      await until(() => loudMs(call) > 100);
      await quiet(call);
      await insist(call, yes, () => rig.timesDialled(operatorNumber) > 0);
      return call;
    },
    read: () => conversation(user),
  };
}

type Channel = Awaited<ReturnType<PhoneRig['recording']>>[number];
type Asked = Awaited<ReturnType<typeof asked>>;

/** The caller is back with the assistant, which says so; then they hang up. */
async function isBack(it: Asked, call: EmulatedCall, reason: string): Promise<void> {
  const messages = async () =>
    (await rig.ask<Call>('GET', `/calls/v1/conversations/${(await it.read()).id}`)).messages;
  await until(async () => (await messages()).some(({ text }) => text === BACK));
  expect((await it.read()).status).toBe('ongoing');
  const told = model.requests.findLast(({ raw }) => raw.includes(it.operatorNumber));
  expect(told?.raw).toContain(`the transfer failed: ${reason}`);
  call.hangup();
  await until(async () => (await it.read()).status === 'finished');
}

/** Somebody pressed this key, and the other end got it: as a command, or as sound. */
async function pressed(
  carrier: EmulatedCarrier,
  from: EmulatedCall,
  to: EmulatedCall,
  key: string,
): Promise<void> {
  const { carrierCallId } = to;
  const [low, high] = TONES[key] as readonly [number, number];
  const sounded = () => {
    const pcm = to.handset.tracks.speaker.read();
    return Math.min(shareMs(pcm, low), shareMs(pcm, high)) > 60;
  };
  const arrived = () =>
    carrier.name === 'twilio'
      ? sounded()
      : carrier.tones.some((t) => t.carrierCallId === carrierCallId && t.digits === key);
  // A line on a busy machine drops what comes too late: whoever was not heard presses again.
  await eventually(
    async () => {
      from.handset.press(key);
      await until(arrived, 5000);
    },
    { everyMs: 1 },
  );
}

const TONES: Readonly<Record<string, readonly [number, number]>> = {
  5: [770, 1336],
  9: [852, 1477],
};

/** How long a tone has about half of the sound, as each of a key's two has. */
const shareMs = (pcm: Int16Array, hz: number) => toneMs(pcm, hz, 8000, 0.35);

/** Every failure in both modes; each carrier's own ways of telling of a line stand in the tests of blind transfers. */
describe.concurrent.each(['announced', 'conversational'] as const)('%s', (mode) => {
  const name = 'twilio';
  test.runIf(isLong).each([
    ['busy', 'busy'],
    ['no-answer', 'no-answer'],
    ['failed', 'line-error'],
    ['refuse', 'line-error'],
  ] as const)('[X3] [X6] an operator whose line is %s', async (outcome, reason) => {
    const it = await asked(rig.carrier(name), mode);
    rig.whenDialled(it.operatorNumber, { outcome, ringMs: 300 });
    await isBack(it, await it.call(), reason);
  });

  test.runIf(isLong)('[X3] [X6] an operator who lets it ring for too long', async () => {
    const it = await asked(rig.carrier(name), mode, { warmTransferTimeout: 5 });
    rig.whenDialled(it.operatorNumber, { outcome: 'answer', ringMs: 60_000 });
    await isBack(it, await it.call(), 'timeout');
  });

  test.runIf(isLong)('[X4] [X6] an operator who hangs up while being told', async () => {
    const it = await asked(rig.carrier(name), mode);
    const call = await it.call();
    const operator = await it.operator;
    await until(() => loudMs(operator) > 300);
    operator.hangup();
    await isBack(it, call, 'operator-left');
  });

  test.runIf(isLong)('[X7] a caller who hangs up while it rings', async () => {
    const it = await asked(rig.carrier(name), mode);
    rig.whenDialled(it.operatorNumber, { outcome: 'answer', ringMs: 4000 });
    let answered = false;
    void it.operator.then(() => {
      answered = true;
    });
    const call = await it.call();
    await until(() => rig.timesDialled(it.operatorNumber) > 0);
    call.hangup();
    await until(async () => (await it.read()).status === 'finished');
    expect(await it.read()).toMatchObject({ endReason: 'user-hung-up' });
    const since = performance.now();
    await until(() => performance.now() - since > 4500);
    expect(answered).toBe(false);
  });

  test.runIf(isLong)('[X7] a caller who hangs up while the operator is told', async () => {
    const it = await asked(rig.carrier(name), mode);
    const call = await it.call();
    const operator = await it.operator;
    await until(() => loudMs(operator) > 300);
    call.hangup();
    await operator.ended;
    await until(async () => (await it.read()).status === 'finished');
  });
});

/** Both modes at one carrier, and one at each of the others. */
const TRIED = rowsOf({
  usual: [['conversational', 'twilio']],
  long: [
    ['announced', 'twilio'],
    ['announced', 'telnyx'],
    ['conversational', 'asterisk'],
  ],
});

describe.concurrent.each(TRIED)('%s, %s', (mode, name) => {
  test('[X4] [X5] an operator who takes the caller: voice, keys and the recording go on', async () => {
    const carrier = rig.carrier(name);
    const it = await asked(carrier, mode, { recordAfterTransfer: true });
    const call = await it.call();
    const operator = await it.operator;
    await until(() => loudMs(operator) > 1000);
    if (mode === 'conversational') {
      await quiet(operator);
      await insist(operator, yes, async () => (await it.read()).status === 'forwarded');
    }
    await until(async () => (await it.read()).status === 'forwarded');
    await Promise.all([
      speaks(call.handset, 500, ears(operator)),
      speaks(operator.handset, 700, ears(call)),
    ]);
    await pressed(carrier, call, operator, '5');
    await pressed(carrier, operator, call, '9');
    operator.hangup();
    await call.ended;
    const { id } = await it.read();
    const whole = () => rig.ask<Call>('GET', `/calls/v1/conversations/${id}`);
    await until(async () => (await whole()).recording !== undefined);
    const [user, other] = (await rig.recording(id)) as [Channel, Channel];
    expect(toneMs(user.pcm, 500, user.rateHz)).toBeGreaterThan(1200);
    expect(toneMs(other.pcm, 700, other.rateHz)).toBeGreaterThan(1200);
  });
});

const DECLINED = ['declines', 'Anna', 'declined'] as const;
const MAILBOX = ['is a mailbox', 'Otto', 'voicemail'] as const;

describe.concurrent('conversational', () => {
  test.each(
    rowsOf({
      usual: [['telnyx', ...DECLINED]],
      long: [
        ['twilio', ...DECLINED],
        ['asterisk', ...DECLINED],
        ['twilio', ...MAILBOX],
        ['telnyx', ...MAILBOX],
        ['asterisk', ...MAILBOX],
      ],
    }),
  )('[X4] [X6] %s: an operator who %s', async (name, _, who, reason) => {
    const it = await asked(rig.carrier(name), 'conversational', { name: who });
    const call = await it.call();
    const operator = await it.operator;
    await until(() => loudMs(operator) > 1000);
    await quiet(operator);
    await insist(operator, no);
    await isBack(it, call, reason);
  });
});

/** Says it again to a recogniser that is late on a busy machine, as people do. */
async function insist(
  who: EmulatedCall,
  word: Int16Array,
  isHeard: () => Promise<boolean> | boolean = () => false,
): Promise<void> {
  let isOver = false;
  void who.ended.then(() => {
    isOver = true;
  });
  for (let tries = 0; tries < 8; tries++) {
    await who.handset.say(word).spoken;
    try {
      await until(async () => isOver || (await isHeard()), 6000);
      return;
    } catch {
      // Again.
    }
  }
}

/** Until nothing more is played, so that what is said next is no interruption. */
async function quiet(call: EmulatedCall): Promise<void> {
  await until(() => call.handset.playingUntilMs < call.handset.elapsedMs - 400);
}

/** Tests that run side by side share no `expect.poll`. */
async function until(holds: () => boolean | Promise<boolean>, timeout = 60_000): Promise<void> {
  await vi.waitUntil(holds, { timeout, interval: 500 });
}

async function conversation(userNumber: string): Promise<Call> {
  const path = `/calls/v1/conversations?userNumber=${encodeURIComponent(userNumber)}`;
  const [call] = (await rig.ask<{ conversations: Call[] }>('GET', path)).conversations;
  if (!call) throw new Error(`nobody called from ${userNumber}`);
  return call;
}
