import type { Call } from '../../client/api.generated.ts';
import { lazyPart } from '../lazy-page.tsx';
import { may } from '../session.ts';
import { Tabs } from '../ui/tabs.tsx';
import { AnalysisPanel } from './analysis-panel.tsx';
import { CallDetails } from './call-header.tsx';
import { isLive } from './call-names.ts';
import type { CallTimeline } from './call-timeline.ts';
import { EventsPanel } from './events-panel.tsx';
import { NotesPanel } from './notes-panel.tsx';
import type { Player } from './player.ts';
import { ToolsPanel } from './tools-panel.tsx';
import { TurnsPanel } from './turns-panel.tsx';

// They are seldom opened.
const DeliveriesPanel = lazyPart(
  async () => (await import('./deliveries-panel.tsx')).DeliveriesPanel,
);
const WhatIfPanel = lazyPart(async () => (await import('./what-if-panel.tsx')).WhatIfPanel);

interface CallTabsProps {
  readonly call: Call;
  readonly assistantName: string | undefined;
  readonly timeline: CallTimeline;
  readonly player: Player;
  /** Called when a note was written or deleted; absent: notes are for ended calls. */
  readonly onChanged?: () => void;
  readonly value: string;
  readonly onChange: (tab: string) => void;
}

const NAMES = [
  'happenings',
  'notes',
  'times',
  'tools',
  'analysis',
  'deliveries',
  'what-if',
  'details',
];

/** The panels below the transcript. */
export function CallTabs({
  call,
  assistantName,
  timeline,
  player,
  onChanged,
  value,
  onChange,
}: CallTabsProps) {
  const turns =
    timeline.turns.length > 0 ? timeline.turns : call.metrics.map((metrics) => ({ metrics }));
  const uses = timeline.tools.length;
  return (
    <Tabs
      label="Call details"
      value={NAMES.includes(value) ? value : 'happenings'}
      onChange={onChange}
      items={[
        {
          value: 'happenings',
          label: 'Events',
          content: () => (
            <EventsPanel events={timeline.events} player={player} live={isLive(call)} />
          ),
        },
        {
          value: 'times',
          label: 'Latency',
          content: () => <TurnsPanel turns={turns} player={player} />,
        },
        {
          value: 'tools',
          label: uses > 0 ? `Tools (${uses})` : 'Tools',
          content: () => <ToolsPanel tools={timeline.tools} player={player} />,
        },
        ...(onChanged
          ? [
              {
                value: 'notes',
                label: call.notes ? `Notes (${call.notes.length})` : 'Notes',
                content: () => <NotesPanel call={call} onChanged={onChanged} />,
              },
            ]
          : []),
        { value: 'analysis', label: 'Analysis', content: () => <AnalysisPanel call={call} /> },
        {
          value: 'deliveries',
          label: 'Deliveries',
          content: () => <DeliveriesPanel callId={call.id} />,
        },
        ...(may('builder') && !isLive(call)
          ? [
              {
                value: 'what-if',
                label: 'What if…',
                content: () => <WhatIfPanel call={call} tools={timeline.tools} />,
              },
            ]
          : []),
        {
          value: 'details',
          label: 'Details',
          content: () => <CallDetails call={call} assistantName={assistantName} />,
        },
      ]}
    />
  );
}
