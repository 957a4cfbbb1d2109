import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import { Random } from '../bench/turns/random.ts';
import { type BookingModel, startBookingModel } from '../support/booking-model.ts';
import { testSeed } from '../support/effort.ts';
import {
  ask,
  childrenOf,
  haveComeBack,
  isWhole,
  journalOf,
  lacksVoice,
  read,
} from '../support/failover.ts';
import {
  answerNumbers,
  environmentFor,
  pointCarriersAt,
  startCarriers,
  WHOLE,
} from '../support/library-line.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { callByPhone, callByWeb, drawPlace, type HeldByCaller } from '../support/random-callers.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StateHits } from '../support/state-hits.ts';
import { startTestService } from '../support/test-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Calls of each kind, on the web and at each carrier, that are held when a process is killed. */
const OF_EACH_KIND = 6;
/** Rounds go on until so many calls have lost their process, and the words of one of them could be compared. */
const KILLED_CALLS = Number(process.env.FAILOVER_CALLS ?? 1);
/** How long the tool's server takes to answer, and an operator's telephone rings: a kill comes in the midst of both. */
const TOOL_MS = 8000;
const RING_MS = 10_000;
const ROUND_MS = 120_000;
const SEED = testSeed(1);
const CHANCE = new Random(SEED);
/** All calls of a round ask at once: more often, they would be most of what the service does. */
const MINUTE = { timeout: 60_000, interval: 1000 };
const reason =
  process.platform === 'linux' ? '' : ': the pids of the processes are read from /proc';

let folder: string;
let service: ServiceProcess | undefined;
let carriers: readonly EmulatedCarrier[];
let receiver: WebhookReceiver;
let model: BookingModel;
let tools: LocalServer;
/** The keys of the requests to the tool's server. */
const booked: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-failover-'));
  carriers = await startCarriers();
  receiver = await startWebhookReceiver();
  model = await startBookingModel('book_slot');
  tools = await startLocalServer((request, response) => {
    booked.push(`${request.headers['idempotency-key']}`);
    request.resume().on('end', () => void delay(TOOL_MS).then(() => response.end('"booked"')));
  });
});

