import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmulatedCarrier } from '../../src/carriers/emulator/emulated-carrier.ts';
import { Random } from '../bench/turns/random.ts';
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
  idOf,
  numberOf,
  pointCarriersAt,
  startCarriers,
  WHOLE,
} from '../support/library-line.ts';
import { readRecording } from '../support/recordings.ts';
import { comeBack } from '../support/returning-call.ts';
import { dial } from '../support/service-call.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StateHits } from '../support/state-hits.ts';
import { startTestService } from '../support/test-service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** Calls of each kind, on the web and at each carrier, that are held when a process is killed. */
const OF_EACH_KIND = 6;
/** Rounds go on until so many calls have lost their process. */
const KILLED_CALLS = Number(process.env.FAILOVER_CALLS ?? 1);
/** The calls of a round begin within this time, so that the kill finds each at another place. */
const BEGIN_MS = 9000;
/** One in so many callers speaks, soon after the call has begun. */
const SPEAKERS = 3;
const SPEAK_MS = 5000;
const ROUND_MS = 120_000;
const SEED = testSeed(1);
const CHANCE = new Random(SEED);
const MINUTE = { timeout: 60_000, interval: 200 };
const reason =
  process.platform === 'linux' ? '' : ': the pids of the processes are read from /proc';

/** A caller of any kind. */
interface Held {
  readonly kind: string;
  readonly id: string;
  /** Speaks over what is said, so that what the caller hears is no longer known beforehand. */
  readonly speaks: boolean;
  /** Resolves when the service has ended the call. */
  readonly ended: () => Promise<unknown>;
  readonly close: () => void;
}

let folder: string;
let service: ServiceProcess | undefined;
let carriers: readonly EmulatedCarrier[];
let receiver: WebhookReceiver;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-failover-'));
  carriers = await startCarriers();
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  await service?.stop();
  for (const carrier of carriers) await carrier[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A place in the round, drawn before anything waits: a seed draws the same round again. */
interface Place {
  readonly beginMs: number;
  readonly speakMs: number | undefined;
}
const drawPlace = (i: number): Place => ({
  beginMs: CHANCE.next() * BEGIN_MS,
  speakMs: i % SPEAKERS === 0 ? CHANCE.next() * SPEAK_MS : undefined,
});

const speakAt = (place: Place, say: (sampleRateHz: number) => void, sampleRateHz: number) => {
  if (place.speakMs !== undefined)
    void delay(place.speakMs, undefined, { ref: false }).then(() => say(sampleRateHz));
};

async function callByWeb(
  running: ServiceProcess,
  assistantId: string,
  place: Place,
): Promise<Held> {
  await delay(place.beginMs);
  const call = await ask(() => dial(running, { assistantId }));
  const { caller, id } = call;
  // A client notices by its socket, which may be relayed by the process that lives, and comes back at once.
  const over = Promise.withResolvers<unknown>();
  over.promise.catch(() => undefined);
  const follow = (): void =>
    void caller.ended.then((end) => {
      if (end.reason !== undefined) over.resolve(end.reason);
      else comeBack(call).then(follow, over.reject);
    });
  follow();
  speakAt(place, (rate) => caller.say(readRecording('ask-what-you-can-do.wav', rate)), 16_000);
  const speaks = place.speakMs !== undefined;
  return { kind: 'web', id, speaks, ended: () => over.promise, close: () => caller.close() };
}

async function callByPhone(
  running: ServiceProcess,
  carrier: EmulatedCarrier,
  from: string,
  place: Place,
): Promise<Held> {
  await delay(place.beginMs);
  const call = await carrier.call({ from, to: numberOf(carrier) });
  await call.connected;
  const id = await idOf(running, call);
  speakAt(place, (rate) => call.handset.say(readRecording('ask-what-you-can-do.wav', rate)), 8000);
  const speaks = place.speakMs !== undefined;
  return { kind: carrier.name, id, speaks, ended: () => call.ended, close: () => call.hangup() };
}

/** The call goes on where it was, says the rest of its sentences, and obeys. */
async function goesOn(running: ServiceProcess, { id, ended }: Held, when: string): Promise<void> {
  const control = (body: object) =>
    running.json(`/calls/v1/conversations/${id}/control`, { method: 'POST', body });
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
  const said = async () => (await read(running, { id })).messages.map(({ text }) => text).join(' ');
  await expect.poll(said, { ...MINUTE, message: when }).toContain('Still here.');
  await ask(() => control({ type: 'end' }));
  await ended();
}

/** Each change of the call was told once, and its report with the analysis once. */
async function isToldOnce({ id }: Held, when: string): Promise<void> {
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
      const assistantServer = { enabled: true, url: receiver.url, messages };
      const assistantId = await answerNumbers(running, carriers, { assistantServer });
      // One that soon waits for the caller.
      const { _id: brief } = await running.json<{ _id: string }>('/assistants/v1/assistants', {
        method: 'POST',
        body: { name: 'Desk', welcomeMessage: 'Hello.', recordingEnabled: true, assistantServer },
      });
      const hits = new StateHits();
      const killed = new Map<string, number>();
      const told: { call: Held; when: string }[] = [];
      let compared = 0;
      const total = () => [...killed.values()].reduce((sum, count) => sum + count, 0);
      const startedAt = performance.now();
      for (let round = 0; total() < KILLED_CALLS; round++) {
        const places = Array.from({ length: OF_EACH_KIND }, (_, i) => i).map((i) => ({
          web: drawPlace(i),
          phones: carriers.map((carrier, c) => ({
            carrier,
            from: `+1500555${1000 + ((round * carriers.length + c) * OF_EACH_KIND + i)}`,
            place: drawPlace(i + c),
          })),
        }));
        const victim = CHANCE.next();
        const calls = await Promise.all(
          places.flatMap(({ web, phones }) => [
            callByWeb(running, web.speakMs === undefined ? assistantId : brief, web),
            ...phones.map(({ carrier, from, place }) => callByPhone(running, carrier, from, place)),
          ]),
        );
        const workers = await childrenOf(running.pid);
        process.kill(workers[Math.floor(victim * workers.length)] as number, 'SIGKILL');
        await Promise.all([
          haveComeBack(running, round + 1),
          ...calls.map(async (call) => {
            const { kind, id, speaks, close } = call;
            const when = `round ${round}, ${kind}, ${id}`;
            await goesOn(running, call, when);
            const lines = await journalOf(running, { id });
            // A socket may also have been lost with the process that relayed it.
            if (lines.some(({ type }) => type === 'call.resumed')) {
              await isWhole(running, { id }, { ...(speaks ? {} : { said: WHOLE }), when });
              told.push({ call, when });
              hits.killedIn(lines);
              if (!speaks && !lacksVoice(lines)) compared++;
              killed.set(kind, (killed.get(kind) ?? 0) + 1);
            }
            close();
          }),
        ]);
        const seconds = Math.round((performance.now() - startedAt) / 1000);
        console.info(`round ${round}: ${total()} calls of ${KILLED_CALLS} in ${seconds} s`);
      }
      for (const { call, when } of told) await isToldOnce(call, when);
      const kinds = [...killed].map(([kind, count]) => `${kind} ${count}`).join(', ');
      console.info(
        `killed: ${kinds}, ${compared} compared to the word (TEST_SEED=${SEED})\n${hits.table()}`,
      );
      expect(compared).toBeGreaterThan(0);
    },
    Math.max(5, KILLED_CALLS / OF_EACH_KIND) * ROUND_MS,
  );
});
