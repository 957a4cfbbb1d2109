import type { Costs } from './costs.ts';
import type { Precision } from './recall.ts';

/** What each engine finds. */
export interface Findings {
  readonly passages: number;
  readonly engines: readonly string[];
  /** Kind of question, how many there are, and a cell for each engine. */
  readonly rows: readonly (readonly string[])[];
  readonly answers: readonly (Precision & { readonly half: string; readonly engine: string })[];
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(row).join('\n');
}

export function findingsTable({ passages, engines, rows, answers }: Findings): string {
  const given = answers.map(
    (one) => `${one.engine}, ${one.half}: ${one.right} of ${one.given} (${one.asked} questions)`,
  );
  return [
    `${passages.toLocaleString('en')} passages; right at first / among five.`,
    table(['', 'of', ...engines], rows),
    `Right, of the answers from 0.5 on: ${given.join('; ')}.`,
  ].join('\n\n');
}

export function costsTable(
  { trainedInMs, loadedInMs, times }: Costs,
  { passages, rounds }: { readonly passages: number; readonly rounds: number },
): string {
  const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;
  const rows = times.map(({ figure, middle, least, most }) => [
    figure,
    `${middle}`,
    `${least} to ${most}`,
  ]);
  return [
    `A trained base of ${passages.toLocaleString('en')} passages, trained in ${seconds(trainedInMs)}, read at the first search in ${seconds(loadedInMs)}.`,
    table(['', `middle of ${rounds}`, 'range'], rows),
  ].join('\n\n');
}
