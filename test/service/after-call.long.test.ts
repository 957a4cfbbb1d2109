import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBookingModel } from '../support/booking-model.ts';
import { callWithKeys } from '../support/keypad-caller.ts';
import { startTestService } from '../support/test-service.ts';
import { startWebhookReceiver } from '../support/webhook-receiver.ts';

test('after a call: its report with the analysis, its transcript beside the recording, and it is remembered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-after-'));
  const service = await startTestService(folder, { ALLOW_PRIVATE_TARGETS: 'true' });
  await using receiver = await startWebhookReceiver();
  await using model = await startBookingModel('none');
  try {
    const assistant = await service.json<{ _id: string }>('/assistants/v1/assistants', {
      method: 'POST',
      body: {
        name: 'Booking',
        welcomeMessage: 'Hello there.',
        assistantSystemPrompt: 'You take bookings.',
        assistantProvider: 'custom-llm',
        assistantLLMUrl: model.url,
        dtmfInputEnabled: true,
        persistHistory: { enabled: true },
        assistantServer: { enabled: true, url: receiver.url, messages: ['end-of-call-report'] },
        assistantAnalysis: { summary: { enabled: true } },
        assistantOverrides: { recordingPath: 'shop/bookings' },
      },
    });
    const talk = async () => {
      const { id, over } = await callWithKeys(service, {
        assistantId: assistant._id,
        turns: 0,
        connect: { customer: { number: '+4930123456' } },
      });
      await over;
      await receiver.until((all) => all.some(({ callId }) => callId === id));
      return id;
    };
    const first = await talk();
    expect(receiver.of(first)[0]?.message).toMatchObject({
      endReason: 'user-hung-up',
      customer: { number: '+4930123456' },
      analysis: {
        steps: [{ step: 'summary', state: 'skipped', reason: 'the caller said nothing' }],
      },
    });
    const beside = join(folder, 'data/recordings/shop/bookings', first);
    expect(await readFile(`${beside}.txt`, 'utf8')).toMatch(
      /^\[00:0\d\] assistant: Hello there\.\n$/,
    );
    expect((await stat(`${beside}.wav`)).size).toBeGreaterThan(1000);

    const { id, over } = await callWithKeys(service, {
      assistantId: assistant._id,
      turns: 1,
      connect: { customer: { number: '+4930123456' } },
    });
    await over;
    await receiver.until((all) => all.some(({ callId }) => callId === id));
    const [system] = model.asked[0] ?? [];
    expect(system?.content).toMatch(
      /^You take bookings\.\n\nEarlier conversations[\s\S]*You: Hello there\.$/,
    );
    expect(receiver.of(id)[0]?.message).toMatchObject({
      analysis: { summary: 'The caller booked a slot.' },
    });
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
