import { settingsOf } from '../driver.ts';
import { parleyByWords } from '../engines/parley.ts';
import type { Trace } from '../trace.ts';
import type { Measures } from './measures.ts';
import { type HeardReply, wasWhole } from './replies.ts';

/** Silence of both for longer than this, with nothing under way, is dead air where an answer is owed. */
const DEAD_AIR_MS = 4000;
const TOLERANCE_MS = 60;
/** A prompt sounds this long after its moment at the latest: noise is given up on late, and a voice takes time. */
const PROMPT_MS = 3000;

/** Prompts that came too early or not at all, and tools that ran twice. */
export function measureControl(trace: Trace, to: Measures): void {
  to.count('wrong idle', wrongIdle(trace));
  to.count('duplicate tools', duplicateTools(trace));
  to.count('missing idle', missingIdle(trace));
}

/** Silences in which an answer, or the rest of one, is owed. */
export function measureDeadAir(trace: Trace, replies: readonly HeardReply[], to: Measures): void {
  // The conversations written by hand say themselves what they expect; some expect silence.
  if (trace.script.class === 'goldens') return;
  const silent = trace.script.plan.voiceFailsOn !== undefined;
  to.count(silent ? 'dead air, no voice' : 'dead air', deadAir(trace) + brokenOff(trace, replies));
}

/** Replies that fell silent by themselves before their end, with nothing for a long while after. */
function brokenOff(trace: Trace, replies: readonly HeardReply[]): number {
  const { acts, sounds, end } = trace;
  return replies.filter((reply) => {
    if (wasWhole(reply) || endedWhole(reply, trace)) return false;
    if (acts.some(({ from, to }) => from < reply.to && to > reply.from)) return false;
    const next = [...sounds, ...acts]
      .filter(({ from }) => from >= reply.to)
      .map(({ from }) => from);
    return Math.min(end.at, ...next) - reply.to > DEAD_AIR_MS;
  }).length;
}

/** What sounded last is whole: a turn that went on has an answer of its own, and nothing is owed of the one before. */
function endedWhole({ sounds }: HeardReply, { utterances, generations }: Trace): boolean {
  const genOf = ({ uttId }: { readonly uttId: number }) => utterances.get(uttId)?.genId;
  const last = genOf(sounds.toSorted((a, b) => a.from - b.from).at(-1) as (typeof sounds)[number]);
  const plannedMs = generations.get(last ?? -1)?.totalMs;
  if (plannedMs === undefined) return false;
  const heardMs = sounds
    .filter((sound) => genOf(sound) === last)
    .reduce((sum, { from, to }) => sum + to - from, 0);
  return plannedMs - heardMs <= TOLERANCE_MS;
}

function wrongIdle(trace: Trace): number {
  const { idle } = settingsOf(trace.script, parleyByWords);
  const prompts = trace.sounds.filter(({ uttId }) =>
    idle.messages.includes(trace.utterances.get(uttId)?.text ?? ''),
  );
  return prompts.filter(({ from }) => {
    const before = Math.max(
      0,
      ...trace.sounds.filter((sound) => sound.to <= from && sound.from < from).map((s) => s.to),
      ...trace.acts.filter((act) => act.from < from).map((act) => Math.min(act.to, from)),
    );
    return from - before < idle.timeoutMs - TOLERANCE_MS;
  }).length;
}

/** Silences long enough for a prompt (or for the goodbye after the last one) in which none came. */
function missingIdle({ script, acts, sounds, commands, end }: Trace): number {
  const { idle } = settingsOf(script, parleyByWords);
  if (script.class === 'goldens' || script.plan.voiceFailsOn !== undefined) return 0;
  const working = commands.filter(({ type }) =>
    ['llm.start', 'llm.adopt', 'tool.invoke', 'tts.start', 'leg.dial'].includes(type),
  );
  // Who hears music waits for an operator.
  const music = commands.filter(({ type }) => type === 'hold.music');
  const held = music.flatMap(({ at }, i) =>
    i % 2 === 0 ? [{ from: at, to: music[i + 1]?.at ?? end.at }] : [],
  );
  const events = [...held, ...sounds, ...acts, ...working.map(({ at }) => ({ from: at, to: at }))];
  const spans = [...events].sort((a, b) => a.from - b.from);
  let missing = 0;
  let quietFrom = 0;
  for (const { from, to } of [...spans, { from: end.at, to: end.at }]) {
    if (from - quietFrom > idle.timeoutMs + PROMPT_MS) missing++;
    quietFrom = Math.max(quietFrom, to);
  }
  return missing;
}

function duplicateTools({ commands }: Trace): number {
  const seen = new Map<string, number>();
  let last = 0;
  let twice = 0;
  for (const command of commands) {
    if (command.type === 'llm.start' || command.type === 'llm.adopt') last = command.at;
    if (command.type !== 'tool.invoke') continue;
    const key = `${command.name} ${JSON.stringify(command.arguments)}`;
    const before = seen.get(key);
    // The same step asked again, or two of one step.
    if (before !== undefined && before >= last - 1000) twice++;
    seen.set(key, command.at);
  }
  return twice;
}

function deadAir({ acts, sounds, commands, end }: Trace): number {
  return acts.filter(({ act, to, broken }, i) => {
    // Who gave up is not waiting for the rest of an answer.
    if (act.kind !== 'turn' || act.unanswered || broken) return false;
    const until = Math.min(
      acts[i + 1]?.from ?? end.at,
      ...sounds.filter(({ from }) => from >= to).map(({ from }) => from),
    );
    const worked = commands.filter(
      ({ type, at }) =>
        at < until && ['llm.start', 'tool.invoke', 'tts.start', 'leg.dial'].includes(type),
    );
    const sounded = sounds.filter(({ from }) => from < until);
    const since = Math.max(to, ...worked.map(({ at }) => at), ...sounded.map((s) => s.to));
    return until - since > DEAD_AIR_MS;
  }).length;
}
