import { expect, test } from 'vitest';
import { AuditTrail } from '../../src/api/audit/trail.ts';
import type { Db } from '../../src/store/db.ts';
import { ManualClock } from '../support/manual-clock.ts';

const note = {
  chain: 'team',
  actor: { type: 'service' },
  action: 'test',
  outcome: 'done',
} as const;
const log = { debug() {}, info() {}, warn() {}, error() {} };

test('what is noted while a flush writes is written after it, and nothing twice', async () => {
  const clock = new ManualClock();
  const writes: (() => void)[] = [];
  const transaction = () => new Promise<void>((done) => writes.push(done));
  const trail = new AuditTrail({ db: { transaction } as Partial<Db> as Db, clock, log });
  trail.note(note);
  const flushed = trail.flush();
  await expect.poll(() => writes.length).toBe(1);
  trail.note(note);
  await clock.advance(1000);
  expect(writes).toHaveLength(1);
  writes[0]?.();
  await expect.poll(() => writes.length).toBe(2);
  expect(trail.unwritten).toBe(1);
  writes[1]?.();
  await flushed;
  expect(trail.unwritten).toBe(0);
  await clock.advance(10_000);
  expect(writes).toHaveLength(2);
});
