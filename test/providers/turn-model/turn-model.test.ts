import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { LOG_MEL } from '../../../src/audio/log-mel.ts';
import { systemClock } from '../../../src/lib/system-clock.ts';
import { createProviders } from '../../../src/providers/registry.ts';
import { createTurnModel, type TurnModel } from '../../../src/providers/turn-model/turn-model.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type ModelSpec, onnxModel } from '../../support/onnx-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'turn-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let model: TurnModel | undefined;
afterEach(() => model?.close());

/** A model of the same shape as Smart Turn: how loud the last frames are, as a probability. */
const loudness = (bands: number = LOG_MEL.bands): ModelSpec => ({
  inputs: [{ name: 'input_features', type: 'float', shape: ['batch', bands, LOG_MEL.frames] }],
  outputs: [{ name: 'logits', type: 'float', shape: ['batch', 1] }],
  constants: [
    { name: 'from', type: 'int64', shape: [1], values: [LOG_MEL.frames - 20] },
    { name: 'to', type: 'int64', shape: [1], values: [LOG_MEL.frames] },
    { name: 'frames', type: 'int64', shape: [1], values: [2] },
    { name: 'flat', type: 'int64', shape: [2], values: [1, 1] },
  ],
  nodes: [
    { op: 'Slice', inputs: ['input_features', 'from', 'to', 'frames'], outputs: ['last'] },
    {
      op: 'ReduceMean',
      inputs: ['last'],
      outputs: ['mean'],
      attributes: { axes: [1, 2], keepdims: 0 },
    },
    { op: 'Reshape', inputs: ['mean', 'flat'], outputs: ['level'] },
    { op: 'Sigmoid', inputs: ['level'], outputs: ['logits'] },
  ],
  metadata: {},
});

function folderWith(name: string, bytes: Uint8Array): string {
  const dir = mkdtempSync(join(folder, 'model-'));
  writeFileSync(join(dir, name), bytes);
  return dir;
}

interface Bench {
  readonly model: TurnModel;
  readonly outcomes: string[];
  readonly logged: string[];
}

