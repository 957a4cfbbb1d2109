import { readConfig } from '../config/config.ts';
import type { JournalLine } from '../ports/journal.ts';
import { CliError } from './cli-error.ts';
import { ServiceClient } from './service-client.ts';

/** The service that `--url` and `--key` name, or else the configuration. */
export function clientOf({
  url,
  key,
}: {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}): ServiceClient {
  const config = readConfig();
  const apiKey = key ?? config.apiKey;
  if (!apiKey) throw new CliError('an API key is needed: --key or API_KEY', 2);
  return new ServiceClient(url ?? `http://${config.host}:${config.port}`, apiKey);
}

/** Throws unless the argument of a command is a file or can be the id of a call. */
export function checkSource(source: string, isFile: boolean): void {
  if (!isFile && !/^(WC|CC)-/.test(source))
    throw new CliError(`there is no file ${source}, and it is no call id`, 2);
}

/** The lines of a journal as files and the service have it. */
export function parseLines(text: string): readonly JournalLine[] {
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
