import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSealer } from '../../src/config/encryption-key.ts';
import { openDatabase } from '../../src/store/database.ts';
import { consoleAddresses } from '../support/console-addresses.ts';
import { ConsolePage } from '../support/console-page.ts';
import { fillTeam, type LargeTeam } from '../support/large-team.ts';
import { measurePageLoad, type PageLoad } from '../support/page-load.ts';
import { installedServer, startPostgresServer } from '../support/postgres-server.ts';
import { SERVICE_KEY, ServiceProcess } from '../support/service-process.ts';
import type { Bench } from './main.ts';
import { writeMeasured } from './measured.ts';

const SIZE = { calls: 10_000, live: 50, assistants: 500, others: 200 };
const GOALS = { bytes: 100_000, contentMs: 500 };

/** Kilobytes of a thousand bytes. */
const kb = (bytes: number) => Math.round(bytes / 1000);

/** The middle one and the range. */
function spread(values: readonly number[]): string {
  const sorted = values.map(Math.round).sort((a, b) => a - b);
  const middle = `${sorted[(sorted.length - 1) >> 1]}`;
  return sorted.length > 1 ? `${middle} (${sorted[0]} to ${sorted.at(-1)})` : middle;
}

const rowOf = (loads: readonly PageLoad[]) => ({
  'KB in all': kb(Math.max(...loads.map(({ bytes }) => bytes))),
  'KB of data': kb(Math.max(...loads.map(({ dataBytes }) => dataBytes))),
  requests: Math.max(...loads.map(({ apiRequests }) => apiRequests.length)),
  'ms to content': spread(loads.map(({ contentMs }) => contentMs)),
});

type Row = ReturnType<typeof rowOf>;

async function fill(databaseUrl: string, service: ServiceProcess, scale: number) {
  const sealer = await openSealer({
    dataDir: join(service.dataDir, 'data'),
    encryptionKeys: undefined,
  });
  const database = await openDatabase({ databaseUrl, sealer });
  try {
    const { teamId } = await service.json<{ teamId: string }>('/auth/v1/me');
    const sizes = Object.entries(SIZE).map(([kind, count]) => [kind, Math.ceil(count * scale)]);
    return await fillTeam(database.db, teamId, Object.fromEntries(sizes) as typeof SIZE);
  } finally {
    await database.close();
  }
}

async function measure(service: ServiceProcess, team: LargeTeam, rounds: number) {
  await using view = await ConsolePage.open(service.url, { shared: false });
  await view.signIn(SERVICE_KEY);
  const addresses = Object.entries(consoleAddresses(team));
  const loads = new Map<string, PageLoad[]>(addresses.map(([name]) => [name, []]));
  // The first visit to each has the service read its code and data for the first time.
  for (const [, at] of addresses) await measurePageLoad(view, at);
  for (let round = 0; round < rounds; round++)
    for (const [name, at] of addresses) loads.get(name)?.push(await measurePageLoad(view, at));
  return Object.fromEntries([...loads].map(([name, some]) => [name, rowOf(some)]));
}

function markdownOf(rows: Readonly<Record<string, Row>>): string {
  const head = '| Page | KB in all | KB of data | requests of data | ms to content |';
  return [
    head,
    '|---|---|---|---|---|',
    ...Object.entries(rows).map(([name, row]) => `| ${name} | ${Object.values(row).join(' | ')} |`),
  ].join('\n');
}

export const bench: Bench = {
  about:
    'every page of the console over 10,000 calls, 500 assistants and 50 live calls, each with an empty cache',
  async run({ scale, rounds, write }) {
    const bin = installedServer();
    if (!bin) throw new Error('this bench needs a Postgres server in /usr/lib/postgresql');
    const folder = await mkdtemp(join(tmpdir(), 'parley-console-'));
    const server = await startPostgresServer(bin);
    const databaseUrl = server.url('postgres');
    try {
      const service = await ServiceProcess.start(folder, { DATABASE_URL: databaseUrl });
      try {
        const rows = await measure(service, await fill(databaseUrl, service, scale), rounds);
        console.table(rows);
        console.log(`goals: ${kb(GOALS.bytes)} KB and ${GOALS.contentMs} ms for each page`);
        if (write) await writeMeasured('docs/console-scale.md', 'console', markdownOf(rows));
        return rows;
      } finally {
        await service.stop();
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
