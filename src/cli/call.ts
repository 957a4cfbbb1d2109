import { readConfig } from '../config/config.ts';
import { CallLog } from './call-log.ts';
import { CALL_HELP, type CallOptions, parseCallOptions } from './call-options.ts';
import { CliError } from './cli-error.ts';
import { HandsetLine } from './handset-line.ts';
import { CarrierLine, type PhoneLine } from './phone-line.ts';
import { readRecording } from './read-recording.ts';
import { runCall } from './run-call.ts';
import { ServiceClient } from './service-client.ts';
import { isReady, ServiceProcess } from './service-process.ts';
import { CallerError } from './web-caller.ts';

const INTERRUPTED = 130;

async function main(args: readonly string[]): Promise<number> {
  const options = parseCallOptions(args);
  if (!options) {
    process.stdout.write(CALL_HELP);
    return 0;
  }
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { signal } = interrupt;
  const log = new CallLog((text) => process.stdout.write(text), {
    columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  });
  try {
    // Read the recordings first, so that an unreadable file fails before a service is started.
    const recordings = await Promise.all(
      options.files.map((path) => readRecording(path, options.sampleRateHz)),
    );
    await using phone = await openPhone(options.carrier);
    await using service = await openService(options, { log, signal, phone });
    return await runCall(new ServiceClient(service.url, service.key), options, {
      recordings,
      log,
      signal,
      phone,
    }).catch((error: unknown) => {
      if (service.lastWarning) log.say(`The service warned: ${service.lastWarning}`);
      throw error;
    });
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

async function openPhone(carrier: CallOptions['carrier']): Promise<PhoneLine | undefined> {
  if (carrier === undefined) return undefined;
  return carrier === 'emulator' ? new HandsetLine() : CarrierLine.start(carrier);
}

interface Service extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly lastWarning?: string | undefined;
}

/** Connects to the running service if there is one and a key for it, else starts one for this command. */
async function openService(
  options: CallOptions,
  {
    log,
    signal,
    phone,
  }: {
    readonly log: CallLog;
    readonly signal: AbortSignal;
    readonly phone: PhoneLine | undefined;
  },
): Promise<Service> {
  const { dataDir } = options;
  const data = dataDir === undefined ? {} : { dataDir };
  if (phone?.environment) {
    log.say('Starting a service for this call …');
    return ServiceProcess.start({ signal, ...data, env: phone.environment });
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
    log.say(`There is a service at ${url}; --key or API_KEY would let this call go to it.`);
  log.say('Starting a service for this call …');
  return ServiceProcess.start({ signal, ...data });
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const foreseen =
      error instanceof CliError ||
      error instanceof CallerError ||
      (error instanceof Error && error.name === 'ConfigError');
    const text = foreseen ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`call: ${text}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  },
);
