import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { copyTemplate, type StartedEngine } from './database-copies.ts';
import { askOnDemand, serveOnDemand } from './on-demand.ts';
import { OPERATOR_KEY, ServiceProcess } from './service-process.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Socket of the process that starts the test run's service. */
    service: string;
  }
}

/** Where the run's service is, and its database. */
export interface SharedService {
  readonly url: string;
  readonly databaseUrl: string;
}

/** Starts one service when the first test asks for it; each test file is a team of its own there. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const running: ServiceProcess[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'parley-shared-'));
  const shared = await serveOnDemand(async (): Promise<SharedService> => {
    const { databases } = project.getProvidedContext();
    const connection = await copyTemplate(await askOnDemand<StartedEngine>(databases, 'server'));
    if (!('connectionString' in connection)) throw new Error('a server has an address');
    const { connectionString: databaseUrl } = connection;
    const service = await ServiceProcess.start(folder, {
      DATABASE_URL: databaseUrl,
      ALLOW_PRIVATE_TARGETS: 'true',
      ADMIN_KEY: OPERATOR_KEY,
    });
    running.push(service);
    return { url: service.url, databaseUrl };
  });
  project.provide('service', shared.path);
  return async () => {
    await shared.close();
    await Promise.all(running.map((service) => service.stop()));
    await rm(folder, { recursive: true, force: true });
  };
}
