import { readFile } from 'node:fs/promises';

const COMMANDS: Readonly<Record<string, { readonly help: string; run(): Promise<unknown> }>> = {
  start: { help: 'serves (also without a command)', run: () => import('../start.mjs') },
  call: {
    help: "plays recordings as the caller's turns through a real call",
    run: () => import('./call.ts'),
  },
  replay: {
    help: 'replays a recorded call, shows where decisions differ',
    run: () => import('./replay.ts'),
  },
  trace: {
    help: 'writes the OpenTelemetry trace of a recorded call',
    run: () => import('./trace.ts'),
  },
  'assistant-test': {
    help: 'holds test conversations with an assistant',
    run: () => import('./assistant-test.ts'),
  },
  'vendor-check': {
    help: 'tries each vendor that has a key, and the models of your own',
    run: () => import('./vendor-check.ts'),
  },
  backup: {
    help: 'writes all data to a folder, also while the service runs',
    run: () => import('./backup.ts'),
  },
  restore: { help: 'fills empty data from such a folder', run: () => import('./restore.ts') },
  'audit-log': { help: 'checks the audit log', run: () => import('./audit.ts') },
  audit: { help: 'the same as audit-log', run: () => import('./audit.ts') },
};

const HELP = `Parley, the voice assistant platform.

Usage: parley [command] [options]

${Object.entries(COMMANDS)
  .map(([name, { help }]) => `  ${name.padEnd(16)}${help}\n`)
  .join('')}
parley <command> --help says more of each; parley start --help prints the configuration.
`;

/** Runs the command that the first argument names; each reads the arguments behind it. */
async function run(): Promise<void> {
  const [name = 'start'] = process.argv.slice(2);
  if (['--help', '-h', 'help'].includes(name)) {
    process.stdout.write(HELP);
    return;
  }
  if (name === '--version' || name === '-v') {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    process.stdout.write(`${(JSON.parse(manifest) as { version: string }).version}\n`);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    process.stderr.write(`There is no command ${name}; parley --help shows all.\n`);
    process.exitCode = 2;
    return;
  }
  // The service starts itself anew with its arguments and has to come by here again.
  if (name !== 'start') process.argv.splice(2, 1);
  await command.run();
}

await run();
