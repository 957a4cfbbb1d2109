import type { RealisedAct, Trace } from '../trace.ts';
import { labelsOf, type Measures } from './measures.ts';
import { deserves, type HeardReply } from './replies.ts';

/** A turn not answered by then is a missed one. */
const MISSED_MS = 6000;
const LEAST_PAUSE_MS = 100;

/** When the caller's turns were taken as over, and when they were answered. */
export function measureFloor(trace: Trace, replies: readonly HeardReply[], to: Measures): void {
  const acts = trace.acts.filter(deserves);
  const commits = commitsOf(trace);
  for (const [i, act] of acts.entries()) {
    // A greeting is answered by any line of the assistant's.
    const answers = replies.filter(({ turn }) => act.act.greeting || turn !== undefined);
    const inside = answers.find(({ from }) => from > act.from && from < (act.ended ?? act.to));
    if (act.act.kind === 'turn') measurePauses(trace, act, commits, inside, to);
    measureGap(trace, act, acts[i + 1], inside, answers, to);
    if (act.act.kind === 'turn' && !inside) {
      measureDecision(act, acts[i + 1]?.from ?? trace.end.at, commits, to);
    }
    measureDoubles(trace, act, answers, to);
  }
}

/** The instants at which the engine took a turn as over. */
const commitsOf = (trace: Trace) =>
  trace.commands
    .filter((c) => (c.type === 'llm.start' && !c.speculative) || c.type === 'llm.adopt')
    .map(({ at }) => at);

function measurePauses(
  { script }: Trace,
  act: RealisedAct,
  commits: readonly number[],
  inside: HeardReply | undefined,
  to: Measures,
): void {
  const pauses = act.pauses.filter((pause) => pause.to - pause.from >= LEAST_PAUSE_MS);
  const silent = pauses.filter((pause) => commits.some((at) => at > pause.from && at < pause.to));
  const labels = labelsOf(script);
  to.count('pauses', pauses.length, labels);
  to.count('cut-ins', inside ? 1 : 0, labels);
  to.count('cut-offs', Math.max(silent.length, inside ? 1 : 0), labels);
  to.count('silent cut-ins', silent.length - (inside && silent.length > 0 ? 1 : 0), labels);
  if (inside) to.sample('spoken over', overlapMs(inside, act));
}

/** From the true end to the decision that it is one; who speaks again first had to wait that long at least. */
function measureDecision(
  { to: end }: RealisedAct,
  until: number,
  commits: readonly number[],
  to: Measures,
): void {
  const at = commits.find((commit) => commit >= end) ?? until;
  to.sample('decision', Math.min(at, until) - end);
}

/** How long both spoke. */
function overlapMs({ from, to }: HeardReply, act: RealisedAct): number {
  return Math.max(0, Math.min(to, act.to) - from);
}

function measureGap(
  trace: Trace,
  act: RealisedAct,
  next: RealisedAct | undefined,
  inside: HeardReply | undefined,
  answers: readonly HeardReply[],
  to: Measures,
): void {
  const end = act.to;
  const until = next?.from ?? Number.POSITIVE_INFINITY;
  const after = answers.find(({ from }) => from >= end && from < until);
  // Who speaks again before anyone could have answered asks for one answer to both.
  if (!after && until - end < MISSED_MS) return;
  const labels = labelsOf(trace.script);
  const gap = Math.min(MISSED_MS, (after?.from ?? Number.POSITIVE_INFINITY) - end);
  const isTurn = act.act.kind === 'turn';
  to.count('turns', 1, labels);
  if (inside) {
    // What sounds into a turn answers half of it: only an answer after its end counts.
    if (isTurn) to.sample('gap with cut turns', gap);
    return;
  }
  if (gap >= MISSED_MS) to.count('missed turns', 1, labels);
  if (!isTurn) return;
  to.sample('gap with cut turns', gap);
  if (!after) return;
  to.sample('gap', after.from - end, labels);
  const vendors = vendorMs(trace, after);
  if (vendors !== undefined) to.sample('engine wait', after.from - end - act.tailMs - vendors);
}

/** Two answers to one turn. An answer to what was no turn is a reply lost, and counted as that. */
function measureDoubles(
  { acts }: Trace,
  act: RealisedAct,
  answers: readonly HeardReply[],
  to: Measures,
): void {
  const until = acts.find(({ from }) => from > act.from)?.from ?? Number.POSITIVE_INFINITY;
  const after = answers.filter(
    ({ from, turn }) => turn !== undefined && from >= act.to && from < until,
  );
  if (new Set(after.map(({ turn }) => turn)).size > 1) to.count('double responses');
}

/** What model and voice alone took of an answer. */
function vendorMs(trace: Trace, { sounds }: HeardReply): number | undefined {
  const utterance = trace.utterances.get(sounds[0]?.uttId ?? -1);
  const generation = trace.generations.get(utterance?.genId ?? -1);
  return utterance && generation && utterance.firstMs + generation.firstMs;
}
