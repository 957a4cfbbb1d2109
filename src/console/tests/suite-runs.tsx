import { useEffect, useRef, useState } from 'preact/hooks';
import type { TestSuite } from '../../client/api.generated.ts';
import { VersionChoice } from '../assistants/version-choice.tsx';
import { fieldFaults } from '../field-faults.ts';
import { useQuery } from '../router.ts';
import { may, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { NumberField } from '../ui/number-field.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import { usePolling } from '../use-polling.ts';
import { RunHistory } from './run-history.tsx';
import { RunResult } from './run-result.tsx';
import { type Spoken, SpokenChoice } from './spoken-choice.tsx';
import { isOpen } from './test-names.ts';

interface SuiteRunsProps {
  readonly suite: TestSuite;
  readonly unsaved: boolean;
  /** Resolves with false if the tests must not be run. */
  readonly onBeforeRun: () => Promise<boolean>;
}

const SHOWN_RUNS = 50;
const EVERY_MS = 1000;

/** Runs a suite, shows the result of one run and the runs before. */
export function SuiteRuns({ suite, unsaved, onBeforeRun }: SuiteRunsProps) {
  const client = useClient();
  const [query, change] = useQuery();
  const suiteId = suite.id;
  const runs = useLoad(
    (signal) => client.call('listTestRuns', { query: { suiteId, limit: SHOWN_RUNS }, signal }),
    [client, suiteId],
  );
  const id = query.get('run') ?? runs.data?.[0]?.id;
  const [finished, setFinished] = useState<string>();
  const run = usePolling(
    async (signal) =>
      id === undefined ? undefined : client.call('getTestRun', { path: { id }, signal }),
    [client, id],
    id === undefined || finished === id ? undefined : EVERY_MS,
  );
  const { data } = run;
  const result = useRef<HTMLDivElement>(null);
  const asked = query.get('run') ?? undefined;
  useEffect(() => {
    if (asked !== undefined && data?.id === asked) result.current?.scrollIntoView();
  }, [asked, data?.id]);
  useEffect(() => {
    if (!data || data.id !== id || isOpen(data)) return;
    setFinished(data.id);
    // What was open in the list is so no longer.
    if (runs.data?.some((each) => each.id === data.id && isOpen(each))) runs.reload();
  }, [data, id]);
  return (
    <>
      {may('builder') && (
        <StartRun
          suite={suite}
          unsaved={unsaved}
          onBeforeRun={onBeforeRun}
          onStarted={(started) => {
            change({ run: started });
            runs.reload();
          }}
        />
      )}
      {run.error !== undefined && (
        <ErrorState title="The run could not be loaded" error={run.error} onRetry={run.reload} />
      )}
      <div ref={result}>{data && data.id === id && <RunResult run={data} />}</div>
      {runs.error !== undefined && (
        <ErrorState title="The runs could not be loaded" error={runs.error} onRetry={runs.reload} />
      )}
      {runs.data && runs.data.length > 0 && <RunHistory runs={runs.data} shown={id} />}
    </>
  );
}

interface StartRunProps extends SuiteRunsProps {
  readonly onStarted: (runId: string) => void;
}

function StartRun({ suite, unsaved, onBeforeRun, onStarted }: StartRunProps) {
  const client = useClient();
  const [version, setVersion] = useState('');
  const [tokens, setTokens] = useState<number>();
  const [spoken, setSpoken] = useState<Spoken>();
  const start = useAction(async () => {
    if (!(await onBeforeRun())) return;
    const body = {
      suiteId: suite.id,
      ...(version === '' ? {} : { assistantVersion: version }),
      ...(tokens === undefined ? {} : { budget: { tokens } }),
      ...(spoken ? { spoken } : {}),
    };
    onStarted((await client.call('startTestRun', { body })).id);
  });
  const faults = fieldFaults(start.error);
  const budget = faults['budget.tokens'] ?? faults.budget;
  return (
    <section class="section" aria-labelledby="run-title">
      <h2 id="run-title">Run</h2>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void start.run();
        }}
      >
        <div class="field-columns">
          {suite.assistantId !== undefined && (
            <VersionChoice
              id="run-version"
              label="Version of the assistant"
              assistantId={suite.assistantId}
              none="The published one"
              value={version}
              onChange={setVersion}
            />
          )}
          <NumberField
            id="run-tokens"
            label="Tokens at most"
            help="Required if a vendor’s model is used."
            error={budget}
            optional
            min={0}
            step={1}
            value={tokens}
            onChange={setTokens}
          />
        </div>
        <SpokenChoice
          id="run-spoken"
          label="Speak them"
          help="Every test once in each condition, some two seconds a call. Publishing needs the run without sound."
          value={spoken}
          onChange={setSpoken}
          error={faults.spoken}
        />
        <div class="row">
          <Button type="submit" id="run-tests" kind="primary" icon="play" busy={start.busy}>
            {unsaved ? 'Save and run' : 'Run the tests'}
          </Button>
        </div>
        <p class="field-fault" role="alert">
          {start.error !== undefined && budget === undefined && faults.spoken === undefined
            ? faultText(start.error)
            : ''}
        </p>
      </form>
    </section>
  );
}
