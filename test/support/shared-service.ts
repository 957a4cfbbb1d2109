import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { createSampleAssistant } from '../../src/service/first-start.ts';
import { createApiKey } from '../../src/store/api-keys.ts';
import { connectDatabase } from '../../src/store/database.ts';
import { createTeam } from '../../src/store/teams.ts';
import { testVendors } from './api.ts';
import { askOnDemand } from './on-demand.ts';
import { testSealer } from './postgres.ts';
import { installedServer } from './postgres-server.ts';
import { OPERATOR_KEY, ServiceApi, ServiceProcess } from './service-process.ts';
import type { SharedService } from './start-shared-service.ts';

type TeamOfService = ServiceApi & AsyncDisposable;

/**
 * A new team with the sample assistant in the service that the run shares, which takes calls to private addresses.
 * Without a Postgres server it is a service of its own.
 */
export async function sharedService(): Promise<TeamOfService> {
  if (!installedServer()) return ownService();
  const { url, databaseUrl } = await askOnDemand<SharedService>(inject('service'), 'service');
  const connection = { connectionString: databaseUrl };
  const database = connectDatabase(connection, { size: 1, sealer: testSealer });
  try {
    const { id: teamId } = await createTeam(database.db, { name: 'Test' });
    await createSampleAssistant(database.db, { teamId, vendors: testVendors });
    const { key } = await createApiKey(database.db, { teamId, name: 'Test' });
    return Object.assign(new ServiceApi(url, key), { async [Symbol.asyncDispose]() {} });
  } finally {
    await database.close();
  }
}

async function ownService(): Promise<TeamOfService> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-own-'));
  const service = await ServiceProcess.start(folder, {
    ALLOW_PRIVATE_TARGETS: 'true',
    ADMIN_KEY: OPERATOR_KEY,
  });
  return Object.assign(service, {
    async [Symbol.asyncDispose]() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
