import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { readConfig } from '../config/config.ts';
import { commandLine } from '../lib/command-line.ts';
import { toOtlpJson } from '../telemetry/trace/otlp.ts';
import { spansOf } from '../telemetry/trace/spans-of.ts';
import type { AboutCall } from '../telemetry/trace/trace-state.ts';
import { CliError } from './cli-error.ts';
import { parseOptions } from './parse-options.ts';
import { checkSource, clientOf, parseLines } from './stored-calls.ts';

const HELP = `Writes the OpenTelemetry trace of a call, with the spans that the service sends of it, as OTLP/JSON.

Usage: ${commandLine('trace')} <journal.ndjson | call id> [options]

  --out <file>   where to (default: the terminal)
  --content      with what was said, as the journal has it
  --url <url>    the service that has the call (default: where this configuration listens)
  --key <key>    its API key (default: API_KEY)
  --help         this text

A journal in a file does not name the vendors; that of the service's call does.
Exit code: 0 done, 1 failed, 2 wrong usage.
`;

async function main(): Promise<void> {
  const { values, positionals } = parseOptions({
    out: { type: 'string' },
    content: { type: 'boolean', default: false },
    url: { type: 'string' },
    key: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const [source, ...more] = positionals;
  if (source === undefined || more.length > 0)
    throw new CliError('name one journal file or call id (--help shows all)', 2);
  const isFile = existsSync(source);
  checkSource(source, isFile);
  const { journal, about } = isFile
    ? { journal: await readFile(source, 'utf8'), about: {} }
    : await fetchCall(source, values);
  const spans = spansOf(parseLines(journal), { ...about, captureContent: values.content });
  if (spans.length === 0) throw new CliError('the journal lacks its first line, call.created');
  const { resource } = readConfig().tracing ?? { resource: { 'service.name': 'parley' } };
  const json = `${toOtlpJson(spans, resource)}\n`;
  if (values.out === undefined) process.stdout.write(json);
  else {
    await writeFile(values.out, json);
    process.stdout.write(`${spans.length} spans in ${values.out}\n`);
  }
}

async function fetchCall(
  id: string,
  service: Parameters<typeof clientOf>[0],
): Promise<{ readonly journal: string; readonly about: AboutCall }> {
  const client = clientOf(service);
  const { startAt, teamId, assistantId, assistantVersion, usage } = await client.getCall(id);
  const assistant = {
    ...(assistantId === undefined ? {} : { id: assistantId }),
    ...(assistantVersion === undefined ? {} : { version: assistantVersion }),
  };
  const about = { startedAtMs: Date.parse(startAt), teamId, assistant, usage };
  return { journal: await client.getEvents(id), about };
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof CliError ? error.exitCode : 1;
});
