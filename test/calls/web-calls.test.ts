import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RecordedBatch } from '../../src/calls/after-calls.ts';
import { CallStarts, callStartDefaults } from '../../src/calls/call-starts.ts';
import { takeOverQueue } from '../../src/calls/restore-recorded.ts';
import { sealResumeToken } from '../../src/calls/resume-token.ts';
import { createWebCalls, type WebCalls, type WebCallsDeps } from '../../src/calls/web-calls.ts';
import type { CallSnapshot } from '../../src/contract/call-snapshot.ts';
import { ToolConfigSchema } from '../../src/contract/tool.ts';
import { ProviderError } from '../../src/lib/errors.ts';
import { newCallId, uuidv7 } from '../../src/lib/ids.ts';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import { ThreadUse } from '../../src/lib/thread-use.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import type { SttOptions } from '../../src/ports/stt.ts';
import { SessionRegistry } from '../../src/session/session-registry.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { appendCallEvents } from '../../src/store/call-events.ts';
import { createCall, finishCall, getCall, takeCall } from '../../src/store/calls.ts';
import type { Db } from '../../src/store/db.ts';
import { createMediaToken, deleteExpiredMediaTokens } from '../../src/store/media-tokens.ts';
import { registerNode } from '../../src/store/nodes.ts';
import {
  closeUnconnectedCalls,
  giveUpCalls,
  removeDeadNodes,
} from '../../src/store/orphaned-calls.ts';
import { calls } from '../../src/store/schema/calls.ts';
import { CallHarness } from '../support/call-harness.ts';
import { callSnapshot } from '../support/call-snapshot.ts';
import { clearFiles } from '../support/clear-files.ts';
import { levelVad } from '../support/level-vad.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';
import { testSealer, withDatabase } from '../support/postgres.ts';
import { ScriptedSttStream } from '../support/scripted-stt.ts';

const nodeOf = (id: string) => ({
  id,
  serviceId: id,
  place: 'a machine',
  pid: 1,
  address: '',
});

