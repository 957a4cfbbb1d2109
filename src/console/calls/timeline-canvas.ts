import { clockText } from '../ui/duration.tsx';
import type { CallTimeline } from './call-timeline.ts';
import type { Peaks } from './peaks.ts';
import { placeOf, type TimeView, ticksOf } from './time-view.ts';
import type { TimelineEventGroup } from './timeline-events.ts';

/** Data for drawing the timeline. */
export interface TimelineDrawing {
  readonly view: TimeView;
  readonly timeline: CallTimeline;
  /** Undefined while there is no audio. */
  readonly peaks: Peaks | undefined;
  readonly durationMs: number;
}

export interface TimelineColours {
  readonly user: string;
  readonly assistant: string;
  readonly rule: string;
  readonly soft: string;
  readonly ink: string;
  readonly bad: string;
  readonly warn: string;
}

interface Stage {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly colours: TimelineColours;
  readonly x: (atMs: number) => number;
}

const AXIS_PX = 22;
const MARKS_PX = 26;
const BAR_PX = 2;
const COLUMN_PX = 3;
/** Exponent that makes soft speech visible beside loud speech: between linear amplitude and perceived loudness. */
const LOUDNESS = 0.7;
const MARK_PX = 5;

/** Draws both voices as two lanes over one time axis, with the states behind them and the events below. */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  size: { readonly width: number; readonly height: number },
  drawing: TimelineDrawing,
  colours: TimelineColours,
): void {
  const { width, height } = size;
  const { view } = drawing;
  const stage = { context, width, colours, x: (atMs: number) => placeOf(view, atMs) * width };
  context.clearRect(0, 0, width, height);
  drawAxis(stage, drawing, height);
  const laneHeight = (height - AXIS_PX - MARKS_PX) / 2;
  for (const [i, voice] of (['user', 'assistant'] as const).entries()) {
    const lane = { top: AXIS_PX + i * laneHeight, height: laneHeight, voice };
    drawStates(stage, drawing, lane);
    drawVoice(stage, drawing, lane);
  }
  drawEvents(stage, drawing, height - MARKS_PX);
}

interface Lane {
  readonly top: number;
  readonly height: number;
  readonly voice: 'user' | 'assistant';
}

function drawAxis(
  { context, width, colours, x }: Stage,
  { view }: TimelineDrawing,
  height: number,
): void {
  context.font = '11px system-ui, sans-serif';
  context.textBaseline = 'middle';
  for (const at of ticksOf(view, width)) {
    const left = Math.round(x(at)) + 0.5;
    context.fillStyle = colours.rule;
    context.fillRect(left - 0.5, AXIS_PX - 5, 1, height - AXIS_PX - MARKS_PX + 5);
    context.fillStyle = colours.soft;
    const text = at % 1000 === 0 ? clockText(at / 1000) : `${(at / 1000).toFixed(1)} s`;
    if (left + 36 < width) context.fillText(text, left + 4, AXIS_PX / 2 - 2);
  }
}

/** Draws behind a voice when it has the floor and when the assistant is thinking. */
function drawStates(
  { context, width, colours, x }: Stage,
  { timeline, durationMs }: TimelineDrawing,
  lane: Lane,
): void {
  context.fillStyle = colours[lane.voice];
  for (const { state, fromMs, toMs = durationMs } of timeline.states[lane.voice]) {
    const from = Math.max(0, x(fromMs));
    const to = Math.min(width, x(toMs));
    if (to <= from) continue;
    if (state === 'speaking' || state === 'held' || state === 'yielding') {
      context.globalAlpha = 0.1;
      context.fillRect(from, lane.top + 3, to - from, lane.height - 6);
    } else if (state === 'thinking') {
      context.globalAlpha = 0.55;
      const middle = lane.top + lane.height / 2;
      for (let dot = from + 2; dot < to; dot += 6) context.fillRect(dot, middle - 1, 2, 2);
    }
  }
  context.globalAlpha = 1;
}

function drawVoice(
  { context, width, colours }: Stage,
  { view, peaks }: TimelineDrawing,
  lane: Lane,
): void {
  const middle = lane.top + lane.height / 2;
  const most = lane.height / 2 - 5;
  const msPerPx = (view.toMs - view.fromMs) / width;
  context.fillStyle = colours[lane.voice];
  for (let left = 0; left < width; left += COLUMN_PX) {
    const fromMs = view.fromMs + left * msPerPx;
    const loud = peaks?.loudest(lane.voice, fromMs, fromMs + COLUMN_PX * msPerPx) ?? 0;
    const half = loud ** LOUDNESS * most;
    if (half < 1) continue;
    context.fillRect(left, middle - half, BAR_PX, 2 * half);
  }
  context.globalAlpha = 0.4;
  context.fillRect(0, middle - 0.5, width, 1);
  context.globalAlpha = 1;
}

const MARKED: readonly TimelineEventGroup[] = ['transfer', 'control', 'fault', 'call'];

function drawEvents(stage: Stage, { timeline, view }: TimelineDrawing, top: number): void {
  const { context, width, colours, x } = stage;
  const middle = top + MARKS_PX / 2;
  for (const { atMs, doneMs = view.toMs, error } of timeline.tools) {
    const from = x(atMs);
    const to = Math.max(from + 6, x(doneMs));
    if (to < 0 || from > width) continue;
    context.fillStyle = error === undefined ? colours.soft : colours.bad;
    context.beginPath();
    context.roundRect(from, middle - 4, to - from, 8, 4);
    context.fill();
  }
  for (const { atMs, group, tone, title } of timeline.events) {
    const cut = title === 'Cut off';
    if (!cut && !MARKED.includes(group)) continue;
    if (atMs < view.fromMs || atMs > view.toMs) continue;
    const left = Math.min(Math.max(x(atMs), MARK_PX), width - MARK_PX);
    context.fillStyle = tone === 'bad' ? colours.bad : cut ? colours.warn : colours.ink;
    context.beginPath();
    context.moveTo(left, middle - 6);
    context.lineTo(left + MARK_PX, middle);
    context.lineTo(left, middle + 6);
    context.lineTo(left - MARK_PX, middle);
    context.fill();
  }
}

/** The theme's current colours. */
export function readColours(element: HTMLElement): TimelineColours {
  // A custom property returns its source text with the colours of both themes; a real property returns the one in
  // use.
  const probe = document.createElement('span');
  element.append(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    user: colour('--user'),
    assistant: colour('--assistant'),
    rule: colour('--rule'),
    soft: colour('--soft'),
    ink: colour('--ink'),
    bad: colour('--bad'),
    warn: colour('--warn'),
  };
  probe.remove();
  return colours;
}
