import { createEnergyJudge } from '../../src/audio/energy-judge.ts';
import { loadNetwork } from '../../src/providers/vad/load-network.ts';
import { VadBatch } from '../../src/providers/vad/vad-batch.ts';
import { createEnergyVad } from '../support/energy-vad.ts';
import { createNetworkVad } from '../support/network-vad.ts';
import { recordings } from '../support/recordings.ts';
import {
  areaUnderCurve,
  byTruth,
  type Disturbance,
  hear,
  onTheLine,
} from '../support/vad-measure.ts';
import type { Bench } from './main.ts';
import { quantiles } from './quantiles.ts';

const LINES: readonly Disturbance[] = [
  { kind: 'clean', snrDb: 0 },
  ...(['pink', 'line', 'babble'] as const).flatMap((kind) =>
    [15, 10, 5].map((snrDb) => ({ kind, snrDb })),
  ),
];
const BATCHES = [1, 4, 32, 64];
const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** Best of several: what the machine does beside it is not the cost. */
function millisecondsOf(work: () => void, times: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now();
    for (let n = 0; n < times; n++) work();
    best = Math.min(best, (performance.now() - startedAt) / times);
  }
  return best;
}

function costs(times: number) {
  const network = loadNetwork(8000);
  const length = network.windowSamples + network.contextSamples;
  const windowsASecond = 8000 / network.windowSamples;
  const pcm = Int16Array.from({ length: 8000 }, (_, i) => 3000 * Math.sin(i * 0.3));
  const rows: Record<string, number> = {};
  for (const calls of BATCHES) {
    const judge = new VadBatch(network);
    const streams = Int32Array.from({ length: calls }, (_, i) => i);
    const samples = Int16Array.from({ length: calls * length }, (_, i) => pcm[i % 8000] as number);
    const batchMs = millisecondsOf(() => judge.judge({ streams, samples, ended: [] }), times);
    rows[`network, batches of ${calls}`] = round((batchMs / calls) * windowsASecond, 3);
  }
  const energy = createEnergyJudge(8000);
  const second = () => {
    for (let at = 0; at < 8000; at += 160) energy.judge(pcm.subarray(at, at + 160));
  };
  rows['energy only'] = round(millisecondsOf(second, times), 3);
  // The floor: reading every sample once.
  let sum = 0;
  const read = () => {
    for (let i = 0; i < pcm.length; i++) sum += pcm[i] as number;
  };
  rows['reading the samples'] = round(millisecondsOf(read, times), 3);
  return { rows, sum };
}

function quality(noise: Disturbance, seeds: number) {
  const row: Record<string, string | number> = {
    line: noise.kind === 'clean' ? 'clean' : `${noise.kind} ${noise.snrDb} dB`,
  };
  const judges = { energy: createEnergyVad(8000), network: createNetworkVad() };
  for (const [name, vad] of Object.entries(judges)) {
    const speech: number[] = [];
    const other: number[] = [];
    const lags: number[] = [];
    const ends: number[] = [];
    for (const [n, recording] of recordings.entries()) {
      for (let seed = 1; seed <= seeds; seed++) {
        const line = onTheLine(recording, noise, 100 * seed + n);
        const heard = hear(vad, line);
        const frames = byTruth(line, heard);
        speech.push(...frames.speech);
        other.push(...frames.other);
        const { speechStartMs, voiceStartMs = speechStartMs, speechEndMs } = recording;
        const start = heard.starts.find(
          ({ atMs }) => atMs > speechStartMs - 100 && atMs < speechEndMs,
        );
        const end = heard.ends.at(-1);
        lags.push(start ? start.atMs - voiceStartMs : Number.POSITIVE_INFINITY);
        if (end) ends.push(end.speechEndMs - speechEndMs);
      }
    }
    row[`${name} AUC`] = round(areaUnderCurve(speech, other), 3);
    row[`${name} onset p50`] = quantiles(lags).p50;
    row[`${name} onset p95`] = quantiles(lags).p95;
    row[`${name} end p50`] = quantiles(ends).p50;
  }
  return row;
}

export const bench: Bench = {
  about: 'voice activity at 8 kHz µ-law: cost per second of call, and how well it tells speech, ms',
  async run({ scale }) {
    const { rows } = costs(Math.max(20, Math.round(200 * scale)));
    console.table(rows);
    const lines = LINES.map((noise) => quality(noise, Math.max(1, Math.round(2 * scale))));
    console.table(lines);
    console.log('goal: AUC at least 0.95 at 5 dB, onset within 120 ms in 95 of 100');
    return { msPerCallSecond: rows, lines };
  },
};
