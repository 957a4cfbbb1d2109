import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import Fastify, { type FastifyInstance } from 'fastify';
import { createApi } from '../../src/api/plugin.ts';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { registerSocketServer } from '../../src/gateway/socket-server.ts';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { createAssistant } from '../../src/store/assistants.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { Db } from '../../src/store/db.ts';
import { createTeam } from '../../src/store/teams.ts';
import { openTestFiles } from '../support/files.ts';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { searcherOnThisThread } from '../support/searcher.ts';
import type { Bench, BenchOptions } from './main.ts';

const LISTED = 1000;
const ROUNDS = 3;
const MANY = 100_000;
const MEGABYTE = 1_048_576;

const names = { names: ['offline'], defaultName: 'offline' };
const vendors = { llm: names, stt: names, tts: names };

interface Rate {
  readonly perSecond: number;
  readonly bytesEach: number;
}

async function ask(url: string, key: string, seconds: number, total = 0): Promise<Rate> {
  const script = join(import.meta.dirname, 'rest-client.ts');
  const args = [script, url, key, '32', String(seconds), String(total)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Rate;
}

async function startApi(db: Db): Promise<FastifyInstance> {
  const app = Fastify();
  const never = () => {
    throw new Error('not in this bench');
  };
  const files = await openTestFiles();
  const schemas = new SchemaChecker();
  app.addHook('onClose', async () => {
    schemas.close();
    await files.close();
  });
  await registerSocketServer(app, { maxFrameBytes: 65_536 });
  await app.register(
    createApi({
      db,
      vendors,
      vendorProblems: () => [],
      callStarts: { announced: never, placed: never },
      control: { command: async () => never() },
      monitor: { listen: () => 'not-live' },
      carriers: { find: never, ownCredentials: never },
      knowledge: searcherOnThisThread(db),
      testReader: { read: never, ofCall: never },
      ...files,
      recordings: { size: async () => undefined, open: never, link: async () => undefined },
      publicUrl: () => 'http://bench',
      ready: () => true,
      hasRoom: () => true,
      toolServers: { clock: systemClock, fetch: never, maxResponseBytes: 0, schemas },
      limits: { rate: { perSecond: 1e9, burst: 1e9 } },
    }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app;
}

/** The same framework, answering the same text, made beforehand, without asking anybody: the hardest floor. */
async function startConstant(answers: Readonly<Record<string, unknown>>): Promise<FastifyInstance> {
  const app = Fastify();
  for (const [path, body] of Object.entries(answers)) {
    const text = JSON.stringify(body);
    app.get(path, async (_, reply) => reply.type('application/json; charset=utf-8').send(text));
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app;
}

const addressOf = (app: FastifyInstance) =>
  `http://127.0.0.1:${(app.server.address() as { port: number }).port}`;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** In turns, so that a slower moment of the machine falls on both. */
async function compare(api: string, constant: string, path: string, key: string, seconds: number) {
  const rates = { service: [] as number[], constant: [] as number[] };
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const service = await ask(`${api}${path}`, key, seconds);
    rates.service.push(service.perSecond);
    rates.constant.push((await ask(`${constant}${path}`, key, seconds)).perSecond);
    bytes = service.bytesEach;
  }
  const [service, floor] = [median(rates.service), median(rates.constant)];
  const ratio = Math.round((service / floor) * 100) / 100;
  return { perSecond: Math.round(service), constant: Math.round(floor), ratio, bytes };
}

async function measureMemory(url: string, key: string, total: number) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const at = () => {
    collect();
    return process.memoryUsage();
  };
  await ask(url, key, 0, total / 10);
  const before = at();
  await ask(url, key, 0, total);
  const after = at();
  const grown = (name: 'heapUsed' | 'rss') =>
    Math.round(((after[name] - before[name]) / MEGABYTE) * 10) / 10;
  return { requests: total, heapGrownMiB: grown('heapUsed'), rssGrownMiB: grown('rss') };
}

export const bench: Bench = {
  about: 'how fast the API reads, against the same framework returning a constant',
  async run({ scale }: BenchOptions) {
    const bin = installedServer();
    if (!bin) throw new Error('this bench needs a Postgres server in /usr/lib/postgresql');
    const server = await startPostgresServer(bin);
    const database = await openDatabase({ databaseUrl: server.url('postgres') });
    const { db } = database;
    const config = assistantConfigSchema(vendors).parse({ name: 'Bench' });
    const { id: teamId } = await createTeam(db, { name: 'Bench' });
    const { key } = await createApiKey(db, { teamId, name: 'Bench' });
    const assistants = [];
    for (let i = 0; i < LISTED; i++) assistants.push(await createAssistant(db, { teamId, config }));
    const one = `/assistants/v1/assistants/${assistants[0]?.id}`;
    const list = '/assistants/v1/assistants';
    const api = await startApi(db);
    const read = async (path: string) =>
      (await api.inject({ url: path, headers: { authorization: `Bearer ${key}` } })).json();
    const constant = await startConstant({ [one]: await read(one), [list]: await read(list) });
    try {
      const [here, floor] = [addressOf(api), addressOf(constant)];
      const seconds = 3 * scale;
      const results = {
        'GET one assistant': await compare(here, floor, one, key, seconds),
        'list 1,000': await compare(here, floor, list, key, seconds),
      };
      const memory = await measureMemory(`${here}${one}`, key, Math.round(MANY * scale));
      console.table(results);
      console.table({ memory });
      console.log('goals: ratio at least 0.5; memory flat over 100,000 requests');
      return { ...results, memory };
    } finally {
      await Promise.all([api.close(), constant.close()]);
      await database.close();
      await server.stop();
    }
  },
};
