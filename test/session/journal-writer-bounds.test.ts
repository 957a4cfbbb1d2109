import { expect, test } from 'vitest';
import type { CallBatch, CallStore } from '../../src/ports/call-store.ts';
import { JournalWriter } from '../../src/session/record/journal-writer.ts';
import { ManualClock } from '../support/manual-clock.ts';

const line = (seq: number) => ({ seq, at: seq, kind: 'note', type: 'test', data: {} }) as const;

function writerTo(store: CallStore) {
  const clock = new ManualClock();
  const lost: CallBatch[] = [];
  const tries: number[] = [];
  const writer = new JournalWriter({
    ...{ callId: 'WC-1', clock, store, onTaken: () => undefined },
    onRetry: (_error, attempt) => void tries.push(attempt),
    onLost: async (batch) => void lost.push(batch),
  });
  return { clock, writer, lost, tries };
}

function keeping() {
  const written: CallBatch[] = [];
  const store = { write: async (batch: CallBatch) => void written.push(batch) };
  return { written, store };
}

test('one message is written though nothing else is, and one change that a webhook tells with its line', async () => {
  const { store, written } = keeping();
  const { clock, writer } = writerTo(store);
  const message = { messageId: 'm1', role: 'user', text: 'hello', at: 1 } as const;
  writer.message(message);
  await clock.advance(100);
  expect(written.map(({ messages }) => messages)).toEqual([[message]]);
  writer.append(line(1), { webhook: { kind: 'hang', details: { turn: 1 } } });
  await clock.advance(100);
  expect(written.at(-1)?.webhookUpdates).toMatchObject([{ seq: 1, at: 1 }]);
});

test.each([[null], [undefined], ['away'], [7], [{}], [{ retryable: true }], [{ code: 'busy' }]])(
  'a store that throws %j is asked again',
  async (thrown) => {
    const { written, store } = keeping();
    let isAway = true;
    const { clock, writer, tries, lost } = writerTo({
      write: async (batch) => {
        if (isAway) throw thrown;
        await store.write(batch);
      },
    });
    writer.append(line(1));
    await clock.advance(100);
    expect(tries).toEqual([1]);
    isAway = false;
    await clock.advance(250);
    expect(written).toHaveLength(1);
    expect(lost).toEqual([]);
  },
);

test('a call that ends gives its record away fifteen seconds later, to the instant, and no timer is left', async () => {
  const { clock, writer, lost } = writerTo({
    write: () => Promise.reject(new Error('away')),
  });
  writer.append(line(1));
  const closing = writer.close();
  await clock.advance(14_999);
  expect(lost).toEqual([]);
  await clock.advance(1);
  expect(lost).toHaveLength(1);
  await closing;
  expect(clock.nextDueAt()).toBeUndefined();
});

test('what nobody waits for any more is written with the next batch, in its own time', async () => {
  const { written, store } = keeping();
  const first = Promise.withResolvers<void>();
  const { clock, writer } = writerTo({
    write: async (batch) => {
      if (written.length === 0) await first.promise;
      await store.write(batch);
    },
  });
  writer.append(line(1));
  await clock.advance(100);
  writer.append(line(2));
  const durable = writer.durable();
  await clock.advance(2000);
  expect(await durable).toBe(false);
  first.resolve();
  await clock.advance(99);
  expect(written).toHaveLength(1);
  await clock.advance(1);
  expect(written).toHaveLength(2);
});

test('a call that is another process’s leaves no timer, whatever is still said of it', async () => {
  const { clock, writer } = writerTo({
    write: () => Promise.reject(Object.assign(new Error('taken'), { code: 'call-taken' })),
  });
  writer.append(line(1));
  await clock.advance(100);
  writer.patch({ settled: true });
  await writer.close();
  expect(clock.nextDueAt()).toBeUndefined();
});

test('what is said while the store refuses a batch is written after it, and newer values win', async () => {
  const { written, store } = keeping();
  const refused = Promise.withResolvers<void>();
  let tries = 0;
  const { clock, writer } = writerTo({
    write: async (batch) => {
      if (tries++ === 0) await refused.promise;
      await store.write(batch);
    },
  });
  const message = (messageId: string, text: string) =>
    ({ messageId, role: 'user', text, at: 1 }) as const;
  writer.message(message('m1', 'one'));
  writer.message(message('m2', 'two'));
  writer.append(line(1), { webhook: { kind: 'hang', details: { turn: 1 } } });
  writer.patch({ status: 'ongoing', settled: true });
  await clock.advance(100);
  writer.message(message('m1', 'one again'));
  writer.append(line(2), { webhook: { kind: 'hang', details: { turn: 2 } } });
  writer.patch({ status: 'finished' });
  refused.reject(new Error('away'));
  await clock.advance(300);
  expect(written).toMatchObject([
    {
      lines: [{ seq: 1 }, { seq: 2 }],
      webhookUpdates: [{ seq: 1 }, { seq: 2 }],
      messages: [{ text: 'one again' }, { text: 'two' }],
      patch: { status: 'finished', settled: true },
    },
  ]);
});
