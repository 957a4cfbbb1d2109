import { useState } from 'preact/hooks';
import { clockText } from '../ui/duration.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import type { Player } from './player.ts';
import type { TimelineEvent, TimelineEventGroup } from './timeline-events.ts';

interface MomentsPanelProps {
  readonly moments: readonly TimelineEvent[];
  readonly player: Player;
  /** The call is live. */
  readonly live: boolean;
}

const GROUPS: Readonly<Record<TimelineEventGroup, string>> = {
  call: 'Call',
  turn: 'Turns',
  tool: 'Tools',
  transfer: 'Transfers',
  control: 'Control',
  fault: 'Faults',
};
const ALL = Object.keys(GROUPS) as readonly TimelineEventGroup[];

/** The timeline events in order; a click moves the player to one. */
export function MomentsPanel({ moments, player, live }: MomentsPanelProps) {
  const [hidden, setHidden] = useState<readonly TimelineEventGroup[]>([]);
  const present = ALL.filter((group) => moments.some((moment) => moment.group === group));
  const shown = moments.filter(({ group }) => !hidden.includes(group));
  if (moments.length === 0) {
    return (
      <p class="help">
        {live ? 'Nothing has happened yet.' : 'The log of this call is still being written.'}
      </p>
    );
  }
  return (
    <div class="stack">
      {present.length > 1 && (
        <fieldset class="moments-groups">
          <legend class="visually-hidden">What is shown</legend>
          {present.map((group) => (
            <Checkbox
              key={group}
              label={GROUPS[group]}
              checked={!hidden.includes(group)}
              onChange={(on) =>
                setHidden(on ? hidden.filter((each) => each !== group) : [...hidden, group])
              }
            />
          ))}
        </fieldset>
      )}
      <ol class="moments" aria-label="What happened">
        {shown.map((moment) => (
          <li key={moment.seq} class="moment" data-group={moment.group} data-tone={moment.tone}>
            <button
              type="button"
              class="moment-time numeric"
              aria-label={`Go to ${preciseClock(moment.atMs)}, ${moment.title}`}
              onClick={() => player.seek(moment.atMs)}
            >
              {preciseClock(moment.atMs)}
            </button>
            <div class="moment-text">
              <span>{moment.title}</span>
              {moment.detail !== undefined && <span class="moment-detail">{moment.detail}</span>}
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Formats a time as 0:09.4. */
function preciseClock(ms: number): string {
  return `${clockText(ms / 1000)}.${Math.floor(ms / 100) % 10}`;
}
