import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { CliError } from './cli-error.ts';

/** The options and other arguments of a command. Throws {@link CliError} with exit code 2. */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  options: Options,
  args: readonly string[] = process.argv.slice(2),
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const reason = (error as Error).message.split('. ')[0];
    throw new CliError(`${reason} (--help shows all)`, 2);
  }
}
