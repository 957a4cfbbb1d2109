import type { CallFigures, Certainty, Comparison, Turn } from '../../contract/what-if.ts';
import type { JournalLine } from '../../ports/journal.ts';
import { readAnswers } from './recorded-answers.ts';
import type { ChangedCall } from './replay-changed.ts';
import { turnsOf } from './turns.ts';

const CHARACTERS_PER_TOKEN = 4;
/** How far the same words are looked for. */
const LOOK_AHEAD = 3;

/** Compares a recorded call with what would have happened. */
export function compareCalls(recorded: readonly JournalLine[], changed: ChangedCall): Comparison {
  const before = readCall(recorded);
  const after = readCall(changed.journal, changed.cutInsAt);
  const { callId, recordedVersion, replayedVersion, divergence = null } = changed;
  const turns = paired(before.turns, after.turns).map(([was, is]): Comparison['turns'][number] => ({
    certainty: certaintyOf(is ?? (was as Turn), after, changed),
    ...(was ? { recorded: was } : {}),
    ...(is ? { replayed: is } : {}),
  }));
  return {
    callId,
    recordedVersion,
    replayedVersion,
    divergence,
    turns,
    recorded: before.figures,
    replayed: after.figures,
    notReplayed: [],
    notes: notesOf(changed),
  };
}

function notesOf({
  recordedVersion,
  replayedVersion,
  divergence,
  unfinished,
}: ChangedCall): string[] {
  return [
    ...(divergence && recordedVersion !== replayedVersion
      ? [
          `Engine ${recordedVersion} recorded the call and engine ${replayedVersion} replayed it: differences may come from the engine.`,
        ]
      : []),
    ...(unfinished ? ['The replayed call had not ended ten minutes after the recorded one.'] : []),
  ];
}

type ReadCall = ReturnType<typeof readCall>;

function readCall(lines: readonly JournalLine[], cutInsAt: ReadonlySet<number> = new Set()) {
  const answers = readAnswers(lines);
  const turns = turnsOf(lines, answers, cutInsAt);
  const gaps = gapsOf(turns);
  const tools = turns.flatMap((turn) => turn.tools);
  const finish = lines.findLast(({ type }) => type === 'finish');
  const generations = [...answers.generations.values()];
  const characters = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + text.length, 0);
  const figures: CallFigures = {
    turns: turns.filter(({ user }) => user !== '').length,
    gapP50Ms: quantile(gaps, 0.5),
    gapP95Ms: quantile(gaps, 0.95),
    cutIns: turns.filter(({ cutIn }) => cutIn).length,
    repliesLost: turns.filter(({ lost }) => lost).length,
    tools: tools.length,
    toolsFailed: tools.filter(({ outcome }) => outcome === 'error').length,
    durationMs: finish?.at ?? lines.at(-1)?.at ?? 0,
    endReason: finish ? String(finish.data.endReason) : null,
    modelRequests: generations.length,
    inputTokens: tokens(
      generations.reduce(
        (sum, { messages }) => sum + characters(messages.map(({ content }) => content)),
        0,
      ),
    ),
    outputTokens: tokens(
      characters(
        generations.flatMap(({ parts }) =>
          parts.map((part) =>
            part.type === 'text' ? part.text : part.type === 'tool-call' ? part.arguments : '',
          ),
        ),
      ),
    ),
    spokenCharacters: characters([...answers.utterances.values()].map(({ text }) => text)),
  };
  return { answers, turns, figures };
}

/** Times to answer of some turns, ms. */
export const gapsOf = (turns: readonly Turn[]): readonly number[] =>
  turns.flatMap(({ answerMs }) => answerMs ?? []);

/** Null of nothing. */
export function quantile(values: readonly number[], q: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? null;
}

const tokens = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);

function certaintyOf(
  { fromMs, toMs }: Turn,
  { answers }: ReadCall,
  changed: ChangedCall,
): Certainty {
  const { divergence, sources, unknownTools } = changed;
  if (!divergence || toMs <= divergence.atMs) return 'exact';
  const isWithin = ({ at }: { readonly at: number }) => at >= fromMs && at < toMs;
  const standsIn = [...answers.generations.values()].some(
    (each) => isWithin(each) && !each.speculative && sources.get(each.genId) === 'stand-in',
  );
  const unanswered = [...answers.tools.values()].some(
    (each) => isWithin(each) && unknownTools.has(each.toolCallId),
  );
  return standsIn || unanswered ? 'unknown' : 'simulated';
}

/** Turns with the same words beside each other, in order. */
function paired(
  before: readonly Turn[],
  after: readonly Turn[],
): readonly (readonly [Turn | undefined, Turn | undefined])[] {
  const pairs: [Turn | undefined, Turn | undefined][] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [was, is] = [before[i], after[j]];
    if (!was || !is || was.user === is.user) {
      pairs.push([was, is]);
      i++;
      j++;
      continue;
    }
    const missing = before.slice(i, i + LOOK_AHEAD).findIndex(({ user }) => user === is.user);
    const added = after.slice(j, j + LOOK_AHEAD).findIndex(({ user }) => user === was.user);
    if (missing > 0 && (added < 0 || missing <= added)) pairs.push([before[i++], undefined]);
    else if (added > 0) pairs.push([undefined, after[j++]]);
    else pairs.push([before[i++], after[j++]]);
  }
  return pairs;
}
