import type { FastifyInstance } from 'fastify';
import { registerConsole } from '../../src/api/console.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import type { Db } from '../../src/store/db.ts';
import { startTestApi, type TestApi } from './api.ts';

/** The console over the API on a test database, without the life of calls: for pages that show what is stored. */
export interface ConsoleApi extends TestApi {
  readonly url: string;
}

export async function startConsoleApi(
  db: Db,
  overrides: Partial<ApiDeps> = {},
): Promise<ConsoleApi> {
  const register = (app: FastifyInstance): Promise<void> => registerConsole(app);
  const api = await startTestApi(db, overrides, register);
  const url = await api.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...api, url };
}
