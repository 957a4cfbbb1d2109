import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { readConfig } from '../config/config.ts';
import { ChainCheck, type ChainedEntry } from '../lib/audit-chain.ts';
import { commandLine } from '../lib/command-line.ts';
import { CliError } from './cli-error.ts';
import { parseOptions } from './parse-options.ts';

const HELP = `Checks the audit log: that no entry was changed, removed, added or moved since it was written.

Usage: ${commandLine('audit-log')} verify [export.jsonl] [options]

  --url <url>      the service that has the log (default: where this configuration listens)
  --key <key>      an admin's API key (default: API_KEY)
  --service        the log of what concerns no team; the key is ADMIN_KEY then
  --chain <id>     of a file: the team whose log it is, or "service"
  --expect <head>  number:hash that an earlier run has printed: that entry must still be there
  --help           this text

Exit code: 0 the log is whole, 1 failed, 2 wrong usage, 3 the log was tampered with.
`;

const TIMEOUT_MS = 600_000;
const TAMPERED = 3;

interface Options {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly service: boolean;
  readonly chain?: string | undefined;
  readonly expect?: string | undefined;
}

/** A log to check. */
interface Source {
  readonly chain: string;
  readonly lines: AsyncIterable<string>;
  /** `number:hash:genuine` of the last entry, as the service says. */
  readonly head?: string | undefined;
}

async function main(): Promise<number> {
  const { values, positionals } = parseOptions({
    url: { type: 'string' },
    key: { type: 'string' },
    service: { type: 'boolean', default: false },
    chain: { type: 'string' },
    expect: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [command, file, ...more] = positionals;
  if (command !== 'verify' || more.length > 0)
    throw new CliError('the command is verify, with one file at most (--help shows all)', 2);
  return verify(file === undefined ? await fetchLog(values) : openFile(file, values), values);
}

function openFile(path: string, { chain }: Options): Source {
  if (!existsSync(path)) throw new CliError(`there is no file ${path}`, 2);
  if (chain === undefined) throw new CliError('whose log is it? --chain names the team', 2);
  return { chain, lines: createInterface({ input: createReadStream(path) }) };
}

async function fetchLog({ url, key, service }: Options): Promise<Source> {
  const config = readConfig();
  const credential = key ?? (service ? config.adminKey : config.apiKey);
  if (!credential)
    throw new CliError(`a key is needed: --key or ${service ? 'ADMIN_KEY' : 'API_KEY'}`, 2);
  const base = url ?? `http://${config.host}:${config.port}`;
  const path = service ? '/admin/v1/audit/export' : '/auth/v1/audit/export';
  const response = await fetch(new URL(path, base), {
    headers: { authorization: `Bearer ${credential}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok || !response.body)
    throw new CliError(`the service answered ${response.status}: ${await response.text()}`, 1);
  return {
    chain: response.headers.get('x-audit-chain') ?? '',
    head: response.headers.get('x-audit-head') ?? undefined,
    lines: createInterface({ input: Readable.fromWeb(response.body) }),
  };
}

async function verify({ chain, lines, head }: Source, { expect }: Options): Promise<number> {
  const check = new ChainCheck(chain);
  let metExpected = expect === undefined || expect === '0:';
  for await (const line of lines) {
    if (line === '') continue;
    const entry = entryOf(line);
    if (!entry) return tampered(`the line after entry ${check.head.seq} is no entry`);
    const fault = check.add(entry);
    if (fault) return tampered(`${fault} (${entry.at}, ${entry.action})`);
    metExpected ||= `${entry.seq}:${entry.hash}` === expect;
  }
  const last = `${check.head.seq}:${check.head.hash}`;
  if (head !== undefined && head !== `${last}:genuine`)
    return tampered(
      head.endsWith(':forged')
        ? 'the end of the log was not written by the service'
        : `the log ends with entry ${check.head.seq}, and ended with ${head.split(':')[0]}`,
    );
  if (!metExpected) return tampered(`the entry ${expect?.split(':')[0]} is not the one expected`);
  const count = check.head.seq === 1 ? '1 entry' : `${check.head.seq} entries`;
  process.stdout.write(`The log is whole: ${count}. Its end: ${last}\n`);
  return 0;
}

/** Undefined if the line is not an entry. */
function entryOf(line: string): ChainedEntry | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof entry !== 'object' || entry === null || !('actor' in entry)) return undefined;
  return typeof entry.actor === 'object' && entry.actor !== null
    ? (entry as ChainedEntry)
    : undefined;
}

function tampered(what: string): number {
  process.stdout.write(`The log was tampered with: ${what}.\n`);
  return TAMPERED;
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  },
);
