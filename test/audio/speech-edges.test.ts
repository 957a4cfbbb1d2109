import { describe, expect, test } from 'vitest';
import { createSpeechEdges, type SpeechEdge } from '../../src/audio/speech-edges.ts';
import fc from '../support/properties.ts';

/** `#` voiced, `~` between the two thresholds, `.` silent; one character a frame of 20 ms. */
function edgesOf(frames: string): [number, SpeechEdge][] {
  const edges = createSpeechEdges();
  const found: [number, SpeechEdge][] = [];
  for (const [i, frame] of [...frames].entries()) {
    const edge = edges.push({ '#': 0.9, '~': 0.4, '.': 0.1 }[frame] ?? Number.NaN);
    if (edge) found.push([(i + 1) * 20, edge]);
  }
  return found;
}

const SILENCE = '.'.repeat(10);

describe('start', () => {
  test('after 60 ms of voice, dated back to where the voice began', () => {
    expect(edgesOf('.....###')).toEqual([[160, { type: 'speech-started', onsetMs: 100 }]]);
  });

  test('a gap inside the first 100 ms is forgiven', () => {
    expect(edgesOf('.#.#.#')).toEqual([[120, { type: 'speech-started', onsetMs: 20 }]]);
  });

  test('clicks are not speech', () => {
    expect(edgesOf('.##....##...#....##..')).toEqual([]);
  });

  test('a probability between the thresholds does not start speech', () => {
    expect(edgesOf('~~~~~~~~~~~~')).toEqual([]);
  });
});

test('a first doubtful frame may begin speech, once in 100 ms, and none while speech goes on', () => {
  const edges = createSpeechEdges();
  const told = [...'..~~....~.....~#####'].map((frame) => {
    edges.push({ '#': 0.9, '~': 0.4, '.': 0.1 }[frame] ?? Number.NaN);
    return edges.mayBegin ? '!' : '.';
  });
  expect(told.join('')).toBe('..!.....!.....!.....');
});

describe('end', () => {
  test('200 ms after the last voiced frame, dated to its end', () => {
    expect(edgesOf(`###${SILENCE}`)).toEqual([
      [60, { type: 'speech-started', onsetMs: 0 }],
      [180, { type: 'speech-lulled' }],
      [260, { type: 'speech-ended', speechEndMs: 60 }],
    ]);
  });

  test('voice within 200 ms goes on', () => {
    expect(edgesOf(`###.........#${SILENCE}`).at(-1)).toEqual([
      460,
      { type: 'speech-ended', speechEndMs: 260 },
    ]);
  });

  test('a blip ends after 80 ms, so that the assistant does not stop for it', () => {
    const edges = createSpeechEdges({ startMs: 20 });
    const told = [0.9, 0, 0, 0, 0].map((p) => edges.push(p));
    expect(told[0]).toEqual({ type: 'speech-started', onsetMs: 0 });
    expect(told[4]).toEqual({ type: 'speech-ended', speechEndMs: 20 });
  });

  test('a probability between the thresholds keeps speech going', () => {
    expect(edgesOf(`###~~~~~${SILENCE}`).at(-1)).toEqual([
      360,
      { type: 'speech-ended', speechEndMs: 160 },
    ]);
  });

  test('the end of the audio ends speech that goes on, once', () => {
    const edges = createSpeechEdges();
    for (let i = 0; i < 5; i++) edges.push(1);
    expect(edges.speaking).toBe(true);
    expect(edges.end()).toEqual({ type: 'speech-ended', speechEndMs: 100 });
    expect(edges.end()).toBeUndefined();
  });
});

describe('a lull', () => {
  const typesOf = (frames: string) => edgesOf(frames).map(([at, { type }]) => `${at} ${type}`);

  test('of 120 ms is told before it is an end, once, and so is a voice that goes on after it', () => {
    expect(typesOf(`###......#......${SILENCE}`)).toEqual([
      '60 speech-started',
      '180 speech-lulled',
      '200 speech-resumed',
      '320 speech-lulled',
      '400 speech-ended',
    ]);
  });

  test('shorter than that is none, nor is the silence after a blip', () => {
    expect(typesOf('###.....#.....#')).toEqual(['60 speech-started']);
    const edges = createSpeechEdges({ startMs: 20 });
    expect([0.9, 0, 0, 0, 0, 0, 0].flatMap((p) => edges.push(p)?.type ?? [])).toEqual([
      'speech-started',
      'speech-ended',
    ]);
  });
});

test('continuing speech is reported every 500 ms', () => {
  const alive = edgesOf('#'.repeat(100)).filter(([, edge]) => edge.type === 'speech-alive');
  expect(alive.map(([at]) => at)).toEqual([560, 1060, 1560]);
});

test('for any input, starts and ends alternate and times never go back', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1 }), { maxLength: 300 }), (probabilities) => {
      const edges = createSpeechEdges();
      const all = [...probabilities.map((p) => edges.push(p)), edges.end()].filter(
        (edge) => edge?.type === 'speech-started' || edge?.type === 'speech-ended',
      );
      let last = 0;
      for (const [i, edge] of all.entries()) {
        expect(edge.type).toBe(i % 2 === 0 ? 'speech-started' : 'speech-ended');
        const at = edge.type === 'speech-started' ? edge.onsetMs : edge.speechEndMs;
        expect(at).toBeGreaterThanOrEqual(last);
        last = at;
      }
      expect(all.length % 2).toBe(0);
    }),
  );
});

test('a window that cannot hold the start is refused', () => {
  expect(() => createSpeechEdges({ startMs: 200, startWindowMs: 100 })).toThrow(RangeError);
});
