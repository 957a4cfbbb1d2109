import { resolve } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import { type Config, readConfig } from '../config/config.ts';
import { commandLine } from '../lib/command-line.ts';
import { CliError } from './cli-error.ts';
import { parseOptions } from './parse-options.ts';

interface DataCommand {
  /** `{command}` stands for what the user types. */
  readonly help: string;
  /** Names of options without a value. */
  readonly flags?: readonly string[];
  /** Returns the sentence that says what was done. */
  run(
    config: Config,
    options: {
      readonly folder: string;
      readonly signal: AbortSignal;
      readonly flags: ReadonlySet<string>;
    },
  ): Promise<string>;
}

const EXIT_CODES = 'Exit code: 0 done, 1 failed, 2 wrong usage.\n';

/** Runs a command on the data of this configuration and one folder, until it ends or is interrupted. */
export async function runDataCommand(name: string, command: DataCommand): Promise<void> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort(new CliError('interrupted'));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const { values, positionals } = parseOptions(optionsOf(command));
    if (values.help) {
      process.stdout.write(
        `${command.help.replace('{command}', commandLine(name))}\n${EXIT_CODES}`,
      );
      return;
    }
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0)
      throw new CliError('name one folder (--help shows all)', 2);
    const { signal } = interrupt;
    const flags = new Set(Object.keys(values).filter((flag) => values[flag]));
    const done = await command.run(readConfig(), { folder: resolve(folder), signal, flags });
    process.stdout.write(`${done}\n`);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function optionsOf({ flags = [] }: DataCommand): ParseArgsOptionsConfig {
  const options: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  for (const flag of flags) options[flag] = { type: 'boolean' };
  return options;
}
