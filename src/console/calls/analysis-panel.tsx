import type { AnalysisStep, Call } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Facts } from '../ui/facts.tsx';
import type { Tone } from '../ui/tone.ts';
import { isLive } from './call-names.ts';

const STEPS: Readonly<Record<AnalysisStep['step'], string>> = {
  summary: 'Summary',
  successEvaluation: 'Success',
  structuredData: 'Data',
  outcome: 'Outcome',
};

/** Results of the call's analysis: summary, success, data and outcome. Explains why a missing result is missing. */
export function AnalysisPanel({ call }: { readonly call: Call }) {
  const { analysis } = call;
  if (!analysis) {
    return (
      <p class="help">
        {isLive(call)
          ? 'The analysis runs after the call.'
          : 'No analysis is switched on for this assistant, or it is still under way. It is set up in the assistant’s settings.'}
      </p>
    );
  }
  const { summary, successEvaluation, structuredData, outcome, steps = [] } = analysis;
  const missing = steps.filter(({ state }) => state !== 'done');
  return (
    <div class="stack">
      {summary !== undefined && (
        <div class="section">
          <h2 class="call-title">Summary</h2>
          <p class="analysis-summary">{summary}</p>
        </div>
      )}
      {successEvaluation !== undefined && (
        <div class="section">
          <h2 class="call-title">Success</h2>
          <p>
            <Badge tone={verdictTone(successEvaluation)}>{successEvaluation}</Badge>
          </p>
        </div>
      )}
      {outcome && Object.keys(outcome).length > 0 && (
        <div class="section">
          <h2 class="call-title">Outcome</h2>
          <Facts items={Object.entries(outcome).map(([name, value]) => [name, textOf(value)])} />
        </div>
      )}
      {structuredData && (
        <div class="section">
          <h2 class="call-title">Data</h2>
          <CodeBlock wrap label="Data" text={JSON.stringify(structuredData, null, 2)} />
        </div>
      )}
      {missing.map(({ step, state, reason }) => (
        <Callout key={step} tone={state === 'failed' ? 'bad' : 'info'}>
          <p>
            <strong>{STEPS[step]}</strong> {state === 'failed' ? 'failed' : 'was left out'}
            {reason !== undefined && `: ${reason}`}.
          </p>
        </Callout>
      ))}
    </div>
  );
}

function verdictTone(verdict: string): Tone {
  if (/^(pass|true|yes|success|excellent|good)\b/i.test(verdict)) return 'good';
  if (/^(fail|false|no|poor|bad)\b/i.test(verdict)) return 'bad';
  return 'info';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
