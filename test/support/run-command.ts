import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { bareEnvironment } from './bare-environment.ts';

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a file of `src/cli` as a user does, with nothing of the developer's own settings. */
export function runCommand(
  file: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<CommandResult> {
  const script = join(import.meta.dirname, '../../src/cli', file);
  const options = { cwd, env: { ...bareEnvironment, ...env }, maxBuffer: 2 ** 24 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [script, ...args], options, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}
