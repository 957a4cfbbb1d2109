import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadNetwork, MODEL } from '../../../src/providers/vad/load-network.ts';
import { readOnnxTensors } from '../../../src/providers/vad/onnx-tensors.ts';
import { MEMORY_FLOATS, SpeechNetwork } from '../../../src/providers/vad/speech-network.ts';
import { VadBatch } from '../../../src/providers/vad/vad-batch.ts';
import { readRecording, readTelephoneRecording } from '../../support/recordings.ts';

interface Reference {
  readonly model: string;
  readonly runtime: string;
  readonly streams: readonly {
    readonly file: string;
    readonly sampleRateHz: number;
    readonly probabilities: readonly number[];
  }[];
}

const fixture = resolve(import.meta.dirname, '../../../fixtures/vad/silero-v5.json');
const reference = JSON.parse(readFileSync(fixture, 'utf8')) as Reference;
const networks = new Map([8000, 16_000].map((rate) => [rate, loadNetwork(rate)]));

test('the model is the one its makers published as version 5', () => {
  expect(createHash('sha256').update(readFileSync(MODEL)).digest('hex')).toBe(
    '2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f',
  );
});

/** The windows of a stream, each with its context. */
function windowsOf(pcm: Int16Array, { windowSamples, contextSamples }: SpeechNetwork) {
  const line = new Int16Array(contextSamples + pcm.length);
  line.set(pcm, contextSamples);
  const count = Math.floor(pcm.length / windowSamples);
  return Array.from({ length: count }, (_, i) =>
    line.subarray(i * windowSamples, (i + 1) * windowSamples + contextSamples),
  );
}

describe.each(reference.streams)('$file at $sampleRateHz Hz', (stream) => {
  const network = networks.get(stream.sampleRateHz) as SpeechNetwork;
  const read = stream.sampleRateHz === 8000 ? readTelephoneRecording : readRecording;
  const windows = windowsOf(read(stream.file, stream.sampleRateHz), network);

  test('is judged as the model is by a runtime of its own', () => {
    const memory = new Float32Array(MEMORY_FLOATS);
    const judged = windows.map((samples) => network.judge([{ samples, memory }])[0] as number);
    expect(judged).toHaveLength(stream.probabilities.length);
    const wrongBy = judged.map((p, i) => Math.abs(p - (stream.probabilities[i] as number)));
    expect(Math.max(...wrongBy)).toBeLessThan(1e-4);
    expect(Math.max(...judged)).toBeGreaterThan(0.9);
  });
});

test('streams judged together do not touch each other', () => {
  const network = networks.get(8000) as SpeechNetwork;
  const streams = ['five-five', 'seven-of-clubs', 'go-forward-ten-meters', 'ask-what-you-can-do'];
  const windows = streams.map((name) =>
    windowsOf(readTelephoneRecording(`${name}.wav`), network).slice(0, 30),
  );
  const alone = windows.map((own) => {
    const memory = new Float32Array(MEMORY_FLOATS);
    return own.map((samples) => network.judge([{ samples, memory }])[0] as number);
  });
  // Out of step, and several windows of a stream in one batch.
  const order = [0, 0, 1, 2, 0, 3, 1, 2, 2, 3, 3, 1, 0];
  const next = streams.map(() => 0);
  const judge = new VadBatch(network);
  const taken = order.map((stream) => {
    const index = next[stream] ?? 0;
    next[stream] = index + 1;
    return { stream, index };
  });
  const length = network.contextSamples + network.windowSamples;
  const samples = new Int16Array(order.length * length);
  for (const [i, { stream, index }] of taken.entries())
    samples.set(windows[stream]?.[index] as Int16Array, i * length);
  const together = judge.judge({ streams: Int32Array.from(order), samples, ended: [] });
  for (const [i, { stream, index }] of taken.entries())
    expect(together[i]).toBeCloseTo(alone[stream]?.[index] as number, 6);
});

test('an ended stream is forgotten: its number starts anew', () => {
  const network = networks.get(8000) as SpeechNetwork;
  const judge = new VadBatch(network);
  const [samples] = windowsOf(readTelephoneRecording('five-five.wav').subarray(3000), network);
  const batch = { streams: Int32Array.of(1), samples: samples as Int16Array };
  const [first] = judge.judge({ ...batch, ended: [1] });
  const [second] = judge.judge({ ...batch, ended: [] });
  const [third] = judge.judge({ ...batch, ended: [] });
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

describe('a file that is not the model', () => {
  test.each([
    ['cut off', Buffer.from([0x3a, 0x7f, 0x0a])],
    ['text', Buffer.from('version https://git-lfs.github.com/spec/v1')],
    ['an unended number', Buffer.from([0xff, 0xff])],
  ])('%s: it is refused', (_, bytes) => {
    expect(() => readOnnxTensors(bytes)).toThrow(RangeError);
  });

  test('without the constants: it is refused', () => {
    expect(() => new SpeechNetwork(new Map())).toThrow('the model has no stft');
  });

  test('a rate it does not know', () => {
    expect(() => loadNetwork(44_100)).toThrow('44100 Hz');
  });
});
