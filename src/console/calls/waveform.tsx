import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { theme } from '../theme.ts';
import { clockText } from '../ui/duration.tsx';
import type { Player } from './player.ts';
import { instantAt, placeOf } from './time-view.ts';
import {
  drawTimeline,
  readColours,
  type TimelineColours,
  type TimelineDrawing,
} from './timeline-canvas.ts';

interface WaveformProps extends TimelineDrawing {
  /** Holds the current position; undefined for a live call. */
  readonly player?: Player;
  /** Changes whenever there is more to draw. */
  readonly version: unknown;
}

const STEP_MS = 1000;
const LEAP_MS = 10_000;

/** The waveform of a call; click it or use the arrow keys to move the position. */
export function Waveform(props: WaveformProps) {
  const { player, view, durationMs, version } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const colours = useRef<TimelineColours | null>(null);
  const latest = useRef(props);
  latest.current = props;

  const draw = (): void => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const { clientWidth: width, clientHeight: height } = element;
    const scale = devicePixelRatio;
    if (element.width !== Math.round(width * scale)) element.width = Math.round(width * scale);
    if (element.height !== Math.round(height * scale)) element.height = Math.round(height * scale);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    colours.current ??= readColours(element.parentElement ?? document.body);
    drawTimeline(context, { width, height }, latest.current, colours.current);
  };
  const placeHead = (): void => {
    const place = placeOf(latest.current.view, player?.positionMs.value ?? -1);
    if (!head.current) return;
    head.current.hidden = place < 0 || place > 1;
    head.current.style.insetInlineStart = `${place * 100}%`;
  };

  useLayoutEffect(draw, [view.fromMs, view.toMs, version, durationMs]);
  useLayoutEffect(placeHead, [view.fromMs, view.toMs]);
  useSignalEffect(placeHead);
  useEffect(() => onThemeOrSize(canvas.current, colours, draw), []);

  const seekTo = ({ clientX }: PointerEvent): void => {
    const box = canvas.current?.getBoundingClientRect();
    if (box) player?.seek(instantAt(latest.current.view, (clientX - box.left) / box.width));
  };
  return (
    <div class="call-score">
      <canvas ref={canvas} class="call-score-canvas" />
      <span class="call-score-voice" data-voice="user" aria-hidden="true">
        Caller
      </span>
      <span class="call-score-voice" data-voice="assistant" aria-hidden="true">
        Assistant
      </span>
      {player && (
        <>
          <div ref={head} class="call-score-head" />
          <Scrubber player={player} durationMs={durationMs} onPoint={seekTo} />
        </>
      )}
    </div>
  );
}

interface ScrubberProps {
  readonly player: Player;
  readonly durationMs: number;
  readonly onPoint: (event: PointerEvent) => void;
}

/** A slider over the whole waveform, for clicking and dragging. */
function Scrubber({ player, durationMs, onPoint }: ScrubberProps) {
  const position = player.positionMs.value;
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => player.seek(position + STEP_MS),
    ArrowUp: () => player.seek(position + STEP_MS),
    ArrowLeft: () => player.seek(position - STEP_MS),
    ArrowDown: () => player.seek(position - STEP_MS),
    PageUp: () => player.seek(position + LEAP_MS),
    PageDown: () => player.seek(position - LEAP_MS),
    Home: () => player.seek(0),
    End: () => player.seek(durationMs),
    ' ': () => player.toggle(),
  };
  return (
    <div
      class="call-score-scrubber"
      role="slider"
      tabIndex={0}
      aria-label="Position in the call"
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={Math.round(position / 1000)}
      aria-valuetext={`${clockText(position / 1000)} of ${clockText(durationMs / 1000)}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        onPoint(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onPoint(event);
      }}
      onKeyDown={(event) => {
        const act = keys[event.key];
        if (!act) return;
        event.preventDefault();
        act();
      }}
    />
  );
}

/** Redraws when the theme or the size changes; colours are read again. */
function onThemeOrSize(
  canvas: HTMLCanvasElement | null,
  colours: { current: TimelineColours | null },
  draw: () => void,
): () => void {
  const again = (): void => {
    colours.current = null;
    draw();
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', again);
  // The theme's own effect must first apply it to the page.
  const unsubscribe = theme.subscribe(() => queueMicrotask(again));
  const observer = new ResizeObserver(draw);
  if (canvas) observer.observe(canvas);
  return () => {
    dark.removeEventListener('change', again);
    unsubscribe();
    observer.disconnect();
  };
}
