import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findDifferences, replayJournal } from '../../src/engine/machine/replay.ts';
import { type BookingModel, startBookingModel } from '../support/booking-model.ts';
import { childrenOf, journalOf, read } from '../support/failover.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { Machines, TESTER, whyNoMachines } from '../support/machines.ts';
import { NatsServer, natsMissing } from '../support/nats-server.ts';
import {
  installedServer,
  type PostgresServer,
  startPostgresServer,
} from '../support/postgres-server.ts';
import { comeBack, controlOf } from '../support/returning-call.ts';
import { dial, type ServiceCall } from '../support/service-call.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

const WELCOME = [
  'Good morning, and thank you for calling the town library.',
  'We are open from nine to six on every day but Sunday.',
].join(' ');
const BOOKED = 'assistant: It is booked.';
const STILL_HERE = 'Still here.';
/** Longer than a lease, shorter than the callers of a dead machine have to come back. */
const FAULT_MS = 6_000;
/** Longer than that. */
const LONG_FAULT_MS = 20_000;
const ASK_AGAIN_MS = 5_000;
const TIMEOUT_MS = 300_000;
const PATIENCE = { timeout: 60_000, interval: 100 };

const missing =
  whyNoMachines() || natsMissing || (installedServer() ? '' : ': no Postgres server is installed');

interface Fault {
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
  /** Machines that their callers hear no more: they come back to another. */
  readonly left?: readonly Name[];
  /** Machines that send their callers to another. */
  readonly letsGo?: readonly Name[];
  /** @defaultValue FAULT_MS */
  readonly lastsMs?: number;
}

let folder: string;
let machines: Machines;
let postgres: PostgresServer;
let nats: NatsServer;
let tools: LocalServer;
let model: BookingModel;
let receiver: WebhookReceiver;
let assistantId: string;
const services = {} as Record<Name, ServiceProcess>;
const calls: ServiceCall[] = [];
/** Of every request of a tool: its key, which begins with the call's id. */
const hits: string[] = [];
/** How many turns each caller has taken. */
const turns = new Map<string, number>();

const postgresFault = (mode: 'fast' | 'immediate'): Fault => ({
  begin: () => postgres.shutDown(mode),
  end: () => postgres.comeBack(),
});

const everybodyBut = (name: string) =>
  [...NAMES, 'postgres', 'nats', TESTER].filter((other) => other !== name);

async function freeze(name: Name, on: boolean): Promise<void> {
  for (const pid of await childrenOf(services[name].pid))
    process.kill(pid, on ? 'SIGSTOP' : 'SIGCONT');
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'a machine is cut off': {
    begin: () => machines.cut('a'),
    end: () => machines.heal(),
    left: ['a'],
  },
  'what a machine sends is lost': {
    begin: async () => {
      for (const other of everybodyBut('a')) await machines.lose('a', other);
    },
    end: () => machines.heal(),
    left: ['a'],
  },
  'what is sent to a machine is lost': {
    begin: async () => {
      for (const other of everybodyBut('a')) await machines.lose(other, 'a');
    },
    end: () => machines.heal(),
    left: ['a'],
  },
  'a machine is cut off from Postgres': {
    begin: () => machines.cut('a', ['postgres']),
    end: () => machines.heal(),
  },
  'a machine is cut off from Postgres for longer than callers of a dead one are waited for': {
    begin: () => machines.cut('a', ['postgres']),
    end: () => machines.heal(),
    lastsMs: LONG_FAULT_MS,
  },
  'Postgres is away for so long': { ...postgresFault('fast'), lastsMs: LONG_FAULT_MS },
  'a machine is cut off for so long from all but its callers': {
    begin: () => machines.cut('a', ['postgres', 'nats', 'b', 'c']),
    end: () => machines.heal(),
    letsGo: ['a'],
    lastsMs: LONG_FAULT_MS,
  },
  'what Postgres sends to a machine is lost': {
    begin: () => machines.lose('postgres', 'a'),
    end: () => machines.heal(),
  },
  'a machine is cut off from NATS': {
    begin: () => machines.cut('a', ['nats']),
    end: () => machines.heal(),
  },
  'a machine stands still': {
    begin: () => freeze('a', true),
    end: () => freeze('a', false),
    left: ['a'],
  },
  'NATS is killed': { begin: () => nats.kill(), end: () => nats.comeBack() },
  'Postgres is stopped': postgresFault('fast'),
  'Postgres crashes': postgresFault('immediate'),
  'a machine is cut off from Postgres while another stands still': {
    async begin() {
      await machines.cut('a', ['postgres']);
      await freeze('b', true);
    },
    async end() {
      await freeze('b', false);
      await machines.heal();
    },
    left: ['b'],
  },
  'a machine is cut off while NATS is away': {
    async begin() {
      await nats.kill();
      await machines.cut('a');
    },
    async end() {
      await machines.heal();
      await nats.comeBack();
    },
    left: ['a'],
  },
};

