import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TestTurn } from '../contract/assistant-test.ts';
import type { TranscriptMessage } from '../contract/call-journal.ts';
import { messagesOf } from '../engine/machine/messages-of.ts';
import { utteranceEvents } from '../simulation/utterance.ts';
import type { SimulatedWorld } from '../simulation/world.ts';

/** The caller's next turn, by what was said so far; undefined: the caller has nothing more to say. */
export type NextTurn = (
  messages: readonly TranscriptMessage[],
) => TestTurn | undefined | Promise<TestTurn | undefined>;

/** A turn of the caller as it took place. Instants are ms of the call. */
export interface HeldTurn {
  readonly turn: TestTurn;
  readonly beganAt: number;
  /** The end of the caller's words. */
  readonly endedAt: number;
}

export interface HeldConversation {
  readonly turns: readonly HeldTurn[];
  readonly messages: readonly TranscriptMessage[];
  /** From the end of each turn to the first sound of the answer. */
  readonly answersMs: readonly (number | undefined)[];
  readonly endReason: string | undefined;
  readonly durationMs: number;
}

const STEP_MS = 100;
/** A caller speaks so long after the assistant has finished. */
const PAUSE_MS = 700;
/** Nothing was said for so long: the caller says the next thing anyway. */
const PATIENCE_MS = 20_000;
/** A caller who is to be greeted waits so long. */
const GREETING_MS = 5_000;
/** After the last answer the assistant may still hang up. */
const LEAVE_MS = 1_500;
const KEY_MS = 250;
/** Steps between two visits of the event loop, which carries the sound of others. */
const STEPS_A_VISIT = 10;

/** Plays a caller in a simulated world until the call is over. The same turns give the same conversation. */
export async function holdConversation(
  world: SimulatedWorld,
  next: NextTurn,
  {
    greets,
    maxMs,
    signal,
  }: { readonly greets: boolean; readonly maxMs: number; readonly signal: AbortSignal },
): Promise<HeldConversation> {
  const held: HeldTurn[] = [];
  const messages = () => messagesOf(world.commands);
  let isDone = false;
  let upcoming: TestTurn | undefined;
  const look = async () => {
    upcoming ??= await next(messages());
    if (!upcoming) isDone = true;
  };
  world.answer();
  for (let step = 1; !world.finished; step++) {
    await world.run(world.now + STEP_MS, signal);
    if (step % STEPS_A_VISIT === 0) await nextTurn();
    if (world.finished) break;
    if (world.now >= maxMs) world.deliver({ type: 'remote.hangup' });
    const last = held.at(-1);
    if (last && world.now < last.endedAt) continue;
    // Somebody who talks over an answer knows what to say before it is over.
    if (!isDone && !upcoming && (isOver(world, last, greets) || mayTalkOver(world, last)))
      await look();
    if (isDone) {
      if (isOver(world, last, greets, LEAVE_MS)) world.deliver({ type: 'remote.hangup' });
      continue;
    }
    if (!upcoming || !isDue(world, last, upcoming, greets)) continue;
    held.push(take(world, upcoming, held.length));
    upcoming = undefined;
  }
  const finish = world.commands.findLast((command) => command.type === 'finish');
  return {
    turns: held,
    messages: messages(),
    answersMs: held.map((turn, index) => answerMs(world, turn, held[index + 1])),
    endReason: finish?.endReason,
    durationMs: finish?.at ?? world.now,
  };
}

/** When the assistant began to answer the turn; before the first turn: to greet. */
function answeredAt(world: SimulatedWorld, last: HeldTurn | undefined): number | undefined {
  const from = last?.endedAt ?? 0;
  return world.playout.heard.find((sound) => sound.from >= from)?.from;
}

const mayTalkOver = (world: SimulatedWorld, last: HeldTurn | undefined) =>
  answeredAt(world, last) !== undefined;

/** True if the turn before was answered to the end, or no answer will come. */
function isOver(
  world: SimulatedWorld,
  last: HeldTurn | undefined,
  greets: boolean,
  pauseMs = PAUSE_MS,
): boolean {
  const { now } = world;
  // A caller who is put through waits.
  if (world.call.state.transfer.current) return false;
  const quiet = world.playout.quietSince();
  const from = last?.endedAt ?? 0;
  if (last?.turn.waitSeconds !== undefined) return quiet !== undefined && now - quiet >= pauseMs;
  if (answeredAt(world, last) === undefined)
    return now - from >= (last ? PATIENCE_MS : greets ? GREETING_MS : PAUSE_MS);
  const isIdle = world.call.view.assistant === 'idle';
  return isIdle && quiet !== undefined && now - Math.max(quiet, from) >= pauseMs;
}

function isDue(
  world: SimulatedWorld,
  last: HeldTurn | undefined,
  turn: TestTurn,
  greets: boolean,
): boolean {
  if (turn.afterMs === undefined && turn.backchannel === undefined)
    return isOver(world, last, greets);
  const answered = answeredAt(world, last);
  const due = answered !== undefined && world.now >= answered + (turn.afterMs ?? 0);
  return due || isOver(world, last, greets);
}

/** The caller takes the turn now. */
function take(world: SimulatedWorld, turn: TestTurn, index: number): HeldTurn {
  const beganAt = world.now;
  const said = turn.say ?? turn.backchannel;
  if (said !== undefined) {
    const { endAt, events } = utteranceEvents(`s${index + 1}`, said, beganAt);
    for (const { at, event } of events) world.schedule(at, event);
    return { turn, beganAt, endedAt: endAt };
  }
  if (turn.hangUp) world.deliver({ type: 'remote.hangup' });
  const keys = [...(turn.press ?? '')];
  for (const [n, digit] of keys.entries())
    world.schedule(beganAt + n * KEY_MS, { type: 'dtmf', digit });
  const lengthMs = (turn.waitSeconds ?? 0) * 1000 + Math.max(0, keys.length - 1) * KEY_MS;
  return { turn, beganAt, endedAt: beganAt + lengthMs };
}

function answerMs(
  world: SimulatedWorld,
  { turn, endedAt }: HeldTurn,
  next: HeldTurn | undefined,
): number | undefined {
  if (turn.say === undefined && turn.press === undefined) return undefined;
  const first = world.playout.heard.find(({ from }) => from >= endedAt);
  const isBefore = first && (next === undefined || first.from < next.beganAt);
  return isBefore ? first.from - endedAt : undefined;
}