withDatabase('a web call', ({ db, newTeam }) => {
  let folder: string;
  let webCalls: WebCalls | undefined;
  let recorded: RecordedBatch[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-web-'));
    recorded = [];
  });

  afterEach(async () => {
    await webCalls?.close();
    await rm(folder, { recursive: true });
  });

  const newCall = async (
    expiresAt = new Date(Date.now() + 60_000),
    assistant: Partial<typeof callSnapshot.assistant> = {},
    tools: CallSnapshot['tools'] = [],
  ) => {
    const call = await createCall(db(), {
      id: newCallId('web'),
      teamId: await newTeam(),
      callType: 'web',
      direction: 'inbound',
      snapshot: { ...callSnapshot, assistant: { ...callSnapshot.assistant, ...assistant }, tools },
    });
    return { ...call, ...(await createMediaToken(db(), { callId: call.id, expiresAt })) };
  };

  const open = (deps: Partial<WebCallsDeps> = {}) => {
    webCalls = createWebCalls({
      db: db(),
      clock: { now: () => Date.now() },
      registry: new SessionRegistry(10),
      callStarts: new CallStarts(() => 0),
      nodeId: 'here',
      log: pino({ level: 'silent' }),
      recordingsDir: folder,
      callFiles: clearFiles,
      takeOvers: takeOverQueue(),
      onRecorded: (batch: RecordedBatch) => void recorded.push(batch),
      providers: {
        wake: async () => undefined,
        forAssistant: () => ({ llm: {}, stt: {}, tts: {} }),
      },
      ...deps,
    } as WebCallsDeps);
    return webCalls;
  };

  test('belongs to the process that admitted its caller', async () => {
    const call = await newCall();
    expect(await open().redeem(call.token)).toMatchObject({ outcome: 'accepted', callId: call.id });
    expect(await getCall(db(), call)).toMatchObject({ status: 'queued', nodeId: 'here' });
    await closeUnconnectedCalls(db(), { now: new Date(Date.now() + 120_000) });
    expect(await getCall(db(), call)).toMatchObject({ status: 'queued', endAt: null });
  });

  test('that its process has let go may come back to the same one, once it is given up', async () => {
    const call = await newCall();
    const nodeId = uuidv7();
    await registerNode(db(), { node: nodeOf(nodeId), leaseMs: 60_000 });
    const calls = open({ nodeId });
    const first = await calls.redeem(call.token);
    if (first.outcome !== 'accepted') throw new Error(first.outcome);
    const token = `${first.sealLeg?.({ sampleRateHz: 24_000, serial: 0 })}.${nodeId}`;
    expect(await calls.redeem(token)).toMatchObject({ outcome: 'refused', code: 'not_yet' });
    // Even while others take the process for dead.
    await removeDeadNodes(db(), { ids: [nodeId] });
    expect(await calls.redeem(token)).toMatchObject({ outcome: 'refused', code: 'not_yet' });
    await giveUpCalls(db(), { ids: [call.id], nodeId });
    expect(await calls.redeem(token)).toMatchObject({ outcome: 'accepted', callId: call.id });
    expect(await getCall(db(), call)).toMatchObject({ nodeId, epoch: 2 });
  });

  test('whose process has died is taken over once, with a resume token, by another', async () => {
    const call = await newCall();
    await registerNode(db(), { node: nodeOf('here'), leaseMs: 60_000 });
    const first = await open().redeem(call.token);
    if (first.outcome !== 'accepted') throw new Error(first.outcome);
    const resumeToken = `${first.sealLeg?.({ sampleRateHz: 24_000, serial: 0 })}.${uuidv7()}`;
    const epochs = async () => (await getCall(db(), call)).epoch;
    expect(await epochs()).toBe(1);
    await webCalls?.close();

    const other = open({ nodeId: 'there' });
    expect(await other.findTeam(resumeToken)).toBe(call.id);
    expect(await other.redeem(resumeToken)).toMatchObject({ outcome: 'refused', code: 'not_yet' });
    await removeDeadNodes(db(), { ids: ['here'] });
    // It had not begun: it begins there.
    expect(await other.redeem(resumeToken)).toMatchObject({ outcome: 'accepted', callId: call.id });
    expect(await getCall(db(), call)).toMatchObject({
      nodeId: 'there',
      epoch: 2,
      orphanedAt: null,
    });
    expect(await other.redeem(resumeToken)).toEqual({ outcome: 'unknown' });
    expect(await other.redeem(resumeToken.replace(/.{8}\./, 'AAAAAAAA.'))).toEqual({
      outcome: 'unknown',
    });
  });

  test('is taken over with the newest token of its client alone, and not with one that it has replaced', async () => {
    const event = (seq: number, type: string) =>
      ({ seq, at: seq, kind: 'event', type, data: {} }) as const;
    const taken = async (epoch: number, serial: number, types: readonly string[]) => {
      const call = await newCall();
      await appendCallEvents(db(), {
        ...{ teamId: call.teamId, callId: call.id },
        lines: types.map((type, i) => event(i, type)),
      });
      for (let i = 0; i < epoch; i++) await takeCall(db(), { ...call, nodeId: 'gone' });
      const token = { callId: call.id, epoch, sampleRateHz: 24_000, serial };
      const { outcome } = await open().redeem(sealResumeToken(testSealer, token));
      await webCalls?.close();
      return outcome !== 'unknown' && (await getCall(db(), call)).epoch === epoch + 1;
    };
    const [lost, resumed] = ['process.lost', 'media.resumed'];
    expect(await taken(1, 0, [])).toBe(true);
    expect(await taken(1, 0, [resumed])).toBe(false);
    expect(await taken(1, 1, [resumed])).toBe(true);
    // What the client has last may not be in the journal yet.
    expect(await taken(1, 2, [resumed])).toBe(true);
    // A later owner begins to count anew; that it has taken the call over is no return of the client.
    const later = [resumed, resumed, lost, resumed];
    expect(await taken(2, 0, later)).toBe(true);
    expect(await taken(2, 0, [...later, resumed])).toBe(false);
    expect(await taken(2, 1, [...later, resumed])).toBe(true);
    // It died before it could store anything.
    expect(await taken(2, 0, [resumed, resumed])).toBe(true);
    expect(await taken(2, 0, [resumed, lost])).toBe(true);
  });

  test('goes on from its journal, at the rate and with the sound that it had; one of another engine ends', async () => {
    const harness = new CallHarness().answer();
    harness.runTo(3000);
    const other = harness.journal.map((line) =>
      line.type === 'tts.start' ? { ...line, data: { ...line.data, text: 'Otherwise.' } } : line,
    );
    const redeemed = async (lines: readonly JournalLine[]) => {
      const call = await newCall();
      const startedAt = Date.now() - 5000;
      const [head, ...rest] = lines;
      const first = { ...(head as JournalLine), data: { ...head?.data, startedAt } };
      await appendCallEvents(db(), {
        teamId: call.teamId,
        callId: call.id,
        lines: [first, ...rest],
      });
      await takeCall(db(), { ...call, nodeId: 'gone' });
      const token = { callId: call.id, epoch: 1, sampleRateHz: 24_000, serial: 0 };
      const redemption = await open().redeem(sealResumeToken(testSealer, token));
      await webCalls?.close();
      return { startedAt, redemption, record: await getCall(db(), call) };
    };
    const { startedAt, redemption } = await redeemed(harness.journal);
    const at = harness.journal.at(-1)?.at ?? 0;
    expect(redemption).toMatchObject({
      outcome: 'accepted',
      takenOver: { sampleRateHz: 24_000, receivedMs: at, receivedAt: startedAt + at },
    });
    const { redemption: refused, record } = await redeemed(other);
    expect(refused).toMatchObject({ outcome: 'refused', code: 'service-restarted' });
    expect(record).toMatchObject({ status: 'finished', endReason: 'service-restarted' });
  });

  test('a token that was taken without its call, because the store failed between, is still good', async () => {
    const call = await newCall();
    const torn = new Proxy(db(), {
      get: (target, key) =>
        key === 'transaction'
          ? (work: (tx: Db) => Promise<unknown>) => target.transaction((tx) => work(tearing(tx)))
          : tearing(target)[key as keyof Db],
    });
    await expect(open({ db: torn }).redeem(call.token)).rejects.toThrow('torn');
    await webCalls?.close();
    expect(await open().redeem(call.token)).toMatchObject({ outcome: 'accepted' });
  });

  test('that cannot be made ready has an end, and a reason', async () => {
    const call = await newCall();
    const forAssistant = () => {
      throw new Error('no such voice');
    };
    const broken = open({
      providers: {
        wake: async () => undefined,
        forAssistant,
      } as unknown as WebCallsDeps['providers'],
    });
    expect(await broken.redeem(call.token)).toEqual({
      outcome: 'refused',
      code: 'internal-error',
      message: 'The call was ended because of a fault in the service itself.',
      closeCode: 1011,
    });
    expect(await getCall(db(), call)).toMatchObject({
      status: 'finished',
      endReason: 'internal-error',
      failure: null,
      wrapUp: 'due',
    });
    expect(recorded).toEqual([{ webhooksQueued: true, settled: true }]);
  });

  test('whose vendors are gone by the time its caller comes says so to the caller and the record', async () => {
    const call = await newCall();
    const message =
      'openai has no key: set it on the console’s page Vendors, or set OPENAI_API_KEY';
    const forAssistant = () => {
      throw new ProviderError({ class: 'auth', provider: 'openai', code: 'no_key', message });
    };
    const broken = open({
      providers: {
        wake: async () => undefined,
        forAssistant,
      } as unknown as WebCallsDeps['providers'],
    });
    expect(await broken.redeem(call.token)).toMatchObject({
      outcome: 'refused',
      code: 'vendor-not-ready',
      message: `The call could not begin because a vendor of its assistant cannot be used: ${message}.`,
    });
    expect(await getCall(db(), call)).toMatchObject({
      endReason: 'vendor-not-ready',
      failure: { code: 'no_key', message, provider: 'openai' },
    });
  });

  test('that comes too fast after others of its team is refused, and its token is still good', async () => {
    const call = await newCall();
    let nowMs = 0;
    const callStarts = new CallStarts(() => nowMs);
    for (let i = 0; i < callStartDefaults.burst; i++) await callStarts.came(db(), call);
    const calls = open({ callStarts });
    expect(await calls.redeem(call.token)).toEqual({
      outcome: 'refused',
      code: 'calls-per-second',
      message: 'The team begins more calls in a second than it may begin (20)',
    });
    nowMs = 1000;
    expect(await calls.redeem(call.token)).toMatchObject({ outcome: 'accepted', callId: call.id });
  });

  test('that ended before its caller came is not begun', async () => {
    const call = await newCall();
    const { teamId, id } = call;
    await finishCall(db(), { teamId, id, endReason: 'ended-by-control' });
    expect(await open().redeem(call.token)).toEqual({ outcome: 'unknown' });
  });

  test('is held without a recording where none can be made', async () => {
    const recordingsDir = join(folder, 'a-file');
    await writeFile(recordingsDir, '');
    const call = await newCall();
    expect(await open({ recordingsDir }).redeem(call.token)).toMatchObject({ outcome: 'accepted' });
  });

  test('is listened to for what its tools without values are about, and for nothing else of them', async () => {
    const describe = (name: string, description: string, parameters: object) => ({
      id: name,
      config: ToolConfigSchema.parse({
        function: { name, description, parameters },
        server: { url: 'https://tools.example' },
      }),
    });
    const call = await newCall(undefined, {}, [
      describe('status', 'Tells the status of the last order.', {}),
      describe('ask', 'What are the opening hours?', {}),
      describe('book', 'Books a table.', {
        properties: { day: { type: 'string' } },
        required: ['day'],
      }),
    ]);
    const opened = Promise.withResolvers<SttOptions>();
    const stt = {
      ...{ provider: 'scripted', inputRatesHz: [16_000], finalLatencyP99Ms: 100 },
      open: async (options: SttOptions) => {
        opened.resolve(options);
        return new ScriptedSttStream(options);
      },
    };
    const clock = new ManualClock(Date.now());
    const schemas = new SchemaChecker();
    const redeemed = await open({
      ...{ clock, schemas, ticker: new Ticker(clock), threadUse: new ThreadUse() },
      providers: {
        ...{ vad: levelVad, wake: () => undefined, threadsOf: () => [] },
        forAssistant: () => ({ stt, llm: {}, tts: {}, warm: () => undefined }),
      },
      records: { write: async () => undefined, hurry: () => undefined },
      metrics: { callStarted: () => undefined, callEnded: () => undefined },
    } as unknown as Partial<WebCallsDeps>).redeem(call.token);
    if (redeemed.outcome !== 'accepted') throw new Error(redeemed.outcome);
    const leg = redeemed.attach(new MemoryLeg({ clock }));
    const { phrases, topics } = await opened.promise;
    expect(phrases).toEqual(['What are the opening hours?']);
    expect(topics).toEqual(['status of the last order', 'last order', 'status']);
    leg.hangup();
    await clock.advance(20_000);
    schemas.close();
  });

  test('whose texts name what has no value says so in the log, each name once', async () => {
    const call = await newCall(undefined, {
      welcomeMessage: 'Hello {{ customer.nmae }}, this is {{clinic}}.',
      assistantSystemPrompt: 'You work for {{clinic}}. The call is {{call.id}}.',
    });
    const warned: unknown[] = [];
    const log = { ...pino({ level: 'silent' }), warn: (...line: unknown[]) => warned.push(line) };
    await open({ log: log as unknown as WebCallsDeps['log'] }).redeem(call.token);
    expect(warned).toEqual([
      [
        { callId: call.id, variables: ['clinic', 'customer.nmae'] },
        'texts of a call name variables that have no value',
      ],
    ]);
  });

  test('for which nobody came ends, even when its token was swept before', async () => {
    const now = new Date();
    const [gone, awaited] = [await newCall(now), await newCall()];
    await deleteExpiredMediaTokens(db(), { now: new Date(now.getTime() + 1) });
    const closed = await closeUnconnectedCalls(db(), { now });
    expect(closed).toEqual([{ id: gone.id, teamId: gone.teamId }]);
    expect(await getCall(db(), gone)).toMatchObject({ endReason: 'never-connected' });
    expect(await getCall(db(), awaited)).toMatchObject({ status: 'queued' });
  });
});

/** A store that fails whenever a call is changed. */
function tearing(db: Db): Db {
  return new Proxy(db, {
    get(target, key) {
      const value = target[key as keyof Db];
      if (key !== 'update') return typeof value === 'function' ? value.bind(target) : value;
      return (table: typeof calls) => {
        if (table === calls) throw new Error('torn');
        return target.update(table);
      };
    },
  });
}
