import { afterAll, describe, expect, test } from 'vitest';
import type { SttEvent, SttOptions } from '../../../src/ports/stt.ts';
import { createOfflineStt } from '../../../src/providers/offline/stt/adapter.ts';
import { ThreadPool } from '../../../src/providers/offline/stt/thread-pool.ts';
import { isLong } from '../../support/effort.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type Recording, readTelephoneRecording, recordings } from '../../support/recordings.ts';

const phrases = [
  'What your country can do for you?',
  'Ask what you can do for your country.',
  'Go forward ten meters.',
  'Go somewhere and do something.',
  'Seven of clubs.',
  'Eight of spades, four of clubs, seven of hearts.',
  'What are your opening hours?',
  'How much does it cost to rent a bike?',
  'Do you have a parking lot?',
  'Can I pay with a credit card?',
  'Where are you located?',
  'How do I cancel my order?',
];

// Time stands still: no deadline passes on a busy machine.
const stt = createOfflineStt({ clock: new ManualClock(), maxThreads: 1, slotsPerThread: 2 });
afterAll(() => stt.close());

type Final = Extract<SttEvent, { type: 'final' | 'interim' }>;

async function listen(options: Partial<SttOptions> = {}) {
  const events: SttEvent[] = [];
  const waiting: ((final: Final) => void)[] = [];
  const stream = await stt.open({
    sampleRateHz: 8000,
    languages: ['en-US'],
    hints: [],
    phrases,
    signal: new AbortController().signal,
    onEvent(event) {
      events.push(event);
      if (event.type === 'final') waiting.shift()?.(event);
    },
    ...options,
  });
  const final = () => new Promise<Final>((resolve) => waiting.push(resolve));
  return { stream, events, final };
}

function speak(stream: { write(pcm: Int16Array): void }, pcm: Int16Array): void {
  for (let i = 0; i < pcm.length; i += 160) stream.write(pcm.subarray(i, i + 160));
}

function cut(recording: Recording, fromMs: number, toMs: number): Int16Array {
  return readTelephoneRecording(recording.file).subarray(Math.max(0, fromMs) * 8, toMs * 8);
}

/** All of them, or in `npm test` the first of each speaker. */
const rows = recordings.filter(
  ({ speaker }, i) => isLong || recordings.findIndex((one) => one.speaker === speaker) === i,
);
const known = rows.filter((r) => !r.file.startsWith('reading') && !r.pausesMs);
const unknown = rows.filter((r) => r.file.startsWith('reading'));
const spoken: Readonly<Record<string, string>> = { 'two nine three four zero': '29340' };

describe('recorded people on a telephone line', () => {
  test.each(known)('$text', async (recording) => {
    const { stream, events, final } = await listen();
    speak(stream, cut(recording, 0, recording.speechStartMs + 60));
    stream.speechStarted();
    speak(stream, cut(recording, recording.speechStartMs + 60, recording.speechEndMs + 200));
    const heard = final();
    stream.speechEnded();
    const { text, confidence, startMs, endMs } = await heard;
    expect(text).toBe(spoken[recording.text] ?? recording.text);
    expect(confidence).toBeGreaterThan(0.5);
    // The words lie where the speech does.
    expect(Math.abs(startMs - recording.speechStartMs)).toBeLessThan(350);
    expect(Math.abs(endMs - recording.speechEndMs)).toBeLessThan(250);
    // What is barely understood is not told before it is whole.
    const interims = events.filter(({ type }) => type === 'interim');
    if (confidence > 0.95) expect(interims.length).toBeGreaterThan(0);
    expect(events.some(({ type }) => type === 'error')).toBe(false);
    stream.close();
  });

  test.each(unknown)('not in its words: $text', async (recording) => {
    const { stream, final } = await listen();
    stream.speechStarted();
    speak(stream, cut(recording, 0, recording.speechEndMs + 200));
    const heard = final();
    stream.speechEnded();
    expect(await heard).toMatchObject({ text: '', confidence: 0, segmentId: '1' });
    stream.close();
  });
});

test('noise is no words', async () => {
  const { stream, final } = await listen();
  let state = 1;
  const noise = Int16Array.from({ length: 12_000 }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state / 0x7fffffff - 0.5) * 6000;
  });
  stream.speechStarted();
  speak(stream, noise);
  const heard = final();
  stream.speechEnded();
  expect(await heard).toMatchObject({ text: '', confidence: 0 });
  stream.close();
});

test('a sentence is whole after 120 ms of silence, and goes on if the caller does', async () => {
  const recording = recordings.find((r) => r.file.startsWith('go-somewhere')) as Recording;
  const { stream, final } = await listen();
  const { speechStartMs, speechEndMs } = recording;
  stream.speechStarted();
  speak(stream, cut(recording, speechStartMs - 300, speechEndMs + 120));
  const heard = final();
  stream.flush();
  expect((await heard).text).toBe(recording.text);
  stream.speechStarted();
  speak(stream, cut(recording, speechStartMs - 100, speechEndMs + 200));
  const again = final();
  stream.speechEnded();
  expect((await again).text).toBe(recording.text);
  stream.close();
});

