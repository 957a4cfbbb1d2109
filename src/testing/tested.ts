import type { CallSnapshot } from '../contract/call-snapshot.ts';
import type { Llm } from '../ports/llm.ts';

/** The assistant that is tested, and its models. */
export interface Tested {
  readonly teamId: string;
  readonly assistantId: string | null;
  readonly snapshot: CallSnapshot;
  /** Its own model; throws if it cannot be used. */
  readonly llm: () => Llm;
  /** Plays callers with a goal and judges; throws if it cannot be used. */
  readonly judge: () => Llm;
  /** Understands what an operator answers, where the test's own model is a script. */
  readonly offline: () => Llm;
}
