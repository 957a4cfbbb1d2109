import { beforeEach, expect, test } from 'vitest';
import type { TurnMetrics } from '../../src/contract/call-journal.ts';
import type { CallBatch } from '../../src/ports/call-store.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { JournalWriter } from '../../src/session/record/journal-writer.ts';
import { ManualClock } from '../support/manual-clock.ts';

let clock: ManualClock;
let written: CallBatch[];
let lost: CallBatch[];
let retries: number;
let away: boolean;
let taken: boolean;
let told: number;
let diskFull: boolean;
let held: Promise<void> | undefined;

function createWriter(): JournalWriter {
  return new JournalWriter({
    callId: 'WC-1',
    clock,
    store: {
      async write(batch) {
        await held;
        if (taken) throw Object.assign(new Error('taken'), { code: 'call-taken' });
        if (away) throw new Error('the store is away');
        if (batch.lines.some(({ type }) => type === 'poison')) {
          throw Object.assign(new Error('never'), { retryable: false });
        }
        written.push(batch);
      },
    },
    onRetry: () => retries++,
    onLost: async (batch) => {
      if (diskFull) throw new Error('the disk is full');
      lost.push(batch);
    },
    onTaken: () => told++,
  });
}

const line = (seq: number): JournalLine => ({ seq, at: seq, kind: 'note', type: 'test', data: {} });
const keptSeqs = () => written.flatMap((batch) => batch.lines.map(({ seq }) => seq));

beforeEach(() => {
  clock = new ManualClock();
  written = [];
  lost = [];
  retries = 0;
  taken = false;
  told = 0;
  held = undefined;
  away = false;
  diskFull = false;
});

test('lines of a tenth of a second go in one batch', async () => {
  const writer = createWriter();
  for (let seq = 0; seq < 50; seq++) writer.append(line(seq));
  await clock.advance(150);
  expect(written).toHaveLength(1);
  expect(keptSeqs()).toEqual(Array.from({ length: 50 }, (_, seq) => seq));
});

