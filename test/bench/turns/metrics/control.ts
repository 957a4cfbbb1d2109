import { settingsOf } from '../driver.ts';
import { parley } from '../engines/parley.ts';
import type { Trace } from '../trace.ts';
import type { Measures } from './measures.ts';

/** Silence of both for longer than this, with nothing under way, is dead air where an answer is owed. */
const DEAD_AIR_MS = 4000;
const TOLERANCE_MS = 60;

/** Prompts that came too early or not at all, tools that ran twice, and calls in which nobody spoke. */
export function measureControl(trace: Trace, to: Measures): void {
  to.count('wrong idle', wrongIdle(trace));
  to.count('duplicate tools', duplicateTools(trace));
  to.count('dead air', deadAir(trace));
}

function wrongIdle(trace: Trace): number {
  const { idle } = settingsOf(trace.script, parley);
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
  return acts.filter(({ act, to }, i) => {
    if (act.kind !== 'turn' || act.unanswered) return false;
    const until = Math.min(
      acts[i + 1]?.from ?? end.at,
      ...sounds.filter(({ from }) => from >= to).map(({ from }) => from),
    );
    const worked = commands.filter(
      ({ type, at }) =>
        at >= to &&
        at < until &&
        ['llm.start', 'tool.invoke', 'tts.start', 'leg.dial'].includes(type),
    );
    const since = Math.max(to, ...worked.map(({ at }) => at));
    return until - since > DEAD_AIR_MS;
  }).length;
}
