import { useState } from 'preact/hooks';
import { clockText } from '../ui/duration.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import type { Player } from './player.ts';
import type { TimelineEvent, TimelineEventGroup } from './timeline-events.ts';

interface EventsPanelProps {
  readonly events: readonly TimelineEvent[];
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
export function EventsPanel({ events, player, live }: EventsPanelProps) {
  const [hidden, setHidden] = useState<readonly TimelineEventGroup[]>([]);
  const present = ALL.filter((group) => events.some((event) => event.group === group));
  const shown = events.filter(({ group }) => !hidden.includes(group));
  if (events.length === 0) {
    return (
      <p class="help">
        {live ? 'Nothing has happened yet.' : 'The event log of this call is still being written.'}
      </p>
    );
  }
  return (
    <div class="stack">
      {present.length > 1 && (
        <fieldset class="moments-groups">
          <legend class="visually-hidden">Events shown</legend>
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
      <ol class="moments" aria-label="Events">
        {shown.map((event) => (
          <li key={event.seq} class="moment" data-group={event.group} data-tone={event.tone}>
            <button
              type="button"
              class="moment-time numeric"
              aria-label={`Go to ${preciseClock(event.atMs)}, ${event.title}`}
              onClick={() => player.seek(event.atMs)}
            >
              {preciseClock(event.atMs)}
            </button>
            <div class="moment-text">
              <span>{event.title}</span>
              {event.detail !== undefined && <span class="moment-detail">{event.detail}</span>}
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
