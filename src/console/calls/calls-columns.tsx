import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CallSummary } from '../../client/api.generated.ts';
import { Badge } from '../ui/badge.tsx';
import type { Column } from '../ui/data-table.tsx';
import { Duration } from '../ui/duration.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
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

const COST: Column<CallSummary> = {
  title: 'Cost',
  end: true,
  cell: ({ cost }) => (cost ? moneyText(cost.total, cost.currency) : NOTHING),
};

/** Columns of the call list; cost is included if prices are known. */
export function callColumns(
  assistantName: (id: string | undefined) => string | undefined,
  priced: boolean,
): readonly [Column<CallSummary>, ...Column<CallSummary>[]] {
  return [
    {
      title: 'Caller',
      cell: (call) => (
        <span class="calls-who">
          {callerName(call)} <span class="calls-channel">{channelName(call)}</span>
        </span>
      ),
    },
    {
      title: 'Assistant',
      cell: ({ assistantId }) => assistantName(assistantId) ?? NOTHING,
    },
    { title: 'State', cell: (call) => <CallState call={call} /> },
    { title: 'Began', cell: ({ startAt }) => <RelativeTime at={startAt} /> },
    { title: 'Length', end: true, cell: (call) => <CallLength call={call} /> },
    { title: 'Time to answer', end: true, cell: (call) => answerTime(medianAnswerMs(call)) },
    ...(priced ? [COST] : []),
  ];
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
