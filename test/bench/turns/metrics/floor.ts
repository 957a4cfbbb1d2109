import type { RealisedAct, Trace } from '../trace.ts';
import type { Measures } from './measures.ts';
import { deserves, type HeardReply } from './replies.ts';

/** A turn not answered by then is a missed one. */
const MISSED_MS = 6000;
const LEAST_PAUSE_MS = 100;

/** When the caller's turns were taken as over, and when they were answered. */
export function measureFloor(trace: Trace, replies: readonly HeardReply[], to: Measures): void {
  const answers = replies.filter(({ turn }) => turn !== undefined);
  const acts = trace.acts.filter(deserves);
  const commits = commitsOf(trace);
  for (const [i, act] of acts.entries()) {
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
  for (const kind of ['all', script.class]) {
    to.count(`pauses/${kind}`, pauses.length);
    if (inside) to.count(`cut-ins/${kind}`);
    to.count(`cut-offs/${kind}`, Math.max(silent.length, inside ? 1 : 0));
    to.count(`silent cut-ins/${kind}`, silent.length - (inside && silent.length > 0 ? 1 : 0));
  }
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
  const after = answers.filter(({ from }) => from >= end && from < until);
  // Who speaks again before anyone could have answered asks for one answer to both.
  if (!after[0] && until - end < MISSED_MS) return;
  const about = missedAs(trace);
  to.count('turns');
  to.count(`turns/${about}`);
  if (inside) return;
  const gap = (after[0]?.from ?? Number.POSITIVE_INFINITY) - end;
  if (gap > MISSED_MS) {
    to.count('missed turns');
    to.count(`missed turns/${about}`);
    to.count(`missed turns/${trace.script.class}/${trace.script.sort}`);
  }
  if (!after[0] || act.act.kind !== 'turn') return;
  const kind = kindOf(trace);
  to.sample(`gap/${kind}`, gap);
  const vendors = vendorMs(trace, after[0]);
  if (vendors !== undefined && kind === 'plain')
    to.sample('engine wait', gap - act.tailMs - vendors);
}

// What says itself what it expects, and replies that no voice can speak, are not judged with the rest.
function missedAs({ script, ...trace }: Trace): string {
  if (script.class === 'goldens') return 'golden';
  return script.plan.voiceFailsOn === undefined ? kindOf({ script, ...trace }) : 'no voice';
}

function kindOf({ script }: Trace): 'plain' | 'tool' | 'odd recogniser' {
  if (script.class === 'recogniser' || script.class === 'goldens') return 'odd recogniser';
  return script.plan.replies.some(({ calls }) => calls) ? 'tool' : 'plain';
}

/** Two answers to one turn. An answer to what was no turn is a reply lost, and counted as that. */
function measureDoubles(
  { acts }: Trace,
  act: RealisedAct,
  answers: readonly HeardReply[],
  to: Measures,
): void {
  const until = acts.find(({ from }) => from > act.from)?.from ?? Number.POSITIVE_INFINITY;
  const after = answers.filter(({ from }) => from >= act.to && from < until);
  if (new Set(after.map(({ turn }) => turn)).size > 1) to.count('double responses');
}

/** What model and voice alone took of an answer. */
function vendorMs(trace: Trace, { sounds }: HeardReply): number | undefined {
  const utterance = trace.utterances.get(sounds[0]?.uttId ?? -1);
  const generation = trace.generations.get(utterance?.genId ?? -1);
  return utterance && generation && utterance.firstMs + generation.firstMs;
}
