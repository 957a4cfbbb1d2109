import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config/config.ts';
import { commandLine } from '../lib/command-line.ts';
import { CliError } from './cli-error.ts';

interface DataCommand {
  /** `{command}` stands for what the user types. */
  readonly help: string;
  /** Returns the sentence that says what was done. */
  run(
    config: Config,
    options: { readonly folder: string; readonly signal: AbortSignal },
  ): Promise<string>;
}

const EXIT_CODES = 'Exit code: 0 done, 1 failed, 2 wrong usage.\n';

/** Runs a command on the data of this configuration and one folder, until it ends or is interrupted. */
export async function runDataCommand(name: string, { help, run }: DataCommand): Promise<void> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort(new CliError('interrupted'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const { values, positionals } = parse();
    if (values.help) {
      process.stdout.write(`${help.replace('{command}', commandLine(name))}\n${EXIT_CODES}`);
      return;
    }
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0)
      throw new CliError('name one folder (--help shows all)', 2);
    const { signal } = interrupt;
    const done = await run(readConfig(), { folder: resolve(folder), signal });
    process.stdout.write(`${done}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h', default: false } },
    });
  } catch (error) {
    throw new CliError(`${(error as Error).message.split('. ')[0]} (--help shows all)`, 2);
  }
}
