import { languageOf } from '../../../../src/engine/language/language.ts';
import { contentWords, wordsOf } from '../../../../src/engine/language/words.ts';
import { wordTimes } from '../mouth.ts';
import type { RealisedAct, Trace } from '../trace.ts';
import { labelsOf, type Measures } from './measures.ts';
import { type HeardReply, replyAt, unheardMs, wasWhole } from './replies.ts';

/** An assistant that sounds for longer than this into an interruption has missed it. */
const MISSED_MS = 2000;
/** No single overlap costs more. */
const PENALTY_MAX_MS = 6000;
/** A break of the sound shorter than this is none. */
const BREAK_MS = 50;

/** What sound over the assistant's speech did to it. */
export function measureOverlaps(trace: Trace, replies: readonly HeardReply[], to: Measures): void {
  for (const [i, act] of trace.acts.entries()) {
    const reply = replyAt(replies, act.from);
    switch (act.act.kind) {
      case 'interruption':
        if (reply) measureInterruption(trace, act, reply, to);
        break;
      case 'backchannel':
      case 'noise':
      case 'echo':
      case 'side-talk':
      case 'background':
        measureNoInterruption(trace, act, reply, trace.acts[i - 1], replies, to);
        break;
    }
  }
  if (trace.script.television) measureReplies(replies, to);
}

function measureInterruption(
  { script, journal }: Trace,
  act: RealisedAct,
  { to: end }: HeardReply,
  to: Measures,
): void {
  const stopMs = end - act.from;
  const labels = labelsOf(script);
  const mode = (script.settings.stopSpeaking?.numberOfWords ?? 0) > 0 ? 'words' : 'voice';
  // Peers are measured with their defaults, which count no words.
  if (mode === 'words' && !journal) return;
  to.count('interruptions', 1, labels);
  if (stopMs > MISSED_MS) to.count('missed barge-ins', 1, labels);
  to.sample('penalty', Math.min(stopMs, PENALTY_MAX_MS));
  to.sample(`stop, ${mode}`, stopMs, labels);
  to.sample(`stop from content, ${mode}`, end - act.from - contentFromMs(act, script.language));
}

/** Where in an act its first word with content begins. */
function contentFromMs({ act }: RealisedAct, language: string): number {
  const [part] = act.parts;
  if (!part) return 0;
  const timed = wordTimes(part.text, 0, part.ms);
  const index = timed.findIndex((_, i) => {
    const said = timed.slice(0, i + 1).map(({ text }) => text);
    return contentWords(said.join(' '), languageOf([language])).length > 0;
  });
  return timed[index]?.from ?? 0;
}

/** Whether the engine could know a backchannel from its lists. */
function listed({ act }: RealisedAct, language: string): readonly string[] {
  if (act.kind !== 'backchannel') return [];
  const words = act.parts.flatMap(({ text }) => wordsOf(text));
  return [
    languageOf([language]).backchannels.covers(words) ? 'in our lists' : 'in no list of ours',
  ];
}

function measureNoInterruption(
  trace: Trace,
  act: RealisedAct,
  reply: HeardReply | undefined,
  before: RealisedAct | undefined,
  replies: readonly HeardReply[],
  to: Measures,
): void {
  // Sound before the answer may lose it altogether.
  const meant = reply ?? replies.find(({ from, turn }) => turn !== undefined && from >= act.from);
  if (!reply && before === undefined) return;
  const labels = [...labelsOf(trace.script), ...listed(act, trace.script.language)];
  to.count('overlaps', 1, labels);
  if (!meant || !wasWhole(meant) || meant.from - act.to > 6000) {
    to.count('lost replies', 1, labels);
    to.sample('penalty', Math.min(meant ? unheardMs(meant) : PENALTY_MAX_MS, PENALTY_MAX_MS));
    return;
  }
  let heldMs = 0;
  for (const [i, { to: brokenAt }] of meant.sounds.entries()) {
    const next = meant.sounds[i + 1];
    if (!next || next.from - brokenAt < BREAK_MS || brokenAt < act.from) continue;
    to.count('holds', 1, labels);
    to.sample('resume gap', next.from - Math.max(brokenAt, act.to));
    heldMs = next.from - brokenAt;
    break;
  }
  to.sample('penalty', Math.min(heldMs, PENALTY_MAX_MS));
}

/** Beside a voice that never ends there is no single overlap: any reply may be lost to it. */
function measureReplies(replies: readonly HeardReply[], to: Measures): void {
  for (const reply of replies.filter(({ turn }) => turn !== undefined)) {
    to.count('overlaps');
    if (!wasWhole(reply)) to.count('lost replies');
  }
}
