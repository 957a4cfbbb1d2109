import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CallStarts } from '../../src/calls/call-starts.ts';
import { createWebCalls, type WebCallsDeps } from '../../src/calls/web-calls.ts';
import { createWrapUp } from '../../src/calls/wrap-up-call.ts';
import type { Call } from '../../src/client/api.generated.ts';
import { END_REASONS } from '../../src/console/calls/end-reasons.ts';
import { parseLine } from '../../src/console/calls/journal.ts';
import { timelineEventOf } from '../../src/console/calls/timeline-events.ts';
import type { AssistantConfig } from '../../src/contract/assistant.ts';
import type { PhoneCallStatus } from '../../src/contract/call.ts';
import { FAILURES, type FailureCode } from '../../src/contract/failures.ts';
import type { TeamLimits } from '../../src/contract/team.ts';
import type { WebhookKind } from '../../src/contract/webhook-kinds.ts';
import { webhookMessages } from '../../src/contract/webhooks.ts';
import { webhookRequest } from '../../src/events/request-of.ts';
import { ProviderError } from '../../src/lib/errors.ts';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { Log } from '../../src/ports/log.ts';
import type { ProviderFailure } from '../../src/ports/provider-failure.ts';
import type { Providers } from '../../src/providers/registry.ts';
import type { Session } from '../../src/session/session.ts';
import { SessionRegistry } from '../../src/session/session-registry.ts';
import { writeCallBatch } from '../../src/store/call-batch.ts';
import { getCall } from '../../src/store/calls.ts';
import { createMediaToken } from '../../src/store/media-tokens.ts';
import { getNumber } from '../../src/store/numbers.ts';
import { closeOrphanedCalls, closeUnconnectedCalls } from '../../src/store/orphaned-calls.ts';
import { deliveries } from '../../src/store/schema/deliveries.ts';
import { updateTeam } from '../../src/store/teams.ts';
import { openNumberLine } from '../../src/telephone/number-line.ts';
import { recordArrival } from '../../src/telephone/phone-records.ts';
import { startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { callSettings } from '../support/call-settings.ts';
import { createCallWithServer } from '../support/call-with-server.ts';
import { withDatabase } from '../support/postgres.ts';
import { ScriptedTelephone } from '../support/scripted-telephone.ts';
import { ScriptedTts } from '../support/scripted-tts.ts';
import { SessionRig } from '../support/session-rig.ts';

const CALLS = '/calls/v1/conversations';
const URL = 'https://shop.example/hook';
const STARTED_AT = new Date(1_700_000_000_000);

/** Makes a call fail in this way, by the functions that a live service would run. */
interface Provocation {
  /** What the vendor, carrier or tool says of it, which the sentence ends with. */
  readonly why?: string;
  provoke(stage: Stage): Promise<string>;
}

/** What provocations work with; each resolves with the id of the call that failed. */
interface Stage {
  /** A session on virtual time, whose record is written to the database. */
  session(
    options: ConstructorParameters<typeof SessionRig>[0],
    act: (rig: SessionRig) => Promise<void>,
  ): Promise<string>;
  /** A call that a customer's telephone is dialled for. */
  dial(what: {
    /** The carrier's words where it does not dial. */
    readonly refused?: string;
    readonly act?: (telephone: ScriptedTelephone, callId: string) => Promise<unknown>;
  }): Promise<string>;
  /** A call that comes to a number of a team with these limits. */
  arrive(limits: TeamLimits): Promise<string>;
  /** A web call for which nobody has come yet. */
  waiting(
    act: (call: { readonly id: string; readonly teamId: string }) => Promise<unknown>,
    call?: { readonly nodeId?: string },
  ): Promise<string>;
  /** Brings a web caller to a service that cannot serve. */
  serve(callId: string, fault: Error): Promise<unknown>;
  readonly db: Parameters<typeof closeOrphanedCalls>[0];
}

const down = (message: string, failure: ProviderFailure['class'] = 'network') =>
  new ProviderError({ class: failure, provider: 'scripted', code: 'down', message });

const TOOL = {
  definition: { name: 'look', description: '', parameters: { type: 'object' } },
  ...{ async: false, readOnly: true, timeoutMs: 1000, lines: [] },
};

/** The welcome is over and the caller asks something. */
async function ask(rig: SessionRig, times = 1): Promise<void> {
  rig.session.answered();
  await rig.silence(1500);
  for (let asked = 0; asked < times; asked++) {
    await rig.speak('Are you open?');
    await rig.silence(4000);
  }
}

/** As Twilio reports it: its cause is the status, and the code of SIP says more. */
const lineIs = (status: PhoneCallStatus, sipCode: number, why?: string): Provocation => ({
  ...(why === undefined ? {} : { why }),
  provoke: ({ dial }) =>
    dial({
      async act(telephone, callId) {
        const { line, carrierCallId } = telephone.at(callId);
        const said = { eventId: callId, type: 'call-status', carrierCallId, status } as const;
        await telephone.calls.status([line], { ...said, cause: status, sipCode }, callId);
      },
    }),
});

const PROVOCATIONS = {
  'vendor-not-ready': {
    why: 'openai has no key',
    provoke: ({ waiting, serve }) =>
      waiting(({ id }) => serve(id, down('openai has no key', 'auth'))),
  },
  'dialling-failed': {
    why: 'The number is not reachable',
    provoke: ({ dial }) => dial({ refused: 'The number is not reachable' }),
  },
  'over-limit': {
    why: 'The team has as many live calls as it may have (0)',
    provoke: ({ arrive }) => arrive({ liveCalls: 0 }),
  },
  busy: lineIs('busy', 486),
  'no-answer': lineIs('no-answer', 487),
  failed: lineIs('failed', 404, 'twilio says SIP 404'),
  'never-connected': {
    provoke: ({ waiting, db }) =>
      waiting(() => closeUnconnectedCalls(db, { now: new Date(Date.now() + 120_000) })),
  },
  'no-media': {
    provoke: ({ dial }) =>
      dial({
        async act(telephone, callId) {
          telephone.carriers.fail('connectMedia', 'no media server');
          const { line, carrierCallId } = telephone.at(callId);
          await telephone.calls.mediaWanted([line], carrierCallId, { callId, attempt: 0 });
        },
      }),
  },
  'connection-lost': {
    provoke: ({ session }) =>
      session({}, async (rig) => {
        rig.session.answered();
        await rig.silence(1500);
        rig.leg.break();
        rig.session.lost();
        await rig.clock.advance(16_000);
      }),
  },
  'model-failed': {
    why: 'no quota',
    provoke: ({ session }) =>
      session({ replies: Array(12).fill({ error: down('no quota') }) }, (rig) => ask(rig, 3)),
  },
  'recogniser-failed': {
    why: 'bad key',
    provoke: ({ session }) =>
      session({ sttFailures: [down('bad key', 'auth')] }, async (rig) => {
        rig.session.answered();
        await rig.silence(6000);
      }),
  },
  'voice-failed': {
    why: 'scripted failed unexpectedly',
    provoke: ({ session }) =>
      session(
        {
          settings: { maxConsecutiveTtsFailures: 1 },
          tts: (clock) => new ScriptedTts(clock, { fails: () => 'before' }),
        },
        ask,
      ),
  },
  'internal-error': {
    provoke: ({ session }) =>
      session({}, async (rig) => {
        const { leg } = rig;
        leg.notify = (notice) => {
          if (notice.type !== 'error') throw new Error('a fault in the session');
          leg.notices.push(notice);
        };
        await ask(rig);
      }),
  },
  'service-stopped': {
    provoke: ({ session }) =>
      session({}, async (rig) => {
        const registry = new SessionRegistry<Session>(1);
        registry.reserve();
        registry.add(rig.session);
        rig.session.answered();
        await rig.silence(1500);
        const drained = registry.drain(async () => undefined, 0, 0);
        await rig.clock.advance(10_000);
        await drained;
      }),
  },
  'team-suspended': {
    provoke: ({ session }) =>
      session({}, async (rig) => {
        rig.session.answered();
        await rig.silence(1500);
        const end = { type: 'control.end', text: 'Goodbye.', reason: 'team-suspended' } as const;
        await rig.session.control(end);
        await rig.silence(4000);
      }),
  },
  'service-restarted': {
    provoke: ({ waiting, db }) => waiting(() => closeOrphanedCalls(db), { nodeId: 'gone' }),
  },
  'model-error': {
    why: 'overloaded',
    provoke: ({ session }) =>
      session({ replies: Array(2).fill({ error: down('overloaded') }) }, ask),
  },
  'recogniser-error': {
    why: 'closed',
    provoke: ({ session }) => session({ sttFailures: [down('closed')] }, ask),
  },
  'voice-error': {
    why: 'scripted failed unexpectedly',
    provoke: ({ session }) =>
      session(
        {
          replies: [{ text: ['One. Two. Three. '] }],
          tts: (clock) =>
            new ScriptedTts(clock, {
              fails: (text) => (text.startsWith('Two') ? 'before' : undefined),
            }),
        },
        ask,
      ),
  },
  'vendor-replaced': {
    why: 'deepgram closed the connection',
    provoke: ({ session }) =>
      session({}, async (rig) => {
        rig.session.answered();
        await rig.silence(1500);
        rig.stt.line.options.onFailover?.({
          ...{ vendor: 'deepgram', successor: 'assemblyai', delayMs: 230 },
          error: down('deepgram closed the connection'),
        });
        await rig.silence(500);
      }),
  },
  'tool-error': {
    why: 'the tool’s server answered 500',
    provoke: ({ session }) =>
      session(
        {
          settings: { tools: [TOOL] },
          replies: [{ toolCalls: [{ id: 'c1', name: 'look', arguments: '{}' }] }],
          tools: {
            invoke: async () => ({
              ...{ ok: false, code: 'http_500', error: 'the tool’s server answered 500' },
            }),
          },
        },
        ask,
      ),
  },
  'playback-stalled': {
    why: 'playback does not advance',
    provoke: ({ session }) =>
      session({ replies: [{ text: ['One two three four five six. '] }] }, async (rig) => {
        rig.session.answered();
        await rig.silence(1500);
        rig.leg.onMark = () => undefined;
        await rig.speak('Please count.');
        await rig.silence(9000);
      }),
  },
  'transfer-failed': {
    why: 'the line was busy',
    provoke: ({ session }) => {
      const transfer = { ...callSettings().transfer, phoneNumber: '+14155550123', name: 'Anna' };
      return session({ settings: { transfer } }, async (rig) => {
        rig.session.answered();
        await rig.silence(2000);
        await rig.session.control({ type: 'control.forward' });
        await rig.silence(3000);
        rig.operators.last.events.failed('busy', 'busy');
        await rig.silence(2500);
      });
    },
  },
} as const satisfies Record<FailureCode, Provocation>;

const CODES = Object.keys(FAILURES) as FailureCode[];

test('each failure of the table is provoked', () => {
  expect(Object.keys(PROVOCATIONS).sort()).toEqual(CODES.toSorted());
});

withDatabase('the same code and sentence wherever one looks', ({ db, newTeam }) => {
  const logged: unknown[] = [];
  /** What the caller's socket was told of failures, by call. */
  const onSocket = new Map<string, unknown[]>();
  const write = (fields: unknown) => void logged.push(fields);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const schemas = new SchemaChecker();
  let telephone: ScriptedTelephone;
  let api: TestApi;
  let client: TestClient;
  let numbers = 0;

  beforeAll(async () => {
    telephone = new ScriptedTelephone(db(), log);
    api = await startTestApi(db(), { carriers: telephone.carriers, dialer: telephone });
    client = await api.client(await newTeam());
  });
  afterAll(async () => {
    await api?.close();
    schemas.close();
  });

  const stage: Stage = {
    get db() {
      return db();
    },
    async session(options, act) {
      const call = { startAt: STARTED_AT };
      const { id, teamId } = await createCallWithServer(db(), {
        teamId: client.teamId,
        url: URL,
        call,
      });
      const rig = new SessionRig({ ...options, callId: id });
      await act(rig);
      rig.session.hangup();
      await rig.clock.advance(20_000);
      await rig.session.finished;
      for (const batch of rig.batches) await writeCallBatch(db(), { teamId, ...batch });
      onSocket.set(
        id,
        rig.leg.notices.filter(({ type }) => type === 'error'),
      );
      logged.push(...rig.warnings);
      return id;
    },
    async dial({ refused, act }) {
      telephone.carriers.failures.clear();
      if (refused !== undefined) telephone.carriers.fail('dial', refused);
      const number = await client.post('/assistants/v1/numbers/twilio', {
        number: `+1415556${String(++numbers).padStart(4, '0')}`,
        credentials: { accountSid: 'AC1', authToken: 'a-token' },
      });
      const customer = { number: `+4712345${String(numbers).padStart(3, '0')}` };
      const connected = await client.post(`${CALLS}/connect`, {
        ...{ direction: 'outbound', customer, phoneNumberId: number.body._id },
        assistant: { name: 'Ada', assistantServer: { enabled: true, url: URL } },
      });
      expect(connected.status).toBe(refused === undefined ? 201 : 502);
      const { body } = await client.get(
        `${CALLS}?userNumber=${encodeURIComponent(customer.number)}`,
      );
      const [{ id }] = body.conversations;
      await act?.(telephone, id);
      return id;
    },
    async arrive(limits) {
      const { teamId } = client;
      const assistant = await client.post('/assistants/v1/assistants', {
        name: 'Ada',
        assistantServer: { enabled: true, url: URL },
      });
      const number = await client.post('/assistants/v1/numbers/twilio', {
        number: `+1415557${String(++numbers).padStart(4, '0')}`,
        credentials: { accountSid: 'AC1', authToken: 'a-token' },
      });
      const { _id: id } = number.body;
      await client.put(`/assistants/v1/numbers/${id}`, { assistantId: assistant.body._id });
      const record = await getNumber(db(), { teamId, id });
      const line = await openNumberLine({ db: db(), carriers: telephone.carriers }, record);
      if (!line) throw new Error('the number has an account');
      await updateTeam(db(), { teamId, change: { name: 'Limited', limits } });
      const call = await recordArrival(
        {
          ...{ db: db(), clock: systemClock, nodeId: 'here' },
          checkAssistant: (config) => ({ ok: true, value: config as AssistantConfig }),
          providers: { problemsOf: () => [] } as unknown as Providers,
        },
        {
          ...{ line, baseUrl: 'http://parley.test' },
          arrival: { type: 'call-arrived', eventId: id, carrierCallId: id, from: '+4712', to: '' },
        },
      );
      await updateTeam(db(), { teamId, change: { name: 'Free', limits: {} } });
      return call?.id ?? '';
    },
    async waiting(act, call = {}) {
      const assistant = { recordingEnabled: false };
      const { teamId } = client;
      const made = await createCallWithServer(db(), { teamId, url: URL, assistant, call });
      await act(made);
      return made.id;
    },
    async serve(callId, fault) {
      const expiresAt = new Date(Date.now() + 60_000);
      const { token } = await createMediaToken(db(), { callId, expiresAt });
      const providers = {
        wake: async () => undefined,
        forAssistant: () => {
          throw fault;
        },
      };
      const webCalls = createWebCalls({
        ...{ db: db(), log, providers, clock: systemClock, nodeId: 'here' },
        registry: new SessionRegistry<Session>(1),
        callStarts: new CallStarts(() => 0),
        onRecorded: () => undefined,
      } as unknown as WebCallsDeps);
      const redeemed = await webCalls.redeem(token);
      if (redeemed.outcome !== 'refused') throw new Error(`the caller was ${redeemed.outcome}`);
      const { code, message } = redeemed;
      onSocket.set(callId, [{ type: 'error', code, message }]);
      await webCalls.close();
    },
  };

  /** What follows the end of a call, which logs why it failed and reports it. */
  const wrapUp = (callId: string) =>
    createWrapUp({
      ...{ db: db(), clock: systemClock, schemas, log },
      model: () => {
        throw new Error('nothing is to be analysed');
      },
      fill: (text) => text,
      keepTranscript: async () => undefined,
      removeTranscript: async () => undefined,
      onReported: () => undefined,
    })({ callId }, { signal: new AbortController().signal, number: 1, last: true });

  /** The webhooks of a call, as its server gets them. */
  const told = async (id: string) => {
    const call = await getCall(db(), { teamId: client.teamId, id });
    const rows = await db()
      .select()
      .from(deliveries)
      .where(eq(deliveries.callId, id))
      .orderBy(asc(deliveries.position));
    const bodies = rows.map((row) => JSON.parse(webhookRequest(row, call).body).message);
    const of = (kind: WebhookKind) => bodies.filter(({ type }) => type === kind);
    const { error, 'end-of-call-report': report } = webhookMessages;
    return {
      errors: of('error').map((body) => error.schema.parse(body).error),
      reports: of('end-of-call-report').map((body) => report.schema.parse(body).call.failure),
    };
  };

  test.each(CODES)('%s: its record, log, webhooks, socket and console say why', async (code) => {
    const { part, effect, isError, sentence } = FAILURES[code];
    const { why, provoke }: Provocation = PROVOCATIONS[code];
    const message = why === undefined ? `${sentence}.` : `${sentence}: ${why}.`;
    const id = await provoke(stage);
    await wrapUp(id);

    const call: Call = (await client.get(`${CALLS}/${id}`)).body;
    const isEnd = effect !== 'went-on';
    expect(call.status).toBe('finished');
    expect(call.endReason).toBe(isEnd ? code : 'user-hung-up');
    if (isEnd) expect(call.failure).toMatchObject({ code, message });
    else expect(call.failure).toBeUndefined();

    const lines = (await client.get(`${CALLS}/${id}/events`)).text.split('\n').map(parseLine);
    const note = lines.findLast((line) => line?.type === 'failure' && line.data.code === code);
    expect(note).toMatchObject({ kind: 'note', data: { code, message } });

    const { errors, reports } = await told(id);
    const own = errors.filter((error) => error.code === code);
    if (!isError) expect(errors).toEqual([]);
    else expect(own).toMatchObject([{ code, message }]);
    // A vendor that was replaced is told of as the part that it served.
    if (isError && code !== 'vendor-replaced') expect(own).toMatchObject([{ type: part }]);
    expect(reports).toEqual([call.failure]);

    expect(logged).toContainEqual(expect.objectContaining({ callId: id, code, reason: message }));

    // A call that goes on tells its caller by voice; one without a socket has nobody to tell.
    if (onSocket.has(id))
      expect(onSocket.get(id)).toEqual(isEnd ? [{ type: 'error', code, message }] : []);

    expect(note && timelineEventOf(note)).toMatchObject({
      ...{ group: 'fault', title: 'Failure', detail: message, tone: 'bad' },
    });
    if (isEnd) expect(END_REASONS).toContain(code);
  });
});
