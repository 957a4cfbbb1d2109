import { readConfig } from '../config/config.ts';
import { CliError } from './cli-error.ts';
import { isReady, ServiceProcess } from './service-process.ts';

export interface OpenedService extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  /** Absent: the service was running before. */
  readonly lastWarning?: string | undefined;
}

/** Connects to the running service if there is one and a key for it, else starts one for this command. */
export async function openService(
  options: { readonly url?: string; readonly key?: string; readonly dataDir?: string },
  {
    say,
    signal,
    environment,
  }: {
    readonly say: (text: string) => void;
    readonly signal: AbortSignal;
    /** Settings that only a service started for this command can have. */
    readonly environment?: Readonly<Record<string, string>> | undefined;
  },
): Promise<OpenedService> {
  const { dataDir } = options;
  const data = dataDir === undefined ? {} : { dataDir };
  if (environment) {
    say('Starting a service for this command …');
    return ServiceProcess.start({ signal, ...data, env: environment });
  }
  const config = readConfig();
  const host = ['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host;
  const url = options.url ?? `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
  const key = options.key ?? config.apiKey;
  const running = options.dataDir === undefined && (await isReady(url));
  if (running && key) return { url, key, async [Symbol.asyncDispose]() {} };
  if (options.url) {
    throw new CliError(
      running ? `${url} needs an API key: --key or API_KEY` : `no service is ready at ${url}`,
      running ? 2 : 1,
    );
  }
  if (running)
    say(`There is a service at ${url}; --key or API_KEY would make this command use it.`);
  say('Starting a service for this command …');
  return ServiceProcess.start({ signal, ...data });
}
