import { describe, expect, test } from 'vitest';
import { createSpeechEdges, type SpeechEdge } from '../../src/audio/speech-edges.ts';
import { createEnergyVad } from '../support/energy-vad.ts';
import { readTelephoneRecording, recordings } from '../support/recordings.ts';

interface TimedEdge {
  readonly edge: SpeechEdge;
  /** When it was told, on the recording's clock. */
  readonly atMs: number;
}

/** The recording on a line on which nothing is sent before and after it, as a played file arrives. */
function edgesOf(pcm: Int16Array): TimedEdge[] {
  const edges = createSpeechEdges();
  const found: TimedEdge[] = [];
  const stream = createEnergyVad(8000).open((probability, index) => {
    const edge = edges.push(probability);
    if (edge) found.push({ edge, atMs: (index + 1) * 20 - LEAD_MS });
  });
  const line = new Int16Array(pcm.length + 2 * LEAD_MS * 8);
  line.set(pcm, LEAD_MS * 8);
  for (let i = 0; i + 160 <= line.length; i += 160) stream.write(line.subarray(i, i + 160));
  stream.close();
  return found;
}

const LEAD_MS = 1000;

describe.each(recordings.filter((recording) => !recording.pausesMs))('$file', (recording) => {
  const found = edgesOf(readTelephoneRecording(recording.file));

  test('the speech starts within 100 ms of its onset', () => {
    const start = found.find(({ edge }) => edge.type === 'speech-started');
    expect(start?.atMs).toBeGreaterThan(recording.speechStartMs - 60);
    expect(start?.atMs).toBeLessThan(recording.speechStartMs + 100);
  });

  test('it is one stretch; its end is located within 150 ms and reported 200 ms later', () => {
    const ends = found.filter(({ edge }) => edge.type === 'speech-ended');
    expect(ends).toHaveLength(1);
    const [{ edge, atMs }] = ends as [TimedEdge];
    const endMs = (edge as { readonly speechEndMs: number }).speechEndMs - LEAD_MS;
    expect(Math.abs(endMs - recording.speechEndMs)).toBeLessThan(150);
    expect(atMs - endMs).toBe(200);
  });
});

test('pauses of half a second and more are found, in the noise of a crowd', () => {
  const recording = recordings.find(({ pausesMs }) => pausesMs);
  const found = edgesOf(readTelephoneRecording(recording?.file as string));
  const pauses = recording?.pausesMs?.filter(([from, to]) => to - from > 500) ?? [];
  expect(pauses.length).toBeGreaterThan(2);
  for (const [from, to] of pauses) {
    const told = found.map(({ edge, atMs }) => (edge.type === 'speech-ended' ? atMs : -1));
    expect(told.some((atMs) => atMs > from + 150 && atMs < to)).toBe(true);
  }
});
