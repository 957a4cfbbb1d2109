import { readFile, writeFile } from 'node:fs/promises';
import { summaryOf } from '../contract/assistant-test-result.ts';
import { junitOf } from './assistant-test/junit.ts';
import { parseTestOptions, TEST_HELP, type TestOptions } from './assistant-test/options.ts';
import { exitCodeOf, type FileResults, summaryLine, tableOf } from './assistant-test/report.ts';
import { checkFiles, runFiles, type TestFileText } from './assistant-test/run-files.ts';
import { CliError } from './cli-error.ts';
import { openService } from './open-service.ts';
import { ServiceClient } from './service-client.ts';
import { runSpoken } from './spoken/run-spoken.ts';
import {
  conditionTable,
  measuredIn,
  outcomesOf,
  type SpokenOutcome,
} from './spoken/spoken-report.ts';

const INTERRUPTED = 130;
const say = (text: string) => void process.stderr.write(`${text}\n`);

async function main(args: readonly string[]): Promise<number> {
  const options = parseTestOptions(args);
  if (!options) {
    process.stdout.write(TEST_HELP);
    return 0;
  }
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { signal } = interrupt;
  try {
    // Read the files first, so that an unreadable one fails before a service is started.
    const files = await Promise.all(options.files.map(readTests));
    const isSpoken = options.spoken !== undefined;
    await using service = await openService(options, {
      say,
      signal,
      // The service asks this command for the scripted model and the tools.
      ...(isSpoken && !options.virtual && options.url === undefined
        ? { environment: { ALLOW_PRIVATE_TARGETS: 'true' } }
        : {}),
    });
    const client = new ServiceClient(service.url, service.key);
    if (options.fromCall !== undefined) {
      process.stdout.write(await client.getCallAsTest(options.fromCall));
      return 0;
    }
    await checkFiles(client, files);
    if (options.virtual)
      return await reportSpoken(
        options,
        outcomesOf(await runFiles(client, options, { files, say, signal })),
      );
    if (isSpoken)
      return await reportSpoken(options, await runSpoken(client, options, { files, say, signal }));
    return await report(options, await runFiles(client, options, { files, say, signal }));
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

async function readTests(file: string): Promise<TestFileText> {
  try {
    return { file, source: await readFile(file, 'utf8') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(`${file}: ${code === 'ENOENT' ? 'no such file' : message}`, 2);
  }
}

/** The results by condition, and what was measured in each. */
async function reportSpoken(
  options: TestOptions,
  outcomes: readonly SpokenOutcome[],
): Promise<number> {
  const names = [...new Set(outcomes.map(({ file, condition }) => `${file} (${condition})`))];
  const files = names.map((name) => ({
    file: name,
    results: outcomes
      .filter(({ file, condition }) => `${file} (${condition})` === name)
      .map(({ result }) => result),
  }));
  const measured = measuredIn(outcomes);
  const { conditions: rows, all } = measured;
  const exitCode = await report(options, files, measured);
  process.stdout.write(`\n${conditionTable(rows.length > 1 ? [...rows, all] : rows)}`);
  return exitCode;
}

async function report(
  options: TestOptions,
  files: readonly FileResults[],
  measured: object = {},
): Promise<number> {
  const summary = summaryOf(files.flatMap(({ results }) => results));
  process.stdout.write(tableOf(files));
  process.stdout.write(`${summaryLine(summary)}\n`);
  if (options.junit !== undefined) await writeFile(options.junit, junitOf(files));
  if (options.json !== undefined)
    await writeFile(
      options.json,
      `${JSON.stringify({ summary, ...measured, files }, undefined, 2)}\n`,
    );
  return exitCodeOf(summary);
}

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const foreseen =
      error instanceof CliError || (error instanceof Error && error.name === 'ConfigError');
    const text = foreseen ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`assistant-test: ${text}\n`);
    process.exitCode = error instanceof CliError ? error.exitCode : 1;
  },
);
