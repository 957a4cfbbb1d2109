import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPredefinedTools } from '../../src/calls/predefined-tools.ts';
import { createToolRunner } from '../../src/tools/hosted-tool.ts';
import { type ChatEmulator, startChatEmulator } from '../support/chat-completions-emulator.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { PhoneRig } from '../support/phone-rig.ts';

const ADDRESS = 'Harbour Street 4, open until six.';
const sendSms = { id: 'c1', name: 'sendSms', arguments: JSON.stringify({ message: ADDRESS }) };

let rig: PhoneRig;
beforeAll(async () => {
  rig = await PhoneRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose](), 30_000);

interface Asked {
  readonly role: string;
  readonly content: string;
}
const asked = (model: ChatEmulator, index: number) =>
  model.requests[index]?.body.messages as readonly Asked[];

/** A shop whose model texts its address as soon as it is called. */
async function shop(model: ChatEmulator) {
  const carrier = rig.carrier('twilio');
  const { number } = await rig.addNumber(carrier, {
    assistantProvider: 'custom-llm',
    assistantLLMUrl: model.baseUrl,
    assistantSystemPrompt: 'You work for a bicycle shop.',
    assistantPredefinedTools: { sendSms: true },
    smsConfiguration: { enabled: true },
  });
  const callIt = async (from: string) => {
    const call = await carrier.call({ from, to: number });
    await call.connected;
    await expect.poll(() => model.requests.length).toBe(2);
    call.hangup();
    await call.ended;
  };
  return {
    carrier,
    number,
    callIt,
    textsTo: (to: string) => carrier.texts.filter((t) => t.to === to),
  };
}

test('a model texts the caller, and knows of the text when they answer it', async () => {
  await using model = await startChatEmulator();
  model.script(
    { toolCalls: [sendSms], times: 1 },
    { deltas: ['I have sent it.'], times: 1 },
    { match: /which street/i, deltas: ['Harbour Street.'] },
  );
  const user = '+15005550141';
  const { carrier, number, callIt, textsTo } = await shop(model);
  await callIt(user);
  expect(textsTo(user)).toMatchObject([{ from: number, text: ADDRESS }]);
  expect(asked(model, 1).at(-1)).toMatchObject({ role: 'tool', content: '{"status":"sent"}' });
  await carrier.text({ from: user, to: number, text: 'Which street?' });
  await expect.poll(() => textsTo(user)).toHaveLength(2);
  expect(asked(model, 2).slice(1)).toEqual([
    { role: 'assistant', content: ADDRESS },
    { role: 'user', content: 'Which street?' },
  ]);
});

test('who wants no texts gets none, and the model is told', async () => {
  await using model = await startChatEmulator();
  model.script({ toolCalls: [sendSms], times: 1 }, { deltas: ['I cannot text you.'] });
  const user = '+15005550142';
  const { carrier, number, callIt, textsTo } = await shop(model);
  await carrier.text({ from: user, to: number, text: 'STOP' });
  await callIt(user);
  expect(asked(model, 1).at(-1)?.content).toContain('wants no texts');
  expect(textsTo(user)).toEqual([]);
});

test('a call over the web has nobody to text, which the model is told', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const assistant = {
    assistantPredefinedTools: { sendSms: true },
    config: { speech: { stt: { languages: 'en-US' } } },
  };
  const runner = createToolRunner(
    createPredefinedTools({ db: undefined as never, clock: new ManualClock(), log }, {
      teamId: 't',
      assistantId: null,
      userNumber: null,
      snapshot: { assistant },
    } as never),
  );
  const { signal } = new AbortController();
  const args = { message: ADDRESS };
  expect(
    await runner.invoke({
      callId: 'WC-1',
      toolCallId: 'c',
      name: 'sendSms',
      arguments: args,
      signal,
    }),
  ).toMatchObject({ ok: false, error: expect.stringContaining('tell the caller instead') });
});
