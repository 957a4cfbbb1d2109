import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { WhatIf, WhatIfInput } from '../client/api.generated.ts';
import {
  type Decision,
  findDifferences,
  type Replay,
  ReplayError,
  replayJournal,
} from '../engine/machine/replay.ts';
import { commandLine } from '../lib/command-line.ts';
import { CliError } from './cli-error.ts';
import { estimateText } from './estimate-text.ts';
import { budgetOption } from './number-option.ts';
import { parseOptions } from './parse-options.ts';
import type { ServiceClient } from './service-client.ts';
import { checkSource, clientOf, parseLines } from './stored-calls.ts';
import { readChange, replayHere, type WhatIfChange } from './what-if.ts';
import { whatIfReport, whatIfTable } from './what-if-report.ts';

const HELP = `Runs a recorded call through the machine again and shows where decisions differ, or what would have
happened with a change.

Usage: ${commandLine('replay')} <journal.ndjson | call id> [options]
       ${commandLine('replay')} --since <date> --with <patch.json | assistant@version> [options]

  --with <patch.json>    a merge patch of the assistant, such as {"startSpeakingOptions":{"waitSeconds":0.3}}
  --with <id@version>    a version of an assistant, by its number or a label such as production
  --fail <tool>[=<why>]  this tool fails; may be given again
  --caller <reaction>    who is answered too early: speaks-on (default), waits or repeats
  --ask-model            asks the assistant's model what it was not asked; paid like any other request, and an estimate
                         is said before
  --budget <amount>      asks it no more when it has cost so much, in the currency of PRICES_FILE
  --max-tokens <n>       asks it no more when it has read and written so many tokens
  --since <date>         all calls of the service since then, as a table; --assistant <id> and --limit <n> narrow it
  --json                 what --with, --fail or --since give, as JSON
  --url <url>            the service that has the call (default: where this configuration listens)
  --key <key>            its API key (default: API_KEY)
  --help                 this text

Exit code: 0 every decision is the same or a change was replayed, 1 failed, 2 wrong usage, 3 decisions differ.
`;

const SHOWN_CHARS = 200;

async function main(): Promise<number> {
  const { values, positionals } = parseOptions({
    with: { type: 'string' },
    fail: { type: 'string', multiple: true, default: [] },
    caller: { type: 'string', default: 'speaks-on' },
    since: { type: 'string' },
    assistant: { type: 'string' },
    limit: { type: 'string' },
    'ask-model': { type: 'boolean', default: false },
    budget: { type: 'string' },
    'max-tokens': { type: 'string' },
    json: { type: 'boolean', default: false },
    url: { type: 'string' },
    key: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [source, ...more] = positionals;
  const change = await readChange(values);
  const budget = budgetOption(values);
  const print = <What>(what: What, text: (what: What) => string): 0 => {
    process.stdout.write(values.json ? `${JSON.stringify(what, null, 2)}\n` : text(what));
    return 0;
  };
  if (values.since !== undefined) {
    if (source !== undefined) throw new CliError('--since takes no journal and no call id', 2);
    const { since: startDate, assistant: assistantId, limit } = values;
    const filter = {
      startDate,
      ...(assistantId === undefined ? {} : { assistantId }),
      ...(limit === undefined ? {} : { limit: Number(limit) }),
    };
    return print(await clientOf(values).replayCalls({ ...change, ...filter }), whatIfTable);
  }
  if (source === undefined || more.length > 0)
    throw new CliError('name one journal file or call id (--help shows all)', 2);
  const isFile = existsSync(source);
  checkSource(source, isFile);
  const originals = isFile
    ? await readFile(source, 'utf8')
    : await clientOf(values).findOriginals(source);
  if (values.with === undefined && values.fail.length === 0)
    return report(
      replayJournal(parseLines(originals ?? (await clientOf(values).getEvents(source)))),
    );
  // The service knows the assistant as the call had it; of a redacted call only who may read its originals can tell.
  const askModel = values['ask-model'];
  if (askModel && originals !== undefined)
    throw new CliError('--ask-model needs a call of the service that is not redacted', 2);
  if (change.instead && originals !== undefined)
    throw new CliError(
      'a version of an assistant needs a call of the service that is not redacted',
      2,
    );
  const comparison: WhatIf =
    originals === undefined
      ? await replayThere(clientOf(values), source, change, askModel ? budget : undefined)
      : replayHere(parseLines(originals), change);
  return print(comparison, whatIfReport);
}

/** `budget`: the model is asked, within it. */
async function replayThere(
  client: ServiceClient,
  id: string,
  change: WhatIfChange,
  budget: WhatIfInput['budget'] | undefined,
): Promise<WhatIf> {
  if (!budget) return client.replayCall(id, change);
  const asks = estimateText(await client.estimateReplay(id, change));
  if (asks !== undefined) {
    process.stderr.write(`the replay ${asks}\n`);
    if (Object.keys(budget).length === 0)
      throw new CliError('--budget or --max-tokens is required where a vendor is asked', 2);
  }
  return client.replayCall(id, { ...change, askModel: true, budget });
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
