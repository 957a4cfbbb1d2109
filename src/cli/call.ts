import { CallLog } from './call-log.ts';
import { CALL_HELP, type CallOptions, parseCallOptions } from './call-options.ts';
import { CliError } from './cli-error.ts';
import { HandsetLine } from './handset-line.ts';
import { openService } from './open-service.ts';
import { CarrierLine, type PhoneLine } from './phone-line.ts';
import { readRecording } from './read-recording.ts';
import { runCall } from './run-call.ts';
import { ServiceClient } from './service-client.ts';
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
    await using service = await openService(options, {
      say: (text) => log.say(text),
      signal,
      environment: phone?.environment,
    });
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
