import { afterEach, beforeEach, expect, test } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { createJobs, type Jobs } from '../../src/jobs/jobs.ts';
import { ProviderError } from '../../src/lib/errors.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { Carriers } from '../../src/ports/carriers.ts';
import { createAssistant } from '../../src/store/assistants.ts';
import { createNumber, type NumberRecord, updateNumber } from '../../src/store/numbers.ts';
import { type NumberLine, openNumberLine } from '../../src/telephone/number-line.ts';
import { SmsConversations } from '../../src/telephone/sms-conversations.ts';
import { testVendors } from '../support/api.ts';
import { isLong } from '../support/effort.ts';
import { withDatabase } from '../support/postgres.ts';
import { ScriptedLlm, type ScriptedReply } from '../support/scripted-llm.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const USER = '+15005550111';
let count = 0;

withDatabase('texts that are owed an answer', ({ database, db, newTeam }) => {
  const started: Jobs[] = [];
  let number: NumberRecord;
  let sent: string[];

  beforeEach(async () => {
    sent = [];
    const teamId = await newTeam();
    const config = assistantConfigSchema(testVendors).parse({
      name: 'Texts',
      smsConfiguration: { enabled: true },
      assistantSystemPrompt: 'It is {{date}} for {{customer.number}}; we are {{assistant.number}}.',
      assistantOverrides: { dynamicVariables: { 'assistant.number': 'Elm Street' } },
    });
    const { id: assistantId } = await createAssistant(db(), { teamId, config });
    const { id, version: expectedVersion } = await createNumber(db(), {
      teamId,
      number: `+1500556${String(++count).padStart(4, '0')}`,
      provider: 'twilio',
      label: '',
    });
    number = await updateNumber(db(), { teamId, id, expectedVersion, change: { assistantId } });
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((jobs) => jobs.stop(0)));
  });

  /** One process: its desk, its queue, its model and its line to the carrier. */
  async function open(
    script: readonly ScriptedReply[],
    deliver: (text: string, signal: AbortSignal) => Promise<void> = async () => undefined,
  ) {
    const llm = new ScriptedLlm(systemClock, script);
    const sendText = async ({ text }: { readonly text: string }, signal: AbortSignal) => {
      await deliver(text, signal);
      sent.push(text);
      return `SM-${sent.length}-${number.id}`;
    };
    const carriers = {
      find: () => ({ name: 'twilio', open: () => ({ carrier: 'twilio', sendText }) }),
      ownCredentials: () => ({ accountSid: 'AC1', authToken: 't' }),
    } as unknown as Carriers;
    const jobs = createJobs({
      connection: database().connection,
      log,
      soleNode: false,
      pollSeconds: 0.5,
    });
    started.push(jobs);
    const desk = new SmsConversations({
      db: db(),
      clock: systemClock,
      log,
      jobs,
      carriers,
      checkAssistant: (config) => ({
        ok: true,
        value: assistantConfigSchema(testVendors).parse(config),
      }),
      providers: { forAssistant: () => ({ llm }) as never },
    });
    await jobs.start();
    const line = (await openNumberLine({ db: db(), carriers }, number)) as NumberLine;
    return {
      llm,
      jobs,
      receive: (messageId: string, text: string) =>
        desk.received(line, {
          type: 'text-received',
          eventId: messageId,
          messageId,
          from: USER,
          to: number.number,
          text,
        }),
      settled: () =>
        expect
          .poll(async () => {
            const [{ waiting, active } = { waiting: 0, active: 0 }] = await jobs.counts();
            return waiting + active;
          })
          .toBe(0),
    };
  }

  test.skipIf(isLong)(
    'a process that ends while the model thinks leaves the answer to the next',
    async () => {
      const dead = await open([{ hangs: true }]);
      await dead.receive('m1', 'Are you open?');
      await expect.poll(() => dead.llm.requests.length).toBe(1);
      await dead.jobs.stop(0);
      expect(sent).toEqual([]);
      const next = await open([{ text: ['Until six.'] }]);
      await expect.poll(() => sent).toEqual(['Until six.']);
      await next.settled();
      expect(sent).toEqual(['Until six.']);
    },
  );

  test('the prompt has the same variables as in a call', async () => {
    const desk = await open([{ text: ['Until six.'] }]);
    await desk.receive('m1', 'Are you open?');
    await expect.poll(() => sent).toEqual(['Until six.']);
    const prompt = desk.llm.requests[0]?.messages[0]?.content;
    expect(prompt).toMatch(/^It is \w+day, .*\d{4} for \+15005550111; we are Elm Street\./);
  });

  test.runIf(isLong)(
    'an answer that was written is sent as it is, without asking the model again',
    async () => {
      const hanging = Promise.withResolvers<void>();
      const dead = await open([{ text: ['Until six.'] }], (_, signal) => {
        hanging.resolve();
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      });
      await dead.receive('m1', 'Are you open?');
      await hanging.promise;
      await dead.jobs.stop(0);
      const next = await open([{ text: ['Something else.'] }]);
      await expect.poll(() => sent).toEqual(['Until six.']);
      await next.settled();
      expect([sent, next.llm.requests]).toEqual([['Until six.'], []]);
    },
  );

  test.skipIf(isLong)(
    'a text that is told of twice is answered once, and the next one after it, in order',
    async () => {
      const desk = await open([{ text: ['One.'] }, { text: ['Two.'] }]);
      await desk.receive('m1', 'First?');
      await desk.receive('m1', 'First?');
      await expect.poll(() => sent).toEqual(['One.']);
      await desk.receive('m1', 'First?');
      await desk.receive('m2', 'Second?');
      await expect.poll(() => sent).toEqual(['One.', 'Two.']);
      await desk.settled();
      expect(sent).toEqual(['One.', 'Two.']);
      expect(desk.llm.requests[1]?.messages.map(({ content }) => content).slice(1)).toEqual([
        'First?',
        'One.',
        'Second?',
      ]);
    },
  );

  test.runIf(isLong)(
    'a carrier that has no room is asked again; one that refuses is not',
    async () => {
      const refusal = (kind: 'rate' | 'invalid') =>
        new ProviderError({ class: kind, provider: 'twilio', code: kind, message: kind });
      const failures = [refusal('rate'), undefined, refusal('invalid')];
      let tries = 0;
      const desk = await open([{ text: ['One.'] }, { text: ['Two.'] }], async () => {
        const failure = failures[tries++];
        if (failure) throw failure;
      });
      await desk.receive('m1', 'First?');
      await expect.poll(() => sent).toEqual(['One.']);
      await desk.receive('m2', 'Second?');
      await expect.poll(() => tries).toBe(3);
      await desk.settled();
      expect([sent, tries]).toEqual([['One.'], 3]);
    },
  );
});