afterEach(async () => {
  await service?.stop();
  for (const one of [...carriers, model, tools]) await one[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** What an assistant can do: take keys, book by a tool and put through to an operator; its server is told. */
async function abilities(running: ServiceProcess, assistantServer: object): Promise<object> {
  const { _id: toolId } = await running.json<{ _id: string }>('/assistants/v1/tools', {
    method: 'POST',
    body: {
      function: {
        name: 'book_slot',
        parameters: { type: 'object', properties: { slot: { type: 'string' } } },
      },
      server: { url: tools.url },
    },
  });
  return {
    assistantServer,
    dtmfInputEnabled: true,
    assistantProvider: 'custom-llm',
    assistantLLMUrl: model.url,
    assistantToolIds: [toolId],
    assistantPredefinedTools: { callForward: true },
    callForwardData: { name: 'Anna' },
  };
}

/** The call goes on where it was, says the rest of its sentences, and obeys. */
async function goesOn(
  running: ServiceProcess,
  { id, acted, ended }: HeldByCaller,
  when: string,
): Promise<void> {
  const control = (body: object) =>
    running.json(`/calls/v1/conversations/${id}/control`, { method: 'POST', body });
  await acted;
  // Until its process is there again, the call takes no requests.
  const say = async () => {
    try {
      await control({ type: 'say', message: 'Still here.' });
      return 'said';
    } catch (error) {
      return `${error}`;
    }
  };
  await expect.poll(say, { ...MINUTE, message: when }).toBe('said');
  const said = async () => {
    const words = (await read(running, { id })).messages.map(({ text }) => text).join(' ');
    return words.includes('Still here.') || lacksVoice(await journalOf(running, { id })) || words;
  };
  await expect.poll(said, { ...MINUTE, message: when }).toBe(true);
  await ask(() => control({ type: 'end' }));
  await ended();
}

/** Each change of the call was told once, and its report with the analysis once. */
async function isToldOnce({ id }: HeldByCaller, when: string): Promise<void> {
  const told = () =>
    receiver
      .of(id)
      .map(({ type, message }) => (type === 'status-update' ? `${message.status}` : type));
  await expect.poll(told, { ...MINUTE, message: when }).toContain('end-of-call-report');
  expect(told(), when).toEqual([...new Set(told())]);
}

describe.skipIf(reason !== '')(`calls at random points whose process is killed${reason}`, () => {
  test(
    'all go on in another one: no word lost, one record, each event once, the same decisions in a replay',
    async () => {
      const running = await startTestService(folder, {
        ...environmentFor(carriers),
        ...{ PROCESSES: '2', LOG_LEVEL: 'info', ENCRYPT_CALLS: 'true' },
      });
      service = running;
      pointCarriersAt(running, carriers);
      const messages = ['status-update', 'end-of-call-report'];
      const more = await abilities(running, { enabled: true, url: receiver.url, messages });
      for (const carrier of carriers)
        carrier.behaviour = () => ({ outcome: 'no-answer', ringMs: RING_MS });
      const assistantId = await answerNumbers(running, carriers, more);
      // One that soon waits for the caller.
      const { _id: brief } = await running.json<{ _id: string }>('/assistants/v1/assistants', {
        method: 'POST',
        body: { name: 'Desk', welcomeMessage: 'Hello.', recordingEnabled: true, ...more },
      });
      const hits = new StateHits();
      const killed = new Map<string, number>();
      const told: { call: HeldByCaller; when: string }[] = [];
      let compared = 0;
      const total = () => [...killed.values()].reduce((sum, count) => sum + count, 0);
      const startedAt = performance.now();
      for (let round = 0; total() < KILLED_CALLS || compared === 0; round++) {
        const places = Array.from({ length: OF_EACH_KIND }, (_, i) => i).map((i) => ({
          web: drawPlace(CHANCE, i),
          phones: carriers.map((carrier, c) => ({
            carrier,
            from: `+1500555${1000 + ((round * carriers.length + c) * OF_EACH_KIND + i)}`,
            place: drawPlace(CHANCE, i + c + 1),
          })),
        }));
        const victim = CHANCE.next();
        const calls = await Promise.all(
          places.flatMap(({ web, phones }) => [
            callByWeb(running, web.doing === 'listens' ? assistantId : brief, web),
            ...phones.map(({ carrier, from, place }) => callByPhone(running, carrier, from, place)),
          ]),
        );
        const workers = await childrenOf(running.pid);
        process.kill(workers[Math.floor(victim * workers.length)] as number, 'SIGKILL');
        await Promise.all([
          haveComeBack(running, round + 1),
          ...calls.map(async (call) => {
            const { kind, id, listens, close } = call;
            const when = `round ${round}, ${kind}, ${id}`;
            await goesOn(running, call, when).catch(async (error: unknown) => {
              const told = running.output
                .split('\n')
                .filter((line) => line.includes(id) && !line.includes('"req"'));
              const lines = (await journalOf(running, { id })).map((line) => JSON.stringify(line));
              console.info([`what is known of ${id}:`, ...told, ...lines].join('\n'));
              throw error;
            });
            const lines = await journalOf(running, { id });
            // A socket may also have been lost with the process that relayed it.
            if (lines.some(({ type }) => type === 'call.resumed')) {
              await isWhole(running, { id }, { ...(listens ? { said: WHOLE } : {}), when });
              told.push({ call, when });
              hits.killedIn(lines);
              if (listens && !lacksVoice(lines)) compared++;
              const dials = lines.filter(({ type }) => type === 'leg.dial').length;
              expect(dials, when).toBeLessThan(2);
              killed.set(kind, (killed.get(kind) ?? 0) + 1);
            }
            close();
          }),
        ]);
        const seconds = Math.round((performance.now() - startedAt) / 1000);
        console.info(
          `round ${round}: ${total()} calls of ${KILLED_CALLS}, ${compared} compared, in ${seconds} s`,
        );
      }
      for (const { call, when } of told) await isToldOnce(call, when);
      const kinds = [...killed].map(([kind, count]) => `${kind} ${count}`).join(', ');
      console.info(
        `killed: ${kinds}, ${compared} compared to the word (TEST_SEED=${SEED})\n${hits.table()}`,
      );
      // No tool ran twice.
      expect(booked.length).toBeGreaterThan(0);
      expect(booked).toEqual([...new Set(booked)]);
    },
    Math.max(5, KILLED_CALLS / OF_EACH_KIND) * ROUND_MS,
  );
});
