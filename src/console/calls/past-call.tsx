import { useEffect, useMemo } from 'preact/hooks';
import type { Call } from '../../client/api.generated.ts';
import { useQuery } from '../router.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CallTabs } from './call-tabs.tsx';
import { CallTimeline } from './call-timeline.ts';
import { Player } from './player.ts';
import { PlayerCard } from './player-card.tsx';
import { Transcript } from './transcript.tsx';
import { useRecording } from './use-recording.ts';
import { useLines, useTimeline } from './use-timeline.ts';

interface PastCallProps {
  readonly call: Call;
  readonly assistantName: string | undefined;
  /** Called when a note was written or deleted. */
  readonly onChanged: () => void;
}

const NOTHING_YET = new CallTimeline();

/** A finished call: player, transcript and panels. */
export function PastCall({ call, assistantName, onChanged }: PastCallProps) {
  const player = useMemo(() => new Player(), [call.id]);
  useEffect(() => () => player.close(), [player]);
  const { data, error, reload } = useTimeline(call.id, true);
  const timeline = data ?? NOTHING_YET;
  const recording = useRecording(call.id, call.recording?.bytes);
  const lines = useLines(call, timeline);
  const [query, change] = useQuery();
  const durationMs = call.recording?.durationMs ?? timeline.durationMs;
  const nothing = data !== undefined && lines.length === 0;
  return (
    <>
      {error !== undefined && (
        <ErrorState title="The call’s log could not be loaded" error={error} onRetry={reload} />
      )}
      <PlayerCard
        player={player}
        timeline={timeline}
        recording={recording}
        durationMs={durationMs}
      />
      <div class="call-columns">
        <section class="section" aria-label="Transcript">
          {data === undefined && error === undefined && lines.length === 0 && (
            <Skeleton lines={6} />
          )}
          {nothing ? (
            <EmptyState icon="talk" title="No words were spoken">
              The call ended before either side said a word.
            </EmptyState>
          ) : (
            <Transcript lines={lines} player={player} seekable={durationMs > 0} />
          )}
        </section>
        <CallTabs
          call={call}
          assistantName={assistantName}
          timeline={timeline}
          player={player}
          onChanged={onChanged}
          value={query.get('tab') ?? 'happenings'}
          onChange={(tab) => change({ tab: tab === 'happenings' ? undefined : tab })}
        />
      </div>
    </>
  );
}
