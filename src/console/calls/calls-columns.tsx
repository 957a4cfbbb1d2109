import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CallSummary } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import type { Column } from '../ui/data-table.tsx';
import { Duration } from '../ui/duration.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { Alerts } from './alerts.tsx';
import type { CallOrder } from './call-filters.ts';
import {
  callerName,
  channelName,
  isLive,
  medianAnswerMs,
  moneyText,
  spanText,
} from './call-names.ts';
import { endReason } from './end-reasons.ts';

const NOTHING = <span class="soft">–</span>;

export const COLUMN_NAMES = {
  assistant: 'Assistant',
  state: 'State',
  began: 'Began',
  length: 'Length',
  answer: 'Time to answer',
  outcome: 'Outcome',
  summary: 'Summary',
  cost: 'Cost',
  alerts: 'Alerts',
  tags: 'Tags',
  reviewed: 'Reviewed',
} as const;

export type ColumnName = keyof typeof COLUMN_NAMES;

export const USUAL_COLUMNS: readonly ColumnName[] = [
  'assistant',
  'state',
  'began',
  'length',
  'answer',
];

interface ColumnsProps {
  readonly chosen: readonly ColumnName[];
  readonly assistantName: (id: string | undefined) => string | undefined;
  readonly order: CallOrder;
  readonly onOrder: (order: CallOrder) => void;
}

/** The chosen columns of the call list, in their own order. */
export function callColumns(
  props: ColumnsProps,
): readonly [Column<CallSummary>, ...Column<CallSummary>[]] {
  const columns = columnsOf(props);
  const names = (Object.keys(COLUMN_NAMES) as ColumnName[]).filter((name) =>
    props.chosen.includes(name),
  );
  return [
    {
      title: 'Caller',
      cell: (call) => (
        <span class="calls-who">
          {callerName(call)} <span class="calls-channel">{channelName(call)}</span>
        </span>
      ),
    },
    ...names.map((name) => ({ title: COLUMN_NAMES[name], ...columns[name] })),
  ];
}

function columnsOf({
  assistantName,
  order,
  onOrder,
}: ColumnsProps): Readonly<Record<ColumnName, Omit<Column<CallSummary>, 'title'>>> {
  const sorted = (falling: CallOrder, rising: CallOrder) => ({
    sort: {
      now: order === falling ? 'descending' : order === rising ? 'ascending' : undefined,
      onSort: () => onOrder(order === falling ? rising : falling),
    } as const,
  });
  return {
    assistant: {
      cell: ({ assistantId }) =>
        assistantId === undefined ? (
          <span class="soft">Temporary assistant</span>
        ) : (
          (assistantName(assistantId) ?? NOTHING)
        ),
    },
    state: { cell: (call) => <CallState call={call} /> },
    began: { ...sorted('', 'oldest'), cell: ({ startAt }) => <RelativeTime at={startAt} /> },
    length: {
      ...sorted('longest', 'shortest'),
      end: true,
      cell: (call) => <CallLength call={call} />,
    },
    answer: { end: true, cell: (call) => answerTime(medianAnswerMs(call)) },
    outcome: { cell: ({ analysis }) => <Outcome verdict={analysis?.successEvaluation} /> },
    summary: {
      cell: ({ analysis }) =>
        analysis?.summary === undefined ? (
          NOTHING
        ) : (
          <span class="calls-summary">{analysis.summary}</span>
        ),
    },
    cost: {
      ...sorted('dearest', 'cheapest'),
      end: true,
      cell: ({ cost }) => (cost ? moneyText(cost.total, cost.currency) : NOTHING),
    },
    alerts: { cell: ({ alerts = [] }) => <Alerts alerts={alerts} /> },
    tags: { cell: ({ tags = [] }) => (tags.length > 0 ? tags.join(', ') : NOTHING) },
    reviewed: {
      cell: ({ review }) => (review ? <Badge tone="good">{review.by}</Badge> : NOTHING),
    },
  };
}

/** The verdict of the analysis; one with several criteria is long, and stands on the call's page. */
function Outcome({ verdict }: { readonly verdict: string | undefined }) {
  if (verdict === undefined) return NOTHING;
  return <>{verdict.startsWith('[') ? 'By criteria' : verdict}</>;
}

function answerTime(ms: number | undefined): ComponentChildren {
  return ms === undefined ? NOTHING : spanText(ms);
}

/** Whether the call is live, or how it ended. */
export function CallState({ call }: { readonly call: CallSummary }) {
  if (isLive(call)) {
    const word = call.status === 'queued' ? waitingWord(call) : LIVE_WORDS[call.status];
    return (
      <Badge tone={call.status === 'queued' ? 'warn' : 'good'} live>
        {word}
      </Badge>
    );
  }
  const { text, tone } = endReason(call.endReason ?? 'ended');
  return <Badge tone={tone}>{text}</Badge>;
}

const LIVE_WORDS = { ongoing: 'Live', forwarded: 'Forwarded', finished: 'Ending' } as const;

function waitingWord({ phoneCallStatus }: CallSummary): string {
  if (phoneCallStatus === 'ringing' || phoneCallStatus === 'early-media') return 'Ringing';
  return phoneCallStatus === 'trying' ? 'Dialling' : 'Connecting';
}

/** Duration of the call up to its end, or up to now. */
export function CallLength({ call }: { readonly call: CallSummary }) {
  const live = isLive(call);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [live]);
  const until = call.endAt === undefined ? now : Date.parse(call.endAt);
  return <Duration seconds={Math.max(0, until - Date.parse(call.startAt)) / 1000} />;
}
