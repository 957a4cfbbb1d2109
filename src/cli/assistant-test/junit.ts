import { summaryOf, type TestResult } from '../../contract/assistant-test-result.ts';
import type { FileResults } from './report.ts';

/**
 * The results as JUnit XML. Times are those of the conversations, not of the run, so that equal runs are equal byte for
 * byte.
 */
export function junitOf(files: readonly FileResults[]): string {
  const suites = files.map(({ file, results }) => {
    const { tests, failed, broken, notJudged, notRun } = summaryOf(results);
    const attributes = {
      name: file,
      tests,
      failures: failed,
      errors: broken,
      skipped: notJudged + notRun,
    };
    return [
      `  <testsuite${attributesOf(attributes)}>`,
      ...results.map((result) => caseOf(file, result)),
      '  </testsuite>',
    ].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf(file: string, result: TestResult): string {
  const { name, status, reason = '', conditions, transcript, durationMs } = result;
  const time = (durationMs / 1000).toFixed(3);
  const open = `    <testcase${attributesOf({ name, classname: file, time })}`;
  if (status === 'passed') return `${open}/>`;
  const unmet = conditions
    .filter(({ verdict }) => verdict !== 'met')
    .map(({ turn, condition, detail }) => {
      const where = turn === undefined ? '' : `turn ${turn}: `;
      return `${where}${condition}${detail === undefined ? '' : `: ${detail}`}`;
    });
  const why = [reason, ...unmet].filter((line) => line !== '');
  const talk = transcript.map(({ role, text }) => `${role}: ${text}`);
  const element = status === 'failed' ? 'failure' : status === 'broken' ? 'error' : 'skipped';
  const message = attributesOf({ message: why[0] ?? status });
  const body = escaped([...why, '', ...talk].join('\n'));
  return [`${open}>`, `      <${element}${message}>${body}</${element}>`, '    </testcase>'].join(
    '\n',
  );
}

function attributesOf(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Without what XML 1.0 cannot have. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (mark) => ENTITIES[mark] as string)
  );
}
