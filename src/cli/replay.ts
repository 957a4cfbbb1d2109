import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import {
  type Decision,
  findDifferences,
  type Replay,
  ReplayError,
  replayJournal,
} from '../engine/machine/replay.ts';
import type { JournalLine } from '../ports/journal.ts';
import { CliError } from './cli-error.ts';
import { ServiceClient } from './service-client.ts';

const HELP = `Runs a recorded call through the machine again and shows where decisions differ.

Usage: npm run replay -- <journal.ndjson | call id> [options]

  --url <url>   the service that has the call (default: where this configuration listens)
  --key <key>   its API key (default: API_KEY)
  --help        this text

Exit code: 0 every decision is the same, 1 failed, 2 wrong usage, 3 decisions differ.
`;

const SHOWN_CHARS = 200;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [source, ...more] = positionals;
  if (source === undefined || more.length > 0) {
    throw new CliError('name one journal file or call id (--help shows all)', 2);
  }
  const text = existsSync(source)
    ? await readFile(source, 'utf8')
    : await fetchJournal(source, values);
  const replay = replayJournal(parseLines(text));
  return report(replay);
}

async function fetchJournal(
  callId: string,
  { url, key }: { readonly url?: string; readonly key?: string },
): Promise<string> {
  if (!/^(WC|CC)-/.test(callId))
    throw new CliError(`there is no file ${callId}, and it is no call id`, 2);
  const config = readConfig();
  const apiKey = key ?? config.apiKey;
  if (!apiKey) throw new CliError('an API key is needed: --key or API_KEY', 2);
  const client = new ServiceClient(url ?? `http://${config.host}:${config.port}`, apiKey);
  return client.getEvents(callId);
}

function parseLines(text: string): readonly JournalLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return JSON.parse(line) as JournalLine;
      } catch {
        throw new CliError(`line ${index + 1} of the journal is no JSON`, 1);
      }
    });
}

function report(replay: Replay): 0 | 3 {
  const { callId, recorded, replayed, recordedVersion, replayedVersion } = replay;
  const out = (line: string) => process.stdout.write(`${line}\n`);
  out(`${callId}: ${recorded.length} decisions recorded, ${replayed.length} replayed`);
  out(`recorded ${digest(recorded)} by engine ${recordedVersion}`);
  out(`replayed ${digest(replayed)} by engine ${replayedVersion}`);
  const differences = findDifferences(replay);
  if (differences.length === 0) {
    out('Every decision is the same.');
    return 0;
  }
  if (recordedVersion !== replayedVersion) {
    out('The engine has changed since; differences may be meant.');
  }
  for (const { index, recorded: was, replayed: is } of differences) {
    out(`\ndecision ${index}`);
    out(`  - ${describe(was)}`);
    out(`  + ${describe(is)}`);
  }
  return 3;
}

function describe(decision: Decision | undefined): string {
  if (!decision) return '(nothing)';
  const text = `${decision.at} ms ${decision.type} ${decision.canonical}`;
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

/** SHA-256 over the decisions, one per line. */
function digest(decisions: readonly Decision[]): string {
  const hash = createHash('sha256');
  for (const { canonical } of decisions) hash.update(`${canonical}\n`);
  return hash.digest('hex');
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const known = error instanceof CliError || error instanceof ReplayError;
    process.stderr.write(
      `${known ? error.message : error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  },
);
