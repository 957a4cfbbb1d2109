import type { CallSummary } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';

type Alert = NonNullable<CallSummary['alerts']>[number];

export const ALERT_WORDS: Readonly<Record<Alert['kind'], string>> = {
  'long-silence': 'Long silence',
  'tool-failed': 'Tool failed',
  'transfer-failed': 'Transfer failed',
  'model-failed': 'Model failed',
  'speech-failed': 'Speech failed',
  'playback-failed': 'Playback stalled',
};

/** What went wrong in a call, one badge for each kind. */
export function Alerts({ alerts }: { readonly alerts: readonly Alert[] }) {
  if (alerts.length === 0) return <span class="soft">–</span>;
  return (
    <span class="calls-alerts">
      {alerts.map(({ kind }) => (
        <Badge key={kind} tone="warn">
          {ALERT_WORDS[kind]}
        </Badge>
      ))}
    </span>
  );
}
