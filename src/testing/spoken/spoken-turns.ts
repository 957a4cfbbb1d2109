import type { AssistantTest, TestTurn } from '../../contract/assistant-test.ts';
import type { LineCondition } from './manners.ts';

/** A turn of the caller, and which of the test's turns it is; one that a condition adds has no number. */
export interface SpokenTurnPlan {
  readonly turn: TestTurn;
  readonly index?: number;
  /** Said over the answer to the turn before, so long after it began. */
  readonly overMs?: number;
}

/** When a caller speaks over an answer, where the test does not say. */
const OVER_MS = 1000;
const BACKCHANNEL = 'uh-huh';

const own = (turn: TestTurn, index: number): SpokenTurnPlan => {
  const isOver = turn.afterMs !== undefined || turn.backchannel !== undefined;
  return { turn, index, ...(isOver ? { overMs: turn.afterMs ?? 0 } : {}) };
};

/** What the caller of a test does in this condition; undefined if only a model could play the caller. Pure. */
export function turnsOf(
  { turns, persona }: Pick<AssistantTest, 'turns' | 'persona'>,
  { over, silenceSeconds }: Pick<LineCondition, 'over' | 'silenceSeconds'>,
): readonly SpokenTurnPlan[] | undefined {
  const lines = turns ?? persona?.script?.map((say): TestTurn => ({ say, expect: [] }));
  return lines?.flatMap((turn, index) => {
    const planned = own(turn, index);
    if (planned.overMs !== undefined || turn.say === undefined) return [planned];
    // What follows over the answer already is in its way.
    const next = lines[index + 1];
    const isFree = next?.afterMs === undefined && next?.backchannel === undefined;
    const between: readonly SpokenTurnPlan[] =
      over === undefined || !isFree
        ? []
        : [{ overMs: OVER_MS, turn: over === 'interrupts' ? again(turn) : assents }];
    const before: readonly SpokenTurnPlan[] =
      silenceSeconds === undefined ? [] : [{ turn: { waitSeconds: silenceSeconds, expect: [] } }];
    return [...before, planned, ...between];
  });
}

/** Who interrupts says the same again, so that what is expected stays the same. */
const again = ({ say }: TestTurn): TestTurn => ({
  ...(say === undefined ? {} : { say }),
  expect: [],
});
const assents: TestTurn = { backchannel: BACKCHANNEL, expect: [] };

/** The words that the caller says. Pure. */
export const linesOf = (plan: readonly SpokenTurnPlan[]): readonly string[] =>
  plan.flatMap(({ turn }) => turn.say ?? turn.backchannel ?? []);
