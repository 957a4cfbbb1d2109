import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../../src/lib/system-clock.ts';
import { createNeuralVad, type NeuralVad } from '../../../src/providers/vad/neural-vad.ts';
import { VadThread } from '../../../src/providers/vad/vad-thread.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { createNetworkVad } from '../../support/network-vad.ts';
import { readTelephoneRecording } from '../../support/recordings.ts';

const RECORDING = readTelephoneRecording('go-forward-ten-meters.wav');
const FRAMES = Math.floor(RECORDING.length / 160);
/** Those that end in a window that has come to its own end. */
const JUDGED = Math.floor((Math.floor((FRAMES * 160) / 256) * 256) / 160);
let vad: NeuralVad | undefined;
let warnings: unknown[] = [];
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields: unknown) => warnings.push(fields),
  error: () => undefined,
};

afterEach(async () => {
  await vad?.close();
  vad = undefined;
  warnings = [];
});

/** A thread that does as told. */
function thread(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
const NEVER_ANSWERS =
  "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ type: 'ready' }); parentPort.on('message', () => {});";
const DIES =
  "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ type: 'ready' }); parentPort.on('message', () => process.exit(7));";

interface Judgement {
  readonly probability: number;
  readonly index: number;
}

function judgeAll(judge: Pick<NeuralVad, 'open'>): Promise<Judgement[]> {
  return new Promise((resolve) => {
    const found: Judgement[] = [];
    const stream = judge.open((probability, index) => {
      found.push({ probability, index });
      if (found.length === JUDGED) resolve(found);
    });
    const frame = new Int16Array(160);
    for (let n = 0; n < FRAMES; n++) {
      // The buffer is the caller's own again afterwards.
      frame.set(RECORDING.subarray(n * 160, (n + 1) * 160));
      stream.write(frame);
    }
  });
}

test('many calls at once: each gets its own judgements, all of them, in order', async () => {
  vad = createNeuralVad({ clock: systemClock, log });
  await vad.start();
  const calls = await Promise.all([...Array(9)].map(() => judgeAll(vad as NeuralVad)));
  const alone = await judgeAll(createNetworkVad());
  for (const call of calls) {
    expect(call.map(({ index }) => index)).toEqual(call.map((_, i) => i));
    const wrongBy = call.map(({ probability }, i) =>
      Math.abs(probability - (alone[i]?.probability ?? Number.NaN)),
    );
    expect(Math.max(...wrongBy)).toBeLessThan(1e-5);
  }
  expect(warnings).toEqual([]);
});

test.each([
  ['cannot be loaded', thread('throw new Error("no model")')],
  ['dies over a batch', thread(DIES)],
])('a network that %s: energy judges, and it is said once', async (_, workerUrl) => {
  vad = createNeuralVad({ clock: new ManualClock(), log, workerUrl });
  await vad.start();
  const judged = await judgeAll(vad);
  expect(judged.map(({ index }) => index)).toEqual(judged.map((_, i) => i));
  expect(Math.max(...judged.map(({ probability }) => probability))).toBeGreaterThan(0.9);
  expect(judged[5]?.probability).toBeLessThan(0.1);
  expect(warnings).toHaveLength(1);
});

test('a network that does not answer within a second: energy judges what waits for it', async () => {
  const clock = new ManualClock();
  vad = createNeuralVad({ clock, log, workerUrl: thread(NEVER_ANSWERS) });
  await vad.start();
  const judged = judgeAll(vad);
  await clock.advance(999);
  expect(warnings).toEqual([]);
  await clock.advance(2);
  expect(await judged).toHaveLength(JUDGED);
  expect(warnings).toHaveLength(1);
});

test('a call that is over is told nothing more', async () => {
  vad = createNeuralVad({ clock: systemClock, log });
  await vad.start();
  let told = 0;
  const stream = vad.open(() => told++);
  for (let n = 0; n < 50; n++) stream.write(RECORDING.subarray(n * 160, (n + 1) * 160));
  const toldBefore = told;
  stream.close();
  await judgeAll(vad);
  expect(told).toBe(toldBefore);
});

test('an idle network is unloaded, and loaded again for the next call', async () => {
  vad = createNeuralVad({ clock: systemClock, log, idle: { idleMs: 10 } });
  const rest = vi.spyOn(VadThread.prototype, 'end');
  onTestFinished(() => rest.mockRestore());
  await vad.start();
  await eventually(() => expect(rest).toHaveBeenCalledOnce());
  await vad.start();
  const judged = judgeAll(vad);
  expect((await judged).at(-1)?.index).toBe(JUDGED - 1);
  expect(warnings).toEqual([]);
});

test('closed before it was loaded: nobody waits for ever', async () => {
  vad = createNeuralVad({ clock: systemClock, log });
  const started = vad.start();
  await vad.close();
  await started;
  const judged = await judgeAll(vad);
  expect(judged).toHaveLength(JUDGED);
});
