import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { Recogniser } from './recogniser.ts';

const RATE_HZ = 16_000;

interface Sent {
  readonly type: string;
  readonly is_final?: boolean;
  readonly speech_final?: boolean;
  readonly from_finalize?: boolean;
  readonly channel?: { readonly alternatives: readonly { readonly transcript: string }[] };
}

function listening(endpointingMs?: number) {
  const sent: Sent[] = [];
  let finals = 0;
  const socket = { send: (text: string) => sent.push(JSON.parse(text)) } as unknown as WebSocket;
  const recogniser = new Recogniser(socket, {
    rateHz: RATE_HZ,
    ...(endpointingMs === undefined ? {} : { endpointingMs }),
    vadEvents: true,
    speaker: 0,
    onFinal: () => finals++,
  });
  const hear = (ms: number, level: number) => {
    const pcm = new Int16Array((ms * RATE_HZ) / 1000).fill(level);
    recogniser.audio(Buffer.from(pcm.buffer));
  };
  return {
    recogniser,
    speak: (ms: number) => hear(ms, 1000),
    pause: (ms: number) => hear(ms, 3),
    texts: () =>
      sent.flatMap((one) => (one.is_final ? (one.channel?.alternatives[0]?.transcript ?? []) : [])),
    sent,
    finals: () => finals,
  };
}

test('a final text comes after the silence that the client has set, once', () => {
  const heard = listening(300);
  heard.speak(800);
  heard.pause(290);
  expect(heard.texts()).toEqual([]);
  heard.pause(20);
  expect(heard.texts()).toEqual(['Speaker nab asks for nab.']);
  expect(heard.sent.at(-1)).toMatchObject({ speech_final: true, from_finalize: false });
  heard.pause(2000);
  expect(heard.finals()).toBe(1);
});

test('a silence within a word is no end, however short the client has set it', () => {
  const heard = listening(25);
  heard.speak(400);
  heard.pause(90);
  heard.speak(400);
  expect(heard.texts()).toEqual([]);
  heard.pause(100);
  expect(heard.texts()).toHaveLength(1);
});

test('a text that is asked for comes at once, and not again by itself', () => {
  const heard = listening(300);
  heard.speak(800);
  heard.pause(120);
  heard.recogniser.finalize();
  expect(heard.sent.at(-1)).toMatchObject({ is_final: true, from_finalize: true });
  heard.pause(1000);
  expect(heard.finals()).toBe(1);
});

test('without endpointing a text waits to be asked for', () => {
  const heard = listening();
  heard.speak(800);
  heard.pause(2000);
  expect(heard.finals()).toBe(0);
});

test('the beginning of each voice is told, also where frames do not end with a block', () => {
  const heard = listening(100);
  for (let n = 0; n < 100; n++) heard.speak(7.5);
  heard.pause(200);
  heard.speak(500);
  expect(heard.sent.filter(({ type }) => type === 'SpeechStarted')).toHaveLength(2);
});
