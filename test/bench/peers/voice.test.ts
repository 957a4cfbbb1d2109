import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { type SpeechRequest, Voice } from './voice.ts';

const FORMAT = { encoding: 'pcm_s16le', sample_rate: 16_000 };
const REPLY = 'We are open, nab.';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function speaking() {
  const sent: { type: string; context_id: string; word_timestamps?: { start: number[] } }[] = [];
  const socket = Object.assign(new EventEmitter(), {
    send: (text: string) => sent.push(JSON.parse(text)),
  }) as unknown as WebSocket;
  const voice = new Voice(socket);
  const ask = (request: Omit<SpeechRequest, 'context_id'>) =>
    voice.take({ context_id: 'c', output_format: FORMAT, ...request });
  return { ask, sent, of: (type: string) => sent.filter((one) => one.type === type) };
}

test('a whole text begins at once and ends with one done', () => {
  const { ask, of } = speaking();
  ask({ transcript: REPLY, continue: false });
  expect(of('chunk')).toHaveLength(1);
  vi.runAllTimers();
  expect(of('chunk')).toHaveLength(16);
  expect(of('done')).toHaveLength(1);
});

test('pieces of one text sound one after the other, and end when the last was said', () => {
  const { ask, of } = speaking();
  ask({ transcript: `${REPLY} `, continue: true });
  ask({ transcript: `${REPLY} `, continue: true });
  vi.runAllTimers();
  expect(of('chunk')).toHaveLength(32);
  expect(of('timestamps').map((one) => one.word_timestamps?.start[0])).toEqual([0, 1.6]);
  expect(of('done')).toHaveLength(0);
  ask({ transcript: ' ', continue: false });
  expect(of('done')).toHaveLength(1);
});

test('a text that is cancelled ends at once', () => {
  const { ask, of } = speaking();
  ask({ transcript: REPLY, continue: false });
  ask({ cancel: true });
  vi.runAllTimers();
  expect(of('chunk')).toHaveLength(1);
  expect(of('done')).toHaveLength(1);
});
