import { CsvError, parse } from 'csv-parse';
import { type Block, labelled } from './block.ts';
import { UnreadableError } from './unreadable-error.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE_LINES = 20;
const SLICE_CHARS = 64 * 1024;
const MAX_ROW_CHARS = 1_000_000;

/** A table whose first row has labels. A CSV file's delimiter is the one that its first lines share. */
export async function* readTable(text: string, format: 'csv' | 'tsv'): AsyncGenerator<Block> {
  let labels: readonly string[] | undefined;
  let hasRows = false;
  for await (const row of rowsOf(text, format === 'tsv' ? '\t' : delimiterOf(text))) {
    if (!labels) {
      labels = row;
      continue;
    }
    hasRows = true;
    const line = labelled(row.map((cell, i) => [labels?.[i] ?? '', cell] as const));
    if (line !== '') yield { kind: 'row', text: line };
  }
  // A single row has no values below it: it is the content itself.
  if (labels && !hasRows)
    yield { kind: 'row', text: labelled(labels.map((cell) => ['', cell] as const)) };
}

async function* rowsOf(text: string, delimiter: string): AsyncGenerator<readonly string[]> {
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    // In a tab-separated file, a quote is an ordinary character.
    quote: delimiter === '\t' ? null : '"',
    max_record_size: MAX_ROW_CHARS,
  });
  try {
    const fed = feed(text, parser);
    for await (const row of parser) yield row;
    await fed;
  } catch (error) {
    if (error instanceof CsvError)
      throw new UnreadableError(`The table cannot be read: ${error.message}`);
    throw error;
  }
}

async function feed(text: string, parser: ReturnType<typeof parse>): Promise<void> {
  for (let at = 0; at < text.length && !parser.destroyed; at += SLICE_CHARS)
    if (!parser.write(text.slice(at, at + SLICE_CHARS)))
      await new Promise<void>((resolve) => {
        parser.once('drain', resolve).once('close', resolve);
      });
  if (!parser.destroyed) parser.end();
}

function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 100_000)
    .split(/\r?\n/, SAMPLE_LINES)
    .filter((line) => line !== '');
  const counts = DELIMITERS.map((delimiter) =>
    Math.min(...lines.map((line) => line.split(delimiter).length - 1)),
  );
  const most = Math.max(...counts);
  return most > 0 ? (DELIMITERS[counts.indexOf(most)] as string) : ',';
}
