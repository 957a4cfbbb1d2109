import type { ToolChange } from '../../contract/what-if.ts';
import type { CallEvent } from '../../engine/machine/events.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { CommandOf } from '../parts.ts';
import type { FollowedCommand, SimulatedWorld } from '../world.ts';
import { isOfCaller } from './caller-acts.ts';
import type { RecordedAnswers } from './recorded-answers.ts';
import type { RecordedPlayout } from './recorded-playout.ts';

export interface UnderWay {
  readonly atMs: number;
  /** The commands of the call so far. */
  readonly followed: readonly FollowedCommand[];
  /** The events of the record that were not played. */
  readonly rest: readonly JournalLine[];
  readonly playout: RecordedPlayout;
  readonly answers: RecordedAnswers;
  readonly toolChanges: Readonly<Record<string, ToolChange>>;
}

/** What a process that had the call, or its carrier, did is not played again. */
const DROPPED = [
  'process.lost',
  'call.resumed',
  'media.resumed',
  'media.lost',
  'vendor.failover',
] as const;

/** Lets the world go on with what was under way: answers that the record has come when they came. */
export function handOver(world: SimulatedWorld, underWay: UnderWay): void {
  const over = endedAnswers(world.journal, underWay.followed);
  const lastQuestion = underWay.followed.findLast(({ command }) => command.type === 'predict');
  for (const each of underWay.followed) {
    const { command } = each;
    if (command.type === 'tts.start') goOnSpeaking(world, command, each.line.at, over, underWay);
    else if (command.type === 'llm.start') goOnGenerating(world, each, over, underWay.rest);
    else if (command.type === 'tool.invoke')
      goOnWorking(world, command, each.line.at, over, underWay);
    else if (command.type === 'predict' && each === lastQuestion)
      tell(world, underWay.rest, 'predict.', 'rev', command.rev);
    else if (command.type === 'leg.dial')
      tell(world, underWay.rest, 'operator.', 'legId', command.legId);
  }
  goOnPlaying(world, underWay);
  for (const line of underWay.rest) if (isOfWorld(line)) world.schedule(line.at, eventOf(line));
}

/** Keys of generations, utterances and tool calls that are over. */
function endedAnswers(
  journal: readonly JournalLine[],
  followed: readonly FollowedCommand[],
): ReadonlySet<string> {
  const over = new Set<string>();
  for (const { type, data } of [...journal, ...followed.map(({ line }) => line)]) {
    if (/^llm\.(done|error|cancel)$/.test(type)) over.add(`gen${data.genId}`);
    if (/^tts\.(done|failed|cancel)$/.test(type)) over.add(`utt${data.uttId}`);
    if (/^tool\.(result|error|cancel)$/.test(type)) over.add(`tool${data.toolCallId}`);
  }
  return over;
}

function goOnSpeaking(
  world: SimulatedWorld,
  { uttId, text }: CommandOf<'tts.start'>,
  at: number,
  over: ReadonlySet<string>,
  { atMs, rest }: UnderWay,
): void {
  const told = rest.filter((line) => isAnswerTo(line, 'tts.', 'uttId', uttId));
  const isOver = over.has(`utt${uttId}`);
  const isKnown = told.some(({ type }) => type === 'tts.done' || type === 'tts.failed');
  // The playout needs the length even of what the voice has given already.
  world.speak(uttId, text, at, isOver || isKnown ? Number.POSITIVE_INFINITY : atMs);
  if (isKnown && !isOver) world.scheduleOf('utt', uttId, told.map(dated));
}

function goOnGenerating(
  world: SimulatedWorld,
  followed: FollowedCommand,
  over: ReadonlySet<string>,
  rest: readonly JournalLine[],
): void {
  const { genId } = followed.command as CommandOf<'llm.start'>;
  if (over.has(`gen${genId}`)) return;
  const told = rest.filter((line) => isAnswerTo(line, 'llm.', 'genId', genId));
  if (told.some(({ type }) => type === 'llm.done' || type === 'llm.error')) {
    world.scheduleOf('gen', genId, told.map(dated));
    return;
  }
  const given = world.journal.filter((line) => isAnswerTo(line, 'llm.', 'genId', genId));
  world.generate(followed, given.filter(({ kind }) => kind === 'event').length);
}

function goOnWorking(
  world: SimulatedWorld,
  { toolCallId, name }: CommandOf<'tool.invoke'>,
  at: number,
  over: ReadonlySet<string>,
  { answers, toolChanges }: UnderWay,
): void {
  const recorded = answers.tools.get(toolCallId)?.answer;
  if (!recorded || over.has(`tool${toolCallId}`)) return;
  const change = toolChanges[name];
  const answer = change ? { afterMs: recorded.afterMs, ...change } : recorded;
  world.answerTool(toolCallId, answer, at);
}

function goOnPlaying(world: SimulatedWorld, { atMs, rest, playout }: UnderWay): void {
  const { awaits, playing, ...state } = playout.state();
  const acknowledged = awaits && rest.find(({ type }) => type === awaits);
  const playedMs = acknowledged?.type === 'play.held' && Number(acknowledged.data.playedMs);
  const held = playing && playedMs !== false ? { playing: { ...playing, playedMs } } : { playing };
  world.playout.goOn({ ...state, ...(held.playing ? { playing: held.playing } : {}) }, atMs);
  if (acknowledged) world.schedule(acknowledged.at, eventOf(acknowledged));
}

/** What happens at its own time, whatever is said: orders from outside, the recogniser's line, the carrier. */
function isOfWorld({ type }: JournalLine): boolean {
  const isAnswer = /^(llm|tts|play|tool|operator|predict)\./.test(type);
  return !isAnswer && !isOfCaller(type) && !(DROPPED as readonly string[]).includes(type);
}

function tell(
  world: SimulatedWorld,
  rest: readonly JournalLine[],
  prefix: string,
  field: string,
  id: number,
): void {
  for (const line of rest)
    if (isAnswerTo(line, prefix, field, id)) world.schedule(line.at, eventOf(line));
}

const eventOf = ({ type, data }: JournalLine) => ({ ...data, type }) as CallEvent;

const dated = (line: JournalLine) => ({ at: line.at, event: eventOf(line) });

const isAnswerTo = ({ type, data }: JournalLine, prefix: string, field: string, id: number) =>
  type.startsWith(prefix) && data[field] === id;
