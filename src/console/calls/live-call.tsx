import './live-call.css';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Call } from '../../client/api.generated.ts';
import { useQuery } from '../router.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { clockText } from '../ui/duration.tsx';
import { faultText } from '../ui/fault-text.ts';
import { useAction } from '../use-action.ts';
import { CallTabs } from './call-tabs.tsx';
import { ListenIn } from './listen-in.ts';
import { LiveFeed } from './live-feed.ts';
import { Player } from './player.ts';
import { SupervisePanel } from './supervise-panel.tsx';
import { Transcript } from './transcript.tsx';
import { useLines } from './use-timeline.ts';
import { Waveform } from './waveform.tsx';

interface LiveCallProps {
  readonly call: Call;
  readonly assistantName: string | undefined;
  /** The call has ended, so its record has changed. */
  readonly onEnded: () => void;
}

/** Length of the timeline shown. */
const WINDOW_MS = 30_000;

/** A live call: transcript, listening in, and controls. */
export function LiveCall({ call, assistantName, onEnded }: LiveCallProps) {
  const client = useClient();
  const feed = useMemo(() => new LiveFeed(client, call.id), [client, call.id]);
  const listening = useMemo(() => new ListenIn(feed), [feed]);
  // A live call cannot be played back, but the panels need a player for their positions.
  const player = useMemo(() => new Player(), [call.id]);
  const [query, change] = useQuery();
  useEffect(
    () => () => {
      void listening.stop();
      feed.close();
      player.close();
    },
    [feed, listening, player],
  );
  const ended = feed.state.value === 'ended';
  useEffect(() => {
    if (ended) onEnded();
  }, [ended]);
  const version = feed.version.value;
  const lines = useLines(call, feed.timeline);
  return (
    <>
      <LiveWaveform feed={feed} listening={listening} version={version} />
      <div class="call-columns">
        <LiveTranscript version={`${lines.length} ${lines.at(-1)?.text.length}`}>
          {lines.length === 0 ? (
            <p class="help">No words yet.</p>
          ) : (
            <Transcript lines={lines} player={player} seekable={false} />
          )}
        </LiveTranscript>
        <div class="call-side">
          <SupervisePanel
            call={call}
            muted={feed.timeline.muted}
            onSpeaking={(speaking) => {
              if (speaking) void listening.stop();
            }}
          />
          <CallTabs
            call={call}
            assistantName={assistantName}
            timeline={feed.timeline}
            player={player}
            value={query.get('tab') ?? 'happenings'}
            onChange={(tab) => change({ tab: tab === 'happenings' ? undefined : tab })}
          />
        </div>
      </div>
    </>
  );
}

interface LiveWaveformProps {
  readonly feed: LiveFeed;
  readonly listening: ListenIn;
  readonly version: number;
}

const FEED_WORDS = {
  connecting: 'Connecting …',
  live: '',
  polling: 'No live connection. Events come from the log, without audio. Reconnecting.',
  ended: 'The call has ended.',
} as const;

function LiveWaveform({ feed, listening, version }: LiveWaveformProps) {
  const { timeline, peaks } = feed;
  const state = feed.state.value;
  const nowMs = Math.max(peaks?.toMs ?? 0, timeline.durationMs);
  const toMs = Math.max(WINDOW_MS, nowMs);
  const on = listening.on.value;
  const toggle = useAction(() => (on ? listening.stop() : listening.start()));
  return (
    <section class="player" aria-label="Live audio">
      <div class="player-bar">
        <Button
          id="listen"
          kind={on ? 'secondary' : 'primary'}
          icon={on ? 'pause' : 'ear'}
          aria-pressed={on}
          disabled={state !== 'live' && !on}
          onClick={() => void toggle.run()}
        >
          {on ? 'Stop listening' : 'Listen in'}
        </Button>
        <span class="numeric player-position">{clockText(timeline.durationMs / 1000)}</span>
        <States feed={feed} />
        <span class="player-note soft" role="status">
          {toggle.error === undefined ? FEED_WORDS[state] : faultText(toggle.error)}
        </span>
      </div>
      <Waveform
        view={{ fromMs: toMs - WINDOW_MS, toMs }}
        timeline={timeline}
        peaks={peaks}
        durationMs={nowMs}
        version={version}
      />
    </section>
  );
}

function States({ feed: { timeline } }: { readonly feed: LiveFeed }) {
  const user = timeline.states.user.at(-1)?.state ?? 'silent';
  const assistant = timeline.states.assistant.at(-1)?.state ?? 'idle';
  return (
    <span class="live-states">
      <Badge tone={user === 'speaking' ? 'warn' : 'neutral'}>Caller {user}</Badge>
      <Badge tone={assistant === 'speaking' ? 'info' : 'neutral'}>Assistant {assistant}</Badge>
    </span>
  );
}

/** Stays scrolled to the newest line unless the reader has scrolled up. */
function LiveTranscript(props: {
  readonly version: string;
  readonly children: preact.ComponentChildren;
}) {
  const box = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [props.version]);
  return (
    <section
      ref={box}
      class="live-transcript"
      role="log"
      aria-label="Live transcript"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 48;
      }}
    >
      {props.children}
    </section>
  );
}
