import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { ConfigError, describeConfig, readConfig } from './config/config.ts';
import { explainStart } from './service/explain-start.ts';

/**
 * When V8 looks through the whole heap: it may double in between, and is begun with when so much of that is used, in
 * percent. By itself V8 allows less, and begins as soon as one more young generation would not fit, which with a
 * hundred calls is once a second, on threads that take the cores from the calls.
 */
const FULL_COLLECTION = [
  '--incremental-marking-soft-trigger=30',
  '--incremental-marking-hard-trigger=50',
  '--heap-growing-percent=100',
];

/** How the young generation is collected once the service is ready; start.mjs has other settings for the start. */
const YOUNG_COLLECTION = ['--semi-space-growth-factor=2', '--parallel-scavenge'];

const HELP = `Parley, the voice assistant platform.

Usage: npm start [-- --help]

Configuration comes from the environment or a .env file:

`;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP + configTable());
    return;
  }
  if (args.length > 0)
    throw new ConfigError(`There is no option ${args[0]}; see npm start -- --help`);
  const config = readConfig();
  setFlags(FULL_COLLECTION);
  const { runAlone, runWorker, runTogether } = await import('./service/run-service.ts');
  if (cluster.isWorker) {
    await runWorker(config);
    setFlags(YOUNG_COLLECTION);
    return;
  }
  const { address, newKey } = await (config.processes > 1 ? runTogether : runAlone)(config);
  setFlags(YOUNG_COLLECTION);
  const lines = [`Parley is ready: ${address}/console/`];
  if (newKey) lines.push(`Your API key, shown only this once: ${newKey}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}

function configTable(): string {
  const rows = describeConfig();
  const width = Math.max(...rows.map((row) => row.name.length));
  return rows
    .map(({ name, fallback, help }) => {
      const standard = fallback ? ` (default ${fallback})` : '';
      return `  ${name.padEnd(width)}  ${help}${standard}\n`;
    })
    .join('');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${explainStart(error)}\n`);
  process.exitCode = 1;
  // What a failed start leaves open must not keep the process.
  setTimeout(() => process.exit(1), 1000).unref();
});
