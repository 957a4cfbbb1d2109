import { useSignalEffect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { clockText } from '../ui/duration.tsx';
import { faultText } from '../ui/fault-text.ts';
import type { CallTimeline } from './call-timeline.ts';
import type { Player } from './player.ts';
import { showing, type TimeView, within, zoomed } from './time-view.ts';
import type { Recording } from './use-recording.ts';
import { Waveform } from './waveform.tsx';

interface PlayerCardProps {
  readonly player: Player;
  readonly timeline: CallTimeline;
  readonly recording: Recording;
  readonly durationMs: number;
}

const RATES: readonly number[] = [1, 1.5, 2, 0.75];

/** Player of a call with the waveform of both voices and the events below. */
export function PlayerCard({ player, timeline, recording, durationMs }: PlayerCardProps) {
  const whole = { fromMs: 0, toMs: Math.max(1, durationMs) };
  const [view, setView] = useState<TimeView>(whole);
  useEffect(() => setView(whole), [durationMs]);
  useEffect(() => {
    player.durationMs = durationMs;
    if (recording.address !== undefined) player.load(recording.address);
  }, [player, durationMs, recording.address]);
  useSignalEffect(() => {
    const position = player.positionMs.value;
    setView((old) => showing(old, position, durationMs));
  });
  const zoom = (factor: number): void =>
    setView((old) => zoomed(old, { factor, atMs: player.positionMs.value, durationMs }));
  const closeUp = view.toMs - view.fromMs < durationMs - 1;
  return (
    <section class="player" aria-label="Recording">
      <div class="player-bar">
        <PlayButton player={player} />
        <Position player={player} durationMs={durationMs} />
        <RecordingNote recording={recording} />
        <span class="player-view">
          {closeUp && (
            <>
              <Button
                kind="quiet"
                small
                aria-label="Earlier"
                onClick={() => setView(moved(view, -0.8, durationMs))}
              >
                ‹
              </Button>
              <Button
                kind="quiet"
                small
                aria-label="Later"
                onClick={() => setView(moved(view, 0.8, durationMs))}
              >
                ›
              </Button>
            </>
          )}
          <Button
            kind="quiet"
            small
            aria-label="Zoom out"
            disabled={!closeUp}
            onClick={() => zoom(0.5)}
          >
            −
          </Button>
          <Button kind="quiet" small aria-label="Zoom in" onClick={() => zoom(2)}>
            +
          </Button>
          <Rate player={player} />
        </span>
      </div>
      <Waveform
        player={player}
        view={view}
        timeline={timeline}
        peaks={recording.peaks}
        durationMs={durationMs}
        version={`${recording.state} ${recording.progress} ${timeline.seq}`}
      />
    </section>
  );
}

function moved({ fromMs, toMs }: TimeView, share: number, durationMs: number): TimeView {
  const by = (toMs - fromMs) * share;
  return within({ fromMs: fromMs + by, toMs: toMs + by }, durationMs);
}

function PlayButton({ player }: { readonly player: Player }) {
  const playing = player.playing.value;
  return (
    <Button
      id="play"
      kind="primary"
      icon={playing ? 'pause' : 'play'}
      aria-label={playing ? 'Pause' : 'Play'}
      disabled={!player.ready.value}
      onClick={() => player.toggle()}
    />
  );
}

function Position({
  player,
  durationMs,
}: {
  readonly player: Player;
  readonly durationMs: number;
}) {
  return (
    <span id="position" class="player-position numeric">
      {clockText(player.positionMs.value / 1000)}{' '}
      <span class="soft">/ {clockText(durationMs / 1000)}</span>
    </span>
  );
}

function Rate({ player }: { readonly player: Player }) {
  const rate = player.rate.value;
  const next = RATES[(RATES.indexOf(rate) + 1) % RATES.length] ?? 1;
  return (
    <Button
      kind="quiet"
      small
      disabled={!player.ready.value}
      aria-label={`Speed ${rate}×, change to ${next}×`}
      onClick={() => player.setRate(next)}
    >
      {rate}×
    </Button>
  );
}

function RecordingNote({ recording }: { readonly recording: Recording }) {
  const { state, progress, error } = recording;
  return (
    <span class="player-note soft" role="status">
      {state === 'none' && 'Not recorded'}
      {state === 'loading' && `Loading the recording, ${Math.round(progress * 100)} %`}
      {state === 'failed' && `The recording could not be loaded. ${faultText(error)}`}
    </span>
  );
}