function bench(options: Partial<Parameters<typeof createTurnModel>[0]>): Bench {
  const outcomes: string[] = [];
  const logged: string[] = [];
  const write = (fields: Readonly<Record<string, unknown>>, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`);
  model = createTurnModel({
    dir: '',
    threads: 1,
    clock: systemClock,
    log: { debug: write, info: write, warn: write, error: write },
    onOutcome: (outcome) => outcomes.push(outcome),
    ...options,
  });
  return { model, outcomes, logged };
}

const ask = (pcm: Int16Array, signal = new AbortController().signal) => ({
  text: '',
  lastAssistantText: '',
  languages: ['en'],
  pcm,
  signal,
});

/** A thread that answers when it is told to: the samples say how. */
const scripted = (code: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort } from 'node:worker_threads';
       parentPort.postMessage({ type: 'ready', runtime: 'scripted' });
       parentPort.on('message', ({ id, pcm }) => { ${code} });`,
    )}`,
  );

test('a model of the same shape judges the last sound that it is given, in the real runtime', async () => {
  const dir = folderWith('smart-turn-v3-cpu.onnx', onnxModel(loudness()));
  const { model, outcomes, logged } = bench({ dir });
  expect(model.isReady).toBe(false);
  expect(await model.predict(ask(new Int16Array(16_000)))).toBeUndefined();
  await model.start();
  expect(model.isReady).toBe(true);
  expect(logged[0]).toContain('onnxruntime');
  const tone = Int16Array.from({ length: 32_000 }, (_, i) => 8000 * Math.sin(i / 5));
  const silenced = tone.slice();
  silenced.fill(0, 16_000);
  const [loud, quiet] = await Promise.all([model.predict(ask(tone)), model.predict(ask(silenced))]);
  // It gives the probability of an end; the answer is that of going on.
  expect(loud).toBeLessThan(0.5);
  expect(quiet).toBeGreaterThan(0.5);
  expect(outcomes).toEqual(['in-time', 'in-time']);
});

test.each([
  ['no model', 'readme.txt', new Uint8Array(1), 'has no .onnx file'],
  ['no ONNX', 'model.onnx', new Uint8Array(100).fill(7), ''],
  ['another shape', 'model.onnx', onnxModel(loudness(40)), ''],
])('a folder with %s is told of, and the words decide', async (_what, name, bytes, reason) => {
  const dir = folderWith(name, bytes);
  const { model, logged } = bench({ dir, clock: new ManualClock() });
  await model.start();
  expect(model.isReady).toBe(false);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('the turn model cannot be used, and words alone judge pauses');
  expect(logged[0]).toContain(reason);
});

test('the providers of a service have a predictor while its model can be used', async () => {
  const quiet = () => undefined;
  const shared = {
    vendors: {},
    allowPrivateTargets: false,
    clock: systemClock,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  };
  const outcomes: string[] = [];
  const onTurnJudged = (outcome: string) => void outcomes.push(outcome);
  const turn = folderWith('model.onnx', onnxModel(loudness()));
  const providers = createProviders({ ...shared, modelDirs: { turn }, onTurnJudged });
  expect(providers.predictor).toBeUndefined();
  await providers.warmUp();
  expect(await providers.predictor?.predict(ask(new Int16Array(100)))).toBeGreaterThan(0);
  expect(outcomes).toEqual(['in-time']);
  await providers.close();
  expect(providers.predictor).toBeUndefined();
  const without = createProviders(shared);
  await without.warmUp();
  expect(without.predictor).toBeUndefined();
  await without.close();
});

test('late judgements are none and told of once; what waits is not begun, and the next one is judged', async () => {
  // What it was asked so far is its answer.
  const threadUrl = scripted(`
    globalThis.asked = (globalThis.asked ?? 0) + 1;
    parentPort.postMessage({ type: 'judged', id, over: globalThis.asked / 8 });`);
  const { model, outcomes, logged } = bench({ clock: new ManualClock(), threadUrl });
  await model.start();
  const controller = new AbortController();
  const late = [1, 2].map(() => model.predict(ask(new Int16Array(2), controller.signal)));
  controller.abort(new DOMException('too late', 'TimeoutError'));
  expect(await Promise.all(late)).toEqual([undefined, undefined]);
  // The first one was begun before, the second never.
  expect(await model.predict(ask(new Int16Array(1)))).toBe(1 - 2 / 8);
  expect(outcomes).toEqual(['late', 'late', 'in-time']);
  expect(logged.filter((line) => line.includes('answers late'))).toHaveLength(1);
});

test('more than can wait are refused, and what was withdrawn is not begun', async () => {
  const clock = new ManualClock();
  const { model, outcomes } = bench({
    clock,
    threadUrl: scripted(
      `if (pcm.length === 1) parentPort.postMessage({ type: 'judged', id, over: 0.25 });`,
    ),
  });
  await model.start();
  const controller = new AbortController();
  const stuck = Array.from({ length: 16 }, () =>
    model.predict(ask(new Int16Array(2), controller.signal)),
  );
  expect(await model.predict(ask(new Int16Array(1)))).toBeUndefined();
  expect(outcomes).toEqual(['busy']);
  controller.abort();
  expect(new Set(await Promise.all(stuck))).toEqual(new Set([undefined]));
  expect(new Set(outcomes.slice(1))).toEqual(new Set(['withdrawn']));
});

test('a thread that dies is started again, and what waited for it goes without', async () => {
  const clock = new ManualClock();
  const { model, outcomes, logged } = bench({
    clock,
    threadUrl: scripted(`
      if (pcm.length === 2) process.exit(3);
      parentPort.postMessage({ type: 'judged', id, over: 0.25 });`),
  });
  await model.start();
  expect(await model.predict(ask(new Int16Array(2)))).toBeUndefined();
  expect(outcomes).toEqual(['failed']);
  expect(logged.at(-1)).toContain('its thread ended with 3');
  expect(model.isReady).toBe(false);
  await clock.advance(5000);
  await model.start();
  expect(await model.predict(ask(new Int16Array(1)))).toBe(0.75);
});