test('the times of a turn are written when nothing else is', async () => {
  const writer = createWriter();
  const turn = { turn: 1 } as unknown as TurnMetrics;
  writer.turn(turn);
  await clock.advance(150);
  expect(written.flatMap(({ turns = [] }) => turns)).toEqual([turn]);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('a batch that is refused for good after tries that failed costs those after it no time', async () => {
  const writer = createWriter();
  away = true;
  writer.append({ ...line(1), type: 'poison' });
  await clock.advance(120);
  expect(retries).toBe(1);
  away = false;
  await clock.advance(250);
  expect(lost).toHaveLength(1);
  writer.append(line(2));
  await clock.advance(110);
  expect(keptSeqs()).toEqual([2]);
});

test('a status goes at once, with the lines before it', async () => {
  const writer = createWriter();
  writer.append(line(1));
  writer.patch({ status: 'ongoing' });
  await clock.advance(1);
  expect(written).toEqual([
    { callId: 'WC-1', lines: [line(1)], messages: [], patch: { status: 'ongoing' } },
  ]);
});

test('a store that is away for a while loses nothing and gets everything once, in order', async () => {
  const writer = createWriter();
  away = true;
  for (let seq = 0; seq < 300; seq++) {
    writer.append(line(seq), { webhook: { kind: 'hang', details: { turn: seq } } });
    await clock.advance(20);
  }
  writer.message({ messageId: 'm1', role: 'user', text: 'old', at: 1 });
  await clock.advance(1000);
  writer.message({ messageId: 'm1', role: 'user', text: 'new', at: 1 });
  expect(retries).toBeGreaterThan(2);
  away = false;
  await clock.advance(6000);
  const all = Array.from({ length: 300 }, (_, seq) => seq);
  expect(keptSeqs()).toEqual(all);
  expect(
    written.flatMap(({ webhookUpdates = [] }) => webhookUpdates.map(({ seq }) => seq)),
  ).toEqual(all);
  expect(written.flatMap((batch) => batch.messages).at(-1)?.text).toBe('new');
  const closing = writer.close();
  await clock.advance(100);
  await closing;
});

test('close waits for what is on its way', async () => {
  const writer = createWriter();
  writer.append(line(1));
  const closing = writer.close();
  await clock.advance(100);
  await closing;
  expect(keptSeqs()).toEqual([1]);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('a store that stays away: the rest is handed over at the deadline, and no timer is left', async () => {
  const writer = createWriter();
  away = true;
  writer.append(line(1));
  writer.patch({ status: 'finished' });
  const closing = writer.close();
  await clock.advance(60_000);
  await closing;
  expect(lost).toEqual([
    { callId: 'WC-1', lines: [line(1)], messages: [], patch: { status: 'finished' } },
  ]);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('a batch that the store will never take is put aside, and what follows is kept', async () => {
  const writer = createWriter();
  writer.append({ ...line(1), type: 'poison' });
  await clock.advance(150);
  writer.append(line(2));
  await clock.advance(150);
  expect(lost.flatMap((batch) => batch.lines.map(({ seq }) => seq))).toEqual([1]);
  expect(keptSeqs()).toEqual([2]);
  const closing = writer.close();
  await clock.advance(100);
  await closing;
});

test('one that cannot be kept elsewhere either is reported, and the call goes on', async () => {
  const writer = createWriter();
  diskFull = true;
  writer.append({ ...line(1), type: 'poison' });
  await clock.advance(150);
  expect({ lost, retries }).toEqual({ lost: [], retries: 2 });
  writer.append(line(2));
  await clock.advance(150);
  expect(keptSeqs()).toEqual([2]);
});

test('the backlog is bounded: later lines are dropped and counted, messages never', async () => {
  const writer = createWriter();
  away = true;
  for (let seq = 0; seq < 25_000; seq++) writer.append(line(seq));
  writer.message({ messageId: 'm1', role: 'assistant', text: 'kept', at: 1 });
  await clock.advance(10);
  expect(writer.droppedLines).toBeGreaterThanOrEqual(4_000);
  away = false;
  await clock.advance(10_000);
  expect(written.flatMap((batch) => batch.messages)).toHaveLength(1);
});

test('a call that belongs to another process is written no more, nor kept elsewhere, and the session is told once', async () => {
  const writer = createWriter();
  writer.append(line(1));
  taken = true;
  await clock.advance(100);
  expect(told).toBe(1);
  writer.append(line(2));
  writer.patch({ settled: true });
  await writer.close();
  expect({ written, lost, retries, told }).toEqual({ written: [], lost: [], retries: 0, told: 1 });
});

test('what an effect waits for is stored at once, with the rest of its event', async () => {
  const writer = createWriter();
  writer.append(line(1));
  const durable = writer.durable();
  writer.append(line(2));
  expect(written).toEqual([]);
  expect(await durable).toBe(true);
  expect(clock.now()).toBe(0);
  expect(keptSeqs()).toEqual([1, 2]);
  expect(await writer.durable()).toBe(true);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('an effect is refused when its line is not stored in two seconds, or belongs to another process', async () => {
  const writer = createWriter();
  away = true;
  writer.append(line(1));
  const late = writer.durable();
  await clock.advance(2000);
  expect(await late).toBe(false);
  away = false;
  await clock.advance(5000);
  expect(await writer.durable()).toBe(true);
  taken = true;
  writer.append(line(2));
  expect(await writer.durable()).toBe(false);
  expect(await writer.durable()).toBe(false);
});

test('an effect during a write waits for the next one, which follows at once', async () => {
  const writer = createWriter();
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  writer.append(line(1));
  await clock.advance(100);
  writer.append(line(2));
  const durable = writer.durable();
  held = undefined;
  release();
  expect(await durable).toBe(true);
  expect(clock.now()).toBe(100);
  expect(written.map(({ lines }) => lines.length)).toEqual([1, 1]);
});

test('256 lines are a batch of their own, which waits for nothing', async () => {
  const writer = createWriter();
  for (let seq = 0; seq < 255; seq++) writer.append(line(seq));
  await clock.advance(50);
  expect(written).toEqual([]);
  writer.append(line(255));
  await clock.advance(1);
  expect(written.map(({ lines }) => lines.length)).toEqual([256]);
});

test('a store that is away is asked again later each time, and every five seconds in the end', async () => {
  const writer = createWriter();
  away = true;
  writer.append(line(1));
  const asked: number[] = [];
  let before = 0;
  while (clock.now() < 20_000) {
    await clock.advance(10);
    if (retries > before) asked.push(clock.now());
    before = retries;
  }
  expect(asked.map((at, i) => at - (asked[i - 1] ?? 0))).toEqual([
    100, 250, 500, 1000, 2000, 5000, 5000, 5000,
  ]);
  away = false;
  await clock.advance(5000);
  expect(keptSeqs()).toEqual([1]);
  // And the waits begin anew.
  away = true;
  writer.append(line(2));
  const again = retries;
  await clock.advance(100);
  expect(retries).toBe(again + 1);
  await clock.advance(250);
  expect(retries).toBe(again + 2);
});

test('lines that come while the store is away are not tried before their time', async () => {
  const writer = createWriter();
  away = true;
  writer.append(line(1));
  await clock.advance(100);
  writer.append(line(2));
  writer.patch({ status: 'ongoing' });
  writer.turn({ turn: 1 } as unknown as TurnMetrics);
  await clock.advance(240);
  expect(retries).toBe(1);
  away = false;
  await clock.advance(10);
  expect(written).toHaveLength(1);
  expect(keptSeqs()).toEqual([1, 2]);
});

test('what was refused is written again before what came since, and newer values win', async () => {
  const writer = createWriter();
  const turn = (number: number) => ({ turn: number }) as unknown as TurnMetrics;
  const message = (messageId: string, text: string) =>
    ({ messageId, role: 'user', text, at: 1 }) as const;
  away = true;
  writer.message(message('m1', 'one'));
  writer.message(message('m2', 'two'));
  writer.turn(turn(1));
  writer.patch({ status: 'ongoing', settled: true });
  await clock.advance(100);
  writer.message(message('m3', 'three'));
  writer.message(message('m1', 'one again'));
  writer.turn(turn(2));
  writer.patch({ status: 'finished' });
  away = false;
  await clock.advance(300);
  expect(written).toHaveLength(1);
  const [batch] = written;
  expect(batch?.messages.map(({ text }) => text)).toEqual(['one again', 'two', 'three']);
  expect(batch?.turns).toEqual([turn(1), turn(2)]);
  expect(batch?.patch).toEqual({ status: 'finished', settled: true });
});

test('no more than 20,000 lines are kept for a store that is away', async () => {
  const writer = createWriter();
  away = true;
  for (let seq = 0; seq < 20_000; seq++) writer.append(line(seq));
  expect(writer.droppedLines).toBe(0);
  writer.append(line(20_000));
  expect(writer.droppedLines).toBe(1);
});

test('the end of a call waits fifteen seconds for a store that is away', async () => {
  const writer = createWriter();
  away = true;
  writer.append(line(1));
  await clock.advance(100);
  const at = clock.now();
  let closedAt: number | undefined;
  void writer.close().then(() => {
    closedAt = clock.now();
  });
  while (closedAt === undefined) await clock.advance(10);
  expect(closedAt - at).toBeGreaterThanOrEqual(15_000);
  expect(closedAt - at).toBeLessThanOrEqual(15_100);
  expect(lost).toHaveLength(1);
});

test('a store that comes back while the call ends gets all of it', async () => {
  const writer = createWriter();
  away = true;
  writer.append(line(1));
  await clock.advance(100);
  const closing = writer.close();
  await clock.advance(1000);
  away = false;
  await clock.advance(1000);
  await closing;
  expect(keptSeqs()).toEqual([1]);
  expect(lost).toEqual([]);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('an effect may wait longer for its line than two seconds, where it says so', async () => {
  const writer = createWriter();
  away = true;
  writer.append(line(1));
  const short = writer.durable();
  const long = writer.durable(15_000);
  await clock.advance(2000);
  expect(await short).toBe(false);
  away = false;
  await clock.advance(4000);
  expect(await long).toBe(true);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('whose call it is the store is asked only where lines are still to be written', async () => {
  const writer = createWriter();
  taken = true;
  expect(await writer.ownsCall()).toBe(true);
  writer.append(line(1));
  expect(await writer.ownsCall()).toBe(false);
  expect(told).toBe(1);
  writer.append(line(2));
  expect(await writer.ownsCall()).toBe(false);
  expect(written).toEqual([]);
});
