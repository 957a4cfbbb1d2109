import { setTimeout as delay } from 'node:timers/promises';
import { resolveAssistant } from '../assistant-for-call.ts';
import { versionedAssistant } from '../assistant-name.ts';
import { CliError } from '../cli-error.ts';
import { estimateText } from '../estimate-text.ts';
import type { ServiceClient } from '../service-client.ts';
import type { TestOptions } from './options.ts';
import type { FileResults } from './report.ts';

/** A file of tests and its text. */
export interface TestFileText {
  readonly file: string;
  readonly source: string;
}

const POLL_MS = 200;
const RUN_MS = 1800_000;

/** Throws {@link CliError} with every fault, each with file, line and field. */
export async function checkFiles(
  client: Pick<ServiceClient, 'checkTests'>,
  files: readonly TestFileText[],
): Promise<void> {
  const faults: string[] = [];
  for (const { file, source } of files) {
    const check = await client.checkTests(source);
    for (const { line, column, field, message } of check.faults)
      faults.push(`${file}:${line}:${column}: ${field === '' ? '' : `${field} `}${message}`);
  }
  if (faults.length > 0) throw new CliError(faults.join('\n'), 2);
}

/** Runs the files one after the other, as conversations in virtual time. */
export async function runFiles(
  client: ServiceClient,
  options: TestOptions,
  {
    files,
    say,
    signal,
  }: {
    readonly files: readonly TestFileText[];
    readonly say: (text: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<readonly FileResults[]> {
  const versioned =
    options.assistant === undefined ? undefined : versionedAssistant(options.assistant);
  const assistant = await resolveAssistant(client, versioned?.assistantId ?? options.assistant);
  try {
    const all: FileResults[] = [];
    for (const { file, source } of files) {
      const { seed, budget, judge } = options;
      const asked = {
        assistantId: assistant.id,
        ...(versioned ? { assistantVersion: versioned.assistantVersion } : {}),
        source,
        seed,
        budget,
        ...(judge ? { judge } : {}),
        ...(options.virtual ? { spoken: { conditions: [...(options.spoken ?? [])] } } : {}),
      };
      const started = await client.startTestRun(asked);
      const asks = estimateText(started.estimate);
      if (asks !== undefined) say(`${file}: ${asks}`);
      const run = await finished(client, started.id, signal);
      if (run.status === 'failed') throw new CliError(`${file}: ${run.reason ?? 'the run failed'}`);
      if (run.reason) say(`${file}: ${run.reason}`);
      if (run.cost) say(`${file}: the models cost ${run.cost.total} ${run.cost.currency}`);
      all.push({ file, results: run.results as FileResults['results'] });
    }
    return all;
  } finally {
    await assistant.dispose();
  }
}

async function finished(client: ServiceClient, id: string, signal: AbortSignal) {
  const deadline = AbortSignal.timeout(RUN_MS);
  for (;;) {
    const run = await client.getTestRun(id);
    if (run.status === 'finished' || run.status === 'failed') return run;
    if (deadline.aborted) throw new CliError('the run did not finish in time');
    await delay(POLL_MS, undefined, { signal });
  }
}