test('speech with a pause inside a sentence gives both parts, joined as the sentence', async () => {
  const recording = recordings.find((r) => r.file.startsWith('go-forward')) as Recording;
  const { stream, final } = await listen();
  // "Go forward", half a second of nothing, "ten meters".
  stream.speechStarted();
  speak(stream, cut(recording, 300, 1160));
  speak(stream, new Int16Array(1600));
  const first = final();
  stream.speechEnded();
  const start = await first;
  expect(start.text).toBe('Go forward');
  speak(stream, new Int16Array(2400));
  stream.speechStarted();
  speak(stream, cut(recording, 1160, 2300));
  const second = final();
  stream.speechEnded();
  const end = await second;
  expect(end).toMatchObject({ text: 'ten meters.', segmentId: '2' });
  expect(end.startMs).toBeGreaterThan(start.endMs);
  stream.close();
});

test('more callers speak at once than there are decoders: all are heard', async () => {
  const recording = recordings.find((r) => r.file.startsWith('seven')) as Recording;
  const pcm = cut(recording, 0, recording.speechEndMs + 200);
  const callers = await Promise.all(Array.from({ length: 5 }, () => listen()));
  const finals = callers.map(({ final }) => final());
  for (const { stream } of callers) stream.speechStarted();
  for (let i = 0; i < pcm.length; i += 1600) {
    for (const { stream } of callers) speak(stream, pcm.subarray(i, i + 1600));
  }
  for (const { stream } of callers) stream.speechEnded();
  for (const heard of await Promise.all(finals)) expect(heard.text).toBe('Seven of clubs.');
  for (const { stream } of callers) stream.close();
});

test('who speaks again before a decoder was free gets an answer for both', async () => {
  const recording = recordings.find((r) => r.file.startsWith('seven')) as Recording;
  const pcm = cut(recording, 0, recording.speechEndMs + 200);
  const talkers = await Promise.all([listen(), listen()]);
  for (const { stream } of talkers) {
    stream.speechStarted();
    speak(stream, pcm);
  }
  const { stream, final } = await listen();
  const answers = [final(), final()];
  stream.speechStarted();
  speak(stream, pcm);
  stream.speechEnded();
  stream.speechStarted();
  speak(stream, pcm);
  stream.speechEnded();
  const done = talkers.map((talker) => talker.final());
  for (const talker of talkers) talker.stream.speechEnded();
  await Promise.all(done);
  const [first, second] = await Promise.all(answers);
  expect([first?.segmentId, second?.segmentId]).toEqual(['1', '2']);
  expect(second?.text).toBe('Seven of clubs.');
  for (const open of [...talkers, { stream }]) open.stream.close();
});

test('French is spoken too', async () => {
  const { stream, final } = await listen({
    languages: ['fr-CA', 'en'],
    phrases: ["Quels sont vos horaires d'ouverture ?", "L'heure, s'il vous plaît"],
  });
  stream.speechStarted();
  speak(stream, cut(unknown[0] as Recording, 0, 2800));
  const heard = final();
  stream.speechEnded();
  expect(await heard).toMatchObject({ text: '' });
  stream.close();
});

describe('opening', () => {
  test('words without a sound are told, the rest is heard', async () => {
    const notices: unknown[] = [];
    const own = createOfflineStt({ maxThreads: 1, onNotice: (notice) => notices.push(notice) });
    const stream = await own.open({
      sampleRateHz: 8000,
      languages: [],
      hints: ['東京'],
      phrases: ['Yes?'],
      signal: new AbortController().signal,
      onEvent() {},
    });
    expect(notices).toMatchObject([{ unknownWords: ['東京'], droppedPhrases: 0 }]);
    stream.close();
    await own.close();
  });

  test.each([
    ['a language it does not speak', { languages: ['ja-JP'] }, 'language'],
    ['a rate it does not take', { sampleRateHz: 16000 }, 'sample_rate'],
  ])('%s is refused', async (_name, options, code) => {
    await expect(listen(options)).rejects.toMatchObject({
      code,
      class: 'invalid',
      retryable: false,
    });
  });

  test('an aborted call opens nothing', async () => {
    const aborted = AbortSignal.abort(new Error('hung up'));
    await expect(listen({ signal: aborted })).rejects.toThrow('hung up');
    const controller = new AbortController();
    const opening = listen({ signal: controller.signal });
    controller.abort(new Error('hung up'));
    await expect(opening).rejects.toThrow('hung up');
  });
});

test('a thread without streams ends when it is idle, one with a stream does not', async () => {
  const pool = new ThreadPool(1, 1, { idleMs: 10 });
  const client = { message: () => undefined, lost: () => undefined };
  const used = pool.pick();
  used.attach(1, client);
  used.attach(2, client);
  used.detach(1);
  expect(pool.isRunning).toBe(true);
  used.detach(2);
  await eventually(() => expect(pool.isRunning).toBe(false));
  expect(pool.pick()).not.toBe(used);
  await pool.close();
});
