import type { TestRun } from '../../client/api.generated.ts';
import { SPEAKERS } from '../calls/call-names.ts';
import { Badge } from '../ui/badge.tsx';
import { Callout } from '../ui/callout.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { clockText } from '../ui/duration.tsx';
import { Progress } from '../ui/progress.tsx';
import { CONDITION_NAMES } from './condition-names.ts';
import { ConditionTable } from './condition-table.tsx';
import {
  isOpen,
  RESULTS,
  resultName,
  scoreText,
  soundText,
  stateOf,
  type TestResult,
} from './test-names.ts';

/** The result of a run: which tests are as expected, and what was said instead. */
export function RunResult({ run }: { readonly run: TestRun }) {
  const { label, tone } = stateOf(run);
  const version = run.assistantVersion === undefined ? '' : `, version ${run.assistantVersion}`;
  return (
    <section class="section" aria-labelledby="result-title">
      <h2 id="result-title">Result</h2>
      <p class="tests-last" role="status">
        <Badge tone={tone} live={isOpen(run)}>
          {label}
        </Badge>
        <span>
          {isOpen(run) ? `${run.summary.tests} tests` : scoreText(run)}
          {version}
          {run.spoken && `, ${soundText(run)}`}
        </span>
      </p>
      {run.reason !== undefined && <Callout tone="warn">{run.reason}</Callout>}
      {isOpen(run) && <Progress label="The tests run" value={undefined} />}
      {run.conditions && run.conditions.length > 0 && <ConditionTable rows={run.conditions} />}
      {run.results.length > 0 && (
        <DataTable
          id="results"
          label="Results"
          rows={run.results}
          rowKey={resultName}
          columns={[
            {
              title: 'Test',
              cell: (result) => (
                <>
                  {result.name}
                  {result.condition && (
                    <span class="soft"> {CONDITION_NAMES[result.condition]}</span>
                  )}
                  {run.regressed.includes(resultName(result)) && (
                    <span class="test-before">passed before</span>
                  )}
                </>
              ),
            },
            {
              title: 'Result',
              cell: ({ status }) => (
                <Badge tone={RESULTS[status].tone}>{RESULTS[status].label}</Badge>
              ),
            },
            { title: 'Not as expected', cell: (result) => <Faults result={result} /> },
            { title: 'Slowest answer', end: true, cell: slowest },
            { title: 'Length', end: true, cell: ({ durationMs }) => clockText(durationMs / 1000) },
          ]}
        />
      )}
    </section>
  );
}

function slowest({ answersMs }: TestResult): string {
  return answersMs.length === 0 ? '–' : `${Math.max(...answersMs)} ms`;
}

/** The conditions that are not met or were not judged, and the conversation. */
function Faults({ result }: { readonly result: TestResult }) {
  const { conditions, reason, notes, transcript } = result;
  const unmet = conditions.filter(({ verdict }) => verdict !== 'met');
  return (
    <div class="test-faults">
      {reason !== undefined && <p>{reason}</p>}
      {unmet.length > 0 && (
        <ul>
          {unmet.map(({ turn, condition, verdict, detail }, index) => (
            <li key={index}>
              <strong>{turn === undefined ? 'The call' : `Turn ${turn}`}</strong>: {condition}
              {verdict === 'not-judged' && ', not judged'}
              {detail !== undefined && <span class="test-instead">{detail}</span>}
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p key={note} class="soft">
          {note}
        </p>
      ))}
      {transcript.length > 0 && (
        <details>
          <summary>
            Conversation<span class="visually-hidden"> of {resultName(result)}</span>
          </summary>
          <ol class="test-lines">
            {transcript.map(({ role, text, atMs }, index) => (
              <li key={index} data-role={role}>
                <span class="soft numeric">{clockText(atMs / 1000)}</span>{' '}
                <span class="test-role">{SPEAKERS[role]}</span>{' '}
                <span class="test-words">{text}</span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}
