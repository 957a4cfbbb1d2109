import cluster from 'node:cluster';
import { ConfigError, describeConfig, readConfig } from './config/config.ts';
import { commandLine, isBuilt } from './lib/command-line.ts';
import { explainStart } from './service/explain-start.ts';
import { FULL_COLLECTION, setFlags } from './service/heap-flags.ts';
import { beginCluster } from './store/embedded/cluster-start.ts';

/** How memory is collected and code optimised once the service is ready; load-service.mjs has others for the start. */
const SETTINGS = [
  '--semi-space-growth-factor=2',
  '--parallel-scavenge',
  '--opt',
  '--maglev',
  ...FULL_COLLECTION,
];

const HELP = `Parley, the voice assistant platform.

Usage: ${isBuilt ? 'parley [start]' : 'npm start'} [${isBuilt ? '' : '-- '}--help]

Configuration comes from the environment or a .env file:

`;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP + configTable());
    return;
  }
  if (args.length > 0)
    throw new ConfigError(`There is no option ${args[0]}; see ${commandLine('start')} --help`);
  const config = readConfig();
  // A new database takes about as long to make as the service to load.
  if (!config.databaseUrl && !cluster.isWorker)
    await beginCluster(config.dataDir, config.processes);
  const { runAlone, runWorker, runTogether } = await import('./service/run-service.ts');
  if (cluster.isWorker) {
    await runWorker(config);
    setFlags(SETTINGS);
    return;
  }
  const { address, newKey, invitation } = await (config.processes > 1 ? runTogether : runAlone)(
    config,
  );
  setFlags(SETTINGS);
  const lines = [`Parley is ready: ${address}/console/`];
  if (isBuilt) lines.push(`Its data is in ${config.dataDir}`);
  if (newKey) lines.push(`Your API key, shown only this once: ${newKey}`);
  if (invitation)
    lines.push(
      `To sign in with a password instead, open this within a week: ${address}/console/#/join?token=${invitation}`,
    );
  process.stdout.write(`${lines.join('\n')}\n`);
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

const args = process.argv.slice(2);
// `parley start` is the same as `parley`.
main(args[0] === 'start' ? args.slice(1) : args).catch((error: unknown) => {
  process.stderr.write(`${explainStart(error)}\n`);
  process.exitCode = 1;
  // What a failed start leaves open must not keep the process.
  setTimeout(() => process.exit(1), 1000).unref();
});
