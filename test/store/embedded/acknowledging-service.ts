import { newCallId } from '../../../src/lib/ids.ts';
import { ensureFirstTeam } from '../../../src/store/bootstrap.ts';
import { writeCallBatch } from '../../../src/store/call-batch.ts';
import { createCall } from '../../../src/store/calls.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { callSnapshot } from '../../support/call-snapshot.ts';

// A service that keeps writing a call's record and prints acknowledged writes to standard output.
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const [dataDir = ''] = process.argv.slice(2);
const startedAt = performance.now();
const { db } = await openDatabase({ dataDir });
const readyMs = performance.now() - startedAt;
const { team } = await ensureFirstTeam(db);
const call = await createCall(db, {
  id: newCallId('web'),
  teamId: team.id,
  callType: 'web',
  nodeId: 'gone',
  direction: 'inbound',
  snapshot: callSnapshot,
});
say({ readyMs, teamId: team.id, callId: call.id });
for (let seq = 0; ; seq++) {
  await writeCallBatch(db, {
    teamId: team.id,
    callId: call.id,
    lines: [{ seq, at: seq, kind: 'event', type: 'test', data: { text: `line ${seq}` } }],
    messages: [{ messageId: `m${seq}`, role: 'user', text: `message ${seq}`, at: seq }],
    turns: seq === 0 ? [] : [{ turn: seq }],
    patch: seq === 0 ? { status: 'ongoing' } : {},
  });
  say({ acknowledged: seq });
}