const keys = ({ id, caller }: ServiceCall) => {
  turns.set(id, (turns.get(id) ?? 0) + 1);
  caller.dtmf('5');
  caller.dtmf('#');
};

const hitsOf = ({ id }: ServiceCall) => hits.filter((key) => key.startsWith(id));

const bookedOf = ({ said }: ServiceCall) => said.filter((line) => line === BOOKED).length;

async function metric(name: Name, key: string): Promise<number> {
  const text = await (await fetch(`${services[name].url}/metrics`)).text();
  return Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(text)?.[1]);
}

async function query<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(missing !== '')(`services on three machines${missing}`, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-partitions-'));
    machines = await Machines.start([...NAMES, 'postgres', 'nats']);
    postgres = await startPostgresServer(installedServer() as string, {
      host: machines.address('postgres'),
      startedBy: machines.inNetworkOf('postgres'),
    });
    nats = await NatsServer.start({
      host: machines.address('nats'),
      startedBy: machines.inNetworkOf('nats'),
    });
    const here = machines.address(TESTER);
    tools = await startLocalServer((request, response) => {
      hits.push(`${request.headers['idempotency-key']}`);
      request.resume().on('end', () => response.end('"booked"'));
    }, here);
    model = await startBookingModel('book_slot', here);
    receiver = await startWebhookReceiver(undefined, here);
    for (const name of NAMES)
      services[name] = await ServiceProcess.start(
        folder,
        {
          HOST: machines.address(name),
          PORT: '8080',
          DATABASE_URL: postgres.url('postgres'),
          BUS_URL: nats.url,
          ENCRYPTION_KEY: 'one key for all of the services',
          ALLOW_PRIVATE_TARGETS: 'true',
          PROCESSES: '1',
          LOG_LEVEL: 'info',
        },
        machines.on(name),
      );
    const post = (path: string, body: object) =>
      services.a.json<{ _id: string }>(path, { method: 'POST', body });
    const tool = await post('/assistants/v1/tools', {
      function: {
        name: 'book_slot',
        parameters: { type: 'object', properties: { slot: { type: 'string' } } },
      },
      server: { url: tools.url },
    });
    ({ _id: assistantId } = await post('/assistants/v1/assistants', {
      name: 'Library',
      welcomeMessage: WELCOME,
      recordingEnabled: true,
      dtmfInputEnabled: true,
      assistantProvider: 'custom-llm',
      assistantLLMUrl: model.url,
      assistantToolIds: [tool._id],
      assistantServer: { enabled: true, url: receiver.url },
      assistantAnalysis: { summary: { enabled: true } },
    }));
    // The first call of a process loads voices and recognisers, which takes long on a busy machine.
    for (const name of NAMES) {
      const { said, caller } = await dial(services[name], { assistantId });
      await vi.waitFor(() => expect(said).not.toEqual([]), PATIENCE);
      caller.hangup();
      await caller.ended;
      caller.close();
    }
  }, TIMEOUT_MS);

  afterEach(() => {
    for (const { caller } of calls.splice(0)) caller.close();
  });

  afterAll(async () => {
    for (const service of Object.values(services)) {
      for (const pid of await childrenOf(service.pid).catch(() => [])) process.kill(pid, 'SIGTERM');
      await service.stop();
    }
    for (const one of [receiver, model, tools, nats]) await one?.[Symbol.asyncDispose]();
    await postgres?.stop();
    await machines?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }, TIMEOUT_MS);

  test.each(Object.entries(FAULTS))(
    '%s: each call goes on, nothing is lost or done twice, and all are well again by themselves',
    async (name, { begin, end, left = [], letsGo = [], lastsMs = FAULT_MS }) => {
      const own: { readonly at: Name; readonly call: ServiceCall }[] = [];
      for (const at of NAMES) own.push({ at, call: await dial(services[at], { assistantId }) });
      calls.push(...own.map(({ call }) => call));
      for (const { call } of own) await expect.poll(() => call.said, PATIENCE).not.toEqual([]);
      // A tool of each call is under way, or its answer, while the network breaks.
      for (const { call } of own) keys(call);
      await delay(300);

      await begin();
      const returning = own
        .filter(({ at }) => left.includes(at) || letsGo.includes(at))
        .map(async ({ at, call }) => {
          if (left.includes(at)) call.caller.drop();
          else expect(await call.caller.ended).toMatchObject({ closeCode: 1012 });
          const brokenAt = performance.now();
          await comeBack(call, services.c.url.replace(/^http/, 'ws'));
          return performance.now() - brokenAt;
        });
      for (const one of returning) one.catch(() => undefined);
      await delay(lastsMs / 2);
      for (const { call } of own) keys(call);
      await delay(lastsMs / 2);
      await end();
      const gaps = await Promise.all(returning);
      if (gaps.length > 0)
        console.info(`${name}: back after ${gaps.map(Math.round).join(', ')} ms`);

      const healedAt = performance.now();
      // Asked at another machine, so that the bus has to work.
      await Promise.all(
        own.map(async ({ call }, i) => {
          const other = services[NAMES[(i + 1) % NAMES.length] as Name];
          await controlOf(other, call, { type: 'say', message: STILL_HERE });
          await expect
            .poll(() => call.said.join('\n'), {
              ...PATIENCE,
              message: `${call.id} at ${own[i]?.at}`,
            })
            .toContain(STILL_HERE);
        }),
      );
      for (const one of NAMES)
        await expect
          .poll(async () => (await fetch(`${services[one].url}/readyz`)).status, PATIENCE)
          .toBe(200);
      console.info(`${name}: well again after ${Math.round(performance.now() - healedAt)} ms`);
      for (const { call } of own) {
        const [hitsBefore, booked] = [hitsOf(call).length, bookedOf(call)];
        // While a statement that was lost on the way is waited for, tools are refused: callers ask again.
        const askAgain = () => {
          keys(call);
          return hitsOf(call).length;
        };
        await expect
          .poll(askAgain, { ...PATIENCE, interval: ASK_AGAIN_MS })
          .toBeGreaterThan(hitsBefore);
        await expect.poll(() => bookedOf(call), PATIENCE).toBeGreaterThan(booked);
      }
      for (const { call } of own) {
        await controlOf(services.b, call, { type: 'end' });
        expect(await call.caller.ended).toMatchObject({ reason: 'ended-by-control' });
      }

      for (const { at, call } of own) {
        const when = `${name}, the call of ${at}`;
        await expect
          .poll(() => read(services.b, call), PATIENCE)
          .toMatchObject({ status: 'finished', endReason: 'ended-by-control' });
        const lines = await journalOf(services.b, call);
        expect(
          lines.map(({ seq }) => seq),
          when,
        ).toEqual(lines.map((_, i) => i));
        expect(findDifferences(replayJournal(lines)), when).toEqual([]);
        const moves = left.includes(at) || letsGo.includes(at) ? 1 : 0;
        const count = (type: string) => lines.filter((line) => line.type === type).length;
        expect([count('call.resumed'), count('finish')], when).toEqual([moves, 1]);
        const [row] = await query<{ epoch: number }>(
          `select epoch from calls where id = '${call.id}'`,
        );
        expect(row?.epoch, when).toBe(1 + moves);
        const own = hitsOf(call);
        expect(new Set(own).size, when).toBe(own.length);
        expect(own.length, when).toBeLessThanOrEqual(turns.get(call.id) ?? 0);
        await receiver.until(() =>
          receiver.of(call.id).some(({ type }) => type === 'end-of-call-report'),
        );
        const got = receiver.of(call.id);
        const once = (
          wanted: (message: Readonly<Record<string, unknown>>, type: string) => boolean,
        ) => got.filter(({ type, message }) => wanted(message, type)).length;
        expect(
          once((_, type) => type === 'end-of-call-report'),
          when,
        ).toBe(1);
        for (const status of ['ongoing', 'finished'])
          expect(
            once((message, type) => type === 'status-update' && message.status === status),
            `${when}: ${status}`,
          ).toBe(1);
      }
      // Nobody goes on with a call that is another's, and nobody is missing.
      for (const one of NAMES)
        await expect.poll(() => metric(one, 'parley_calls_live'), PATIENCE).toBe(0);
      const [nodes] = await query<{ count: number }>('select count(*)::int from nodes');
      expect(nodes?.count).toBe(NAMES.length);
    },
    TIMEOUT_MS,
  );
});
