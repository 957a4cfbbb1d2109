import type { RealisedAct, Sound, Trace } from '../trace.ts';

/** What was heard of one reply of the assistant. */
export interface HeardReply {
  /** The caller's turn that it answers; none for a line of the engine's own. */
  readonly turn: number | undefined;
  readonly from: number;
  readonly to: number;
  readonly sounds: readonly Sound[];
  /** Length of all that the model wrote for it. */
  readonly plannedMs: number;
}

/** The replies that were heard, in the order they began. */
export function heardReplies({ sounds, utterances, generations }: Trace): HeardReply[] {
  const groups = new Map<string, Sound[]>();
  for (const sound of sounds) {
    if (sound.to <= sound.from) continue;
    const genId = utterances.get(sound.uttId)?.genId;
    const turn = genId === undefined ? undefined : generations.get(genId)?.turn;
    const key = turn === undefined ? `line${sound.uttId}` : `turn${turn}`;
    groups.set(key, [...(groups.get(key) ?? []), sound]);
  }
  return [...groups].map(([key, list]) => {
    const spoken = new Set(list.map(({ uttId }) => utterances.get(uttId)?.genId));
    const plannedMs = [...spoken].reduce<number>(
      (sum, genId) => sum + (generations.get(genId ?? -1)?.totalMs ?? 0),
      0,
    );
    return {
      turn: key.startsWith('turn') ? Number(key.slice(4)) : undefined,
      from: (list[0] as Sound).from,
      to: Math.max(...list.map(({ to }) => to)),
      sounds: list,
      plannedMs: plannedMs || (utterances.get((list[0] as Sound).uttId)?.totalMs ?? 0),
    };
  });
}

/** The reply that sounds (or is held) at an instant. */
export const replyAt = (replies: readonly HeardReply[], at: number) =>
  replies.find(({ from, to }) => from <= at && at < to);

/** Speech that takes the floor, and deserves an answer. */
export const deserves = ({ act }: RealisedAct) =>
  !act.unanswered && (act.kind === 'turn' || act.kind === 'interruption');

/** What was planned of it and never sounded. */
export const unheardMs = ({ sounds, plannedMs }: HeardReply) =>
  plannedMs - sounds.reduce((sum, { from, to }) => sum + to - from, 0);

/** All of it was heard: a word said again makes it longer, never shorter. */
export const wasWhole = (reply: HeardReply) => unheardMs(reply) <= 30;
