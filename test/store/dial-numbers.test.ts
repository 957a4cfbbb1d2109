import { expect, test } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { createAssistant } from '../../src/store/assistants.ts';
import { listDialNumbers } from '../../src/store/dial-numbers.ts';
import { createNumber, updateNumber } from '../../src/store/numbers.ts';
import { withDatabase } from '../support/postgres.ts';

const VENDORS = { names: ['offline'], defaultName: 'offline' };
const schema = assistantConfigSchema({ llm: VENDORS, stt: VENDORS, tts: VENDORS });
const config = (name: string) => schema.parse({ name });

withDatabase('the numbers from which a call may dial', ({ db, newTeam }) => {
  test('its own first, then its assistant’s, then the oldest; none of the built-in carrier that is neither', async () => {
    const teamId = await newTeam();
    const add = async (number: string, provider: 'twilio' | 'emulator', assistantId?: string) => {
      const made = await createNumber(db(), { teamId, number, provider, label: '' });
      const { id, version: expectedVersion } = made;
      const change = { outboundEnabled: true, assistantId: assistantId ?? null };
      await updateNumber(db(), { teamId, id, change, expectedVersion });
      return id;
    };
    const assistant = async (name: string) =>
      (await createAssistant(db(), { teamId, config: config(name) })).id;
    const [ada, eve] = [await assistant('Ada'), await assistant('Eve')];
    const eldest = await add('+15005557001', 'twilio');
    await add('+15005557002', 'emulator');
    const ofAssistant = await add('+15005557003', 'emulator', ada);
    const own = await add('+15005557004', 'emulator', eve);
    const dials = async (call: { numberId: string | null; assistantId: string | null }) =>
      (await listDialNumbers(db(), { teamId, ...call })).map(({ id }) => id);
    expect(await dials({ numberId: null, assistantId: ada })).toEqual([ofAssistant, eldest]);
    expect(await dials({ numberId: own, assistantId: ada })).toEqual([own, ofAssistant, eldest]);
    expect(await dials({ numberId: null, assistantId: null })).toEqual([eldest]);
  });
});
