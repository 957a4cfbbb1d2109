import { serviceDatabaseUrl } from './postgres.ts';
import { ServiceProcess } from './service-process.ts';

const databases = new Map<string, Promise<string | undefined>>();

/**
 * The service as its own process on a database of the run's shared server, which spares each test the start
 * of an embedded one. Started again in the same folder, it finds its database again.
 */
export async function startTestService(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const made = databases.get(dataDir) ?? serviceDatabaseUrl();
  databases.set(dataDir, made);
  const url = await made;
  return ServiceProcess.start(dataDir, { ...(url ? { DATABASE_URL: url } : {}), ...env });
}
