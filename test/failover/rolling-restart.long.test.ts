import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Random } from '../bench/turns/random.ts';
import { testSeed } from '../support/effort.ts';
import { ask, BACK, childrenOf, haveComeBack, isWhole, journalOf } from '../support/failover.ts';
import { comeBack, controlOf } from '../support/returning-call.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

const SENTENCES = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
  'Books can be kept for four weeks, and films for seven days.',
];
const WELCOME = SENTENCES.join(' ');

const ROUNDS = 20;
const CHANCE = new Random(testSeed(1));
/** A machine that is too busy for a voice says nothing: then there is another round. */
const MOST_ROUNDS = 5;
const CALLS = 3;
/** The welcome takes about this long. */
const WELCOME_MS = 9000;
const reason =
  process.platform === 'linux' ? '' : ': the pids of the processes are read from /proc';

let folder: string;
let service: ServiceProcess | undefined;
const calls: ServiceCall[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-rolling-'));
});

afterEach(async () => {
  for (const { caller } of calls.splice(0)) caller.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

function soundMs(samples: Int16Array, sampleRateHz: number): number {
  let sounding = 0;
  for (const sample of samples) if (Math.abs(sample) >= 100) sounding++;
  return Math.round((sounding * 1000) / sampleRateHz);
}

/** How long the caller heard sound, ms. */
const soundingMs = ({ caller: { tracks, sampleRateHz } }: ServiceCall): number =>
  soundMs(tracks.speaker.read(), sampleRateHz);

describe.skipIf(reason !== '')(`web calls whose process is replaced${reason}`, () => {
  test('go on in another process in the middle of a welcome: every sentence once, in order', async () => {
    const running = await startTestService(folder, {
      PROCESSES: '2',
      LOG_LEVEL: 'info',
      DRAIN: 'handover',
      DRAIN_SECONDS: '20',
    });
    service = running;
    const { _id: assistantId } = await running.json<{ _id: string }>('/assistants/v1/assistants', {
      method: 'POST',
      body: { name: 'Library', welcomeMessage: WELCOME, recordingEnabled: true },
    });
    let movedCalls = 0;
    const moved: number[] = [];
    const stayed: number[] = [];
    for (let round = 0; round < ROUNDS || (movedCalls === 0 && round < MOST_ROUNDS); round++) {
      const afterMs = Math.round(CHANCE.next() * WELCOME_MS);
      const when = `round ${round}, replaced after ${afterMs} ms`;
      const own: ServiceCall[] = [];
      for (let i = 0; i < CALLS; i++) own.push(await ask(() => dial(running, { assistantId })));
      calls.push(...own);
      const affected = new Map<ServiceCall, Promise<void>>();
      for (const call of own)
        void call.caller.ended.then(({ reason }) => {
          if (reason !== undefined) return;
          const back = comeBack(call);
          // Awaited below, unless the test has failed before.
          back.catch(() => undefined);
          affected.set(call, back);
        });
      await delay(afterMs);
      const workers = await childrenOf(running.pid);
      process.kill(workers[Math.floor(CHANCE.next() * workers.length)] as number, 'SIGTERM');
      await haveComeBack(running, round + 1);
      for (const call of own) {
        await expect
          .poll(() => call.said.join(' '), { message: when, timeout: 60_000 })
          .toMatch(/seven days\.|technical trouble/);
        await affected.get(call);
        if ((await journalOf(running, call)).some(({ type }) => type === 'tts.failed')) continue;
        await controlOf(running, call, { type: 'end' });
        expect(await call.caller.ended, when).toMatchObject({ reason: 'ended-by-control' });
        const lines = await journalOf(running, call);
        const hasMoved = lines.some(({ type }) => type === 'call.resumed');
        if (!hasMoved) {
          stayed.push(soundingMs(call));
          continue;
        }
        const { channels, sampleRateHz } = await isWhole(running, call, { said: WELCOME, when });
        const recordedMs = soundMs(channels[1] as Int16Array, sampleRateHz);
        expect(Math.abs(recordedMs - soundingMs(call)), when).toBeLessThan(300);
        const spoken = call.said.join(' ').replaceAll('assistant: ', '');
        expect(spoken.replace(`${BACK} `, ''), when).toBe(WELCOME);
        movedCalls++;
        // Who was away for long, as on a busy machine, is told of it, which sounds too.
        if (spoken === WELCOME) moved.push(soundingMs(call));
      }
      for (const { caller } of own) caller.close();
    }
    expect(movedCalls).toBeGreaterThan(0);
    // The sound of a call that stayed says how much a whole welcome is; most words of it take longer than this.
    for (const whole of stayed)
      for (const ms of moved)
        expect(Math.abs(ms - whole), `${moved} of ${stayed}`).toBeLessThan(300);
  }, 600_000);
});
