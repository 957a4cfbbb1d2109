import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/lib/virtual-clock.ts';
import type { SttEvent } from '../../../src/ports/stt.ts';
import { AudioQueue } from '../../../src/providers/offline/stt/audio-queue.ts';
import type { ToWorker } from '../../../src/providers/offline/stt/protocol.ts';
import { OfflineSttStream } from '../../../src/providers/offline/stt/stream.ts';

function setUp() {
  const clock = new VirtualClock();
  const sent: ToWorker[] = [];
  const events: SttEvent[] = [];
  let detached = 0;
  const stream = new OfflineSttStream({
    streamId: 7,
    clock,
    onEvent: (event) => events.push(event),
    thread: { send: (message) => sent.push(message), detach: () => detached++ },
  });
  let next = 0;
  return {
    clock,
    sent,
    events,
    stream,
    detached: () => detached,
    /** Frames of 20 ms whose samples count up. */
    speak(ms: number) {
      for (let i = 0; i < ms / 20; i++) {
        stream.write(Int16Array.from({ length: 160 }, () => next++ % 32768));
      }
    },
    audio: () => sent.flatMap((message) => (message.type === 'audio' ? [...message.pcm] : [])),
    kinds: () => sent.map((message) => message.type).filter((kind, i, all) => kind !== all[i - 1]),
  };
}

test('nothing is sent while nobody speaks', () => {
  const { speak, sent } = setUp();
  speak(2000);
  expect(sent).toEqual([]);
});

test('speech is sent with the 400 ms before it, whole, and dated on the stream', () => {
  const { speak, sent, stream, audio, kinds } = setUp();
  speak(1000);
  stream.speechStarted();
  speak(500);
  stream.speechEnded();
  speak(500);
  expect(kinds()).toEqual(['start', 'audio', 'end']);
  expect(sent[0]).toEqual({ type: 'start', streamId: 7, segmentId: '1', startMs: 600 });
  expect(audio()).toEqual(Array.from({ length: 900 * 8 }, (_, i) => 600 * 8 + i));
});

test('a second segment begins after what the first one had', () => {
  const { speak, sent, stream } = setUp();
  stream.speechStarted();
  speak(300);
  stream.speechEnded();
  speak(100);
  stream.speechStarted();
  expect(sent.findLast((message) => message.type === 'start')).toMatchObject({
    segmentId: '2',
    startMs: 300,
  });
});

test('a thread that does not keep up gets no more than a second at once; the oldest beyond 10 s is dropped', () => {
  const { speak, stream, audio, sent, kinds } = setUp();
  stream.speechStarted();
  speak(13_000);
  stream.speechEnded();
  expect(audio().length).toBeLessThanOrEqual(8000);
  expect(kinds()).toEqual(['start', 'audio']);
  expect(stream.droppedMs).toBeGreaterThan(1900);
  expect(stream.droppedMs).toBeLessThan(2200);
  for (let i = 0; i < 30; i++) stream.message({ type: 'consumed', streamId: 7, samples: 8000 });
  expect(sent.at(-1)).toMatchObject({ type: 'end' });
  expect(audio().length / 8 + stream.droppedMs).toBe(13_000);
});

test('speech without a pause is cut into segments of 20 s', () => {
  const { speak, stream, sent } = setUp();
  stream.speechStarted();
  for (let i = 0; i < 45; i++) {
    speak(1000);
    stream.message({ type: 'consumed', streamId: 7, samples: 8000 });
  }
  const starts = sent.filter((message) => message.type === 'start');
  expect(starts.map((start) => start.startMs)).toEqual([0, 20_000, 40_000]);
});

describe('answers', () => {
  const final = {
    type: 'final',
    streamId: 7,
    segmentId: '1',
    text: 'Yes.',
    startMs: 1,
    endMs: 2,
    confidence: 0.9,
  } as const;

  test('are handed on, without what only the thread needs', () => {
    const { stream, events } = setUp();
    stream.message(final);
    const { streamId: _, ...event } = final;
    expect(events).toEqual([event]);
  });

  test('a final that does not come is an error', () => {
    const { stream, events, clock } = setUp();
    stream.speechStarted();
    stream.speechEnded();
    clock.advanceTo(4999);
    expect(events).toEqual([]);
    clock.advanceTo(5000);
    expect(events).toMatchObject([
      { type: 'error', error: { code: 'final_timeout', retryable: true } },
    ]);
  });

  test('one that came in time is not', () => {
    const { stream, events, clock } = setUp();
    stream.speechStarted();
    stream.speechEnded();
    stream.message(final);
    clock.advanceTo(10_000);
    expect(events.map(({ type }) => type)).toEqual(['final']);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test('a thread that ends is an error, and the stream is closed', () => {
    const { stream, events, detached } = setUp();
    stream.lost('exit code 1');
    expect(events).toMatchObject([{ type: 'error', error: { code: 'thread_lost' } }]);
    expect(detached()).toBe(1);
  });

  test('after close nothing comes and nothing goes, and no timer is left', () => {
    const { stream, events, sent, clock, speak, detached } = setUp();
    stream.speechStarted();
    stream.speechEnded();
    stream.close();
    stream.close();
    const before = sent.length;
    stream.message(final);
    stream.speechStarted();
    speak(100);
    expect(events).toEqual([]);
    expect(sent.length).toBe(before);
    expect(clock.nextDueAt()).toBeUndefined();
    expect(detached()).toBe(1);
  });
});

test('the queue keeps marks in their place and never drops one', () => {
  const out: unknown[] = [];
  const queue = new AudioQueue<{ id: number }>(
    { audio: (pcm) => out.push(pcm.length), mark: (mark) => out.push(mark) },
    10,
    20,
  );
  queue.push(new Int16Array(10));
  queue.push({ id: 1 });
  queue.push(new Int16Array(15));
  queue.push({ id: 2 });
  queue.push(new Int16Array(15));
  expect(out).toEqual([10, { id: 1 }]);
  expect(queue.droppedSamples).toBe(15);
  queue.consumed(10);
  expect(out).toEqual([10, { id: 1 }, { id: 2 }, 15]);
});
