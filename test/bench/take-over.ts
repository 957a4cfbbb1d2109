import { restoreRecorded } from '../../src/calls/restore-recorded.ts';
import { ENGINE_VERSION } from '../../src/engine/machine/call.ts';
import { type Checkpoint, restoreCall } from '../../src/engine/machine/replay.ts';
import { newCallId } from '../../src/lib/ids.ts';
import { finish } from '../../src/lib/steps.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { CHECKPOINT_LINES } from '../../src/session/call-runner.ts';
import { keepCheckpoint } from '../../src/store/call-checkpoints.ts';
import { appendCallEvents } from '../../src/store/call-events.ts';
import { createCall, takeCall } from '../../src/store/calls.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createTeam } from '../../src/store/teams.ts';
import { CallHarness } from '../support/call-harness.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { cutsOf } from '../support/killed-call.ts';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import type { Bench } from './main.ts';
import { spread, writeMeasured } from './measured.ts';

const HOUR_MS = 3_600_000;
const WRITTEN_LINES = 1000;
const ANSWER =
  'We are open from nine to six on every day but Sunday. Books can be kept for four weeks, and films for seven days.';

/** The journal of an hour in which somebody always speaks. */
function talkOf(ms: number): readonly JournalLine[] {
  const call = new CallHarness({
    settings: { maxDurationMs: 2 * ms },
    model: () => ANSWER,
  }).answer();
  let at = 3000;
  for (let day = 1; at < ms; day++)
    at = call.says(at, `Is it open on day number ${day} of this year, please?`) + 12_000;
  call.runTo(ms);
  call.call.stop();
  return call.journal;
}

function checkpointOf(lines: readonly JournalLine[]): Checkpoint {
  const { call, form, last, startedAtMs, messages } = finish(restoreCall(lines));
  call.stop();
  return {
    ...{ engineVersion: ENGINE_VERSION, last, startedAtMs, messages },
    ...{ call: call.snapshot, form: form.snapshot },
  };
}

async function timed(work: () => Promise<unknown> | unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

export const bench: Bench = {
  about:
    'how long a process needs to go on with a long call, from its journal and from a checkpoint',
  async run({ rounds, write, scale }) {
    const bin = installedServer();
    if (!bin) throw new Error('this bench needs a Postgres server in /usr/lib/postgresql');
    const lines = talkOf(HOUR_MS * scale);
    const cuts = cutsOf(lines);
    // As far from the end as a checkpoint can be.
    const last = cuts.findLast((cut) => cut < lines.length - CHECKPOINT_LINES) ?? 0;
    const checkpoint = checkpointOf(lines.slice(0, last + 1));
    const server = await startPostgresServer(bin, {});
    const database = await openDatabase({ databaseUrl: server.url('postgres') });
    const [whole, soon, keeping, text]: [number[], number[], number[], number[]] = [[], [], [], []];
    try {
      const { db } = database;
      const { id: teamId } = await createTeam(db, { name: 'Bench' });
      const { id } = await createCall(db, {
        ...{ id: newCallId('web'), teamId, callType: 'web', direction: 'inbound' },
        snapshot: callSnapshot,
      });
      const epoch = await takeCall(db, { teamId, id, nodeId: 'bench' });
      for (let i = 0; i < lines.length; i += WRITTEN_LINES)
        await appendCallEvents(db, {
          teamId,
          callId: id,
          lines: lines.slice(i, i + WRITTEN_LINES),
        });
      const restored = async () => (await restoreRecorded(db, { teamId, id }))?.call.stop();
      for (let round = 0; round < Math.max(3, rounds); round++) whole.push(await timed(restored));
      for (let round = 0; round < Math.max(3, rounds); round++) {
        text.push(await timed(() => JSON.stringify(checkpoint)));
        const seq = checkpoint.last.seq - Math.max(3, rounds) + round + 1;
        const kept = { ...checkpoint, last: { ...checkpoint.last, seq } };
        keeping.push(
          await timed(() => keepCheckpoint(db, { teamId, callId: id, epoch, checkpoint: kept })),
        );
      }
      for (let round = 0; round < Math.max(3, rounds); round++) soon.push(await timed(restored));
    } finally {
      await database.close();
      await server.stop();
    }
    const bytes = JSON.stringify(checkpoint).length;
    const seconds = (HOUR_MS * scale) / 1000;
    const perCallSecond = (Math.max(...text) * (lines.length / CHECKPOINT_LINES)) / seconds;
    const table = [
      '| | |',
      '|---|---|',
      `| Lines of its journal | ${lines.length} |`,
      `| Taken over from its first line, ms | ${spread(whole, 0)} |`,
      `| Taken over from its checkpoint and ${lines.length - last - 1} lines, ms | ${spread(soon, 0)} |`,
      `| Size of a checkpoint at its end, KiB | ${Math.round(bytes / 1024)} |`,
      `| Making one there, ms of the thread | ${spread(text, 2)} |`,
      `| Keeping it in the store, ms | ${spread(keeping, 1)} |`,
      `| All of them, ms of the thread a call-second, at most | ${perCallSecond.toFixed(4)} |`,
    ].join('\n');
    console.log(table);
    if (write) await writeMeasured('docs/scale.md', 'take-over', table);
    return { lines: lines.length, whole, soon, bytes, text, keeping, perCallSecond };
  },
};
