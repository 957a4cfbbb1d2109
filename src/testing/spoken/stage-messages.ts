import type { AssistantTest } from '../../contract/assistant-test.ts';
import type { TestResult } from '../../contract/assistant-test-result.ts';
import type { TranscriptMessage } from '../../contract/call-journal.ts';
import type { LlmPart, LlmRequest } from '../../ports/llm.ts';
import type { Stt } from '../../ports/stt.ts';
import type { ToolInvocation } from '../../ports/tool.ts';
import type { SessionInit } from '../../session/session-parts.ts';
import type { Judgement } from '../conditions.ts';
import type { TimedOutcome } from '../test-tools.ts';
import type { LineCondition } from './manners.ts';

/** What there is to know of the recogniser before a call. */
export type SttTraits = Pick<Stt, 'finalLatencyP99Ms' | 'turnAware'>;

/** A test as a call that can be spoken on another thread. */
export interface SpokenTask {
  readonly test: AssistantTest;
  readonly condition: LineCondition;
  readonly init: SessionInit;
}

/** What a spoken call needs of the service: each question with its answer. */
export interface Outside {
  model(request: Omit<LlmRequest, 'signal' | 'onFailover'>): Promise<readonly LlmPart[]>;
  tool(invocation: Omit<ToolInvocation, 'signal'>): Promise<TimedOutcome>;
  /** Why the tool can't be called with these arguments. */
  check(name: string, args: ToolInvocation['arguments']): Promise<string | undefined>;
  judge(statement: string, transcript: readonly TranscriptMessage[]): Promise<Judgement>;
  /** What went wrong outside, and what there is to say of it. */
  remarks(): Promise<{ readonly problems: readonly string[]; readonly notes: readonly string[] }>;
}

export type ToStage =
  | { readonly kind: 'speak'; readonly call: number; readonly task: SpokenTask }
  | { readonly kind: 'answer'; readonly question: number; readonly value: unknown }
  | { readonly kind: 'no-answer'; readonly question: number; readonly reason: string };

export type FromStage =
  | { readonly kind: 'ready'; readonly stt: SttTraits }
  | {
      readonly kind: 'ask';
      readonly call: number;
      readonly question: number;
      /** The call's time. */
      readonly atMs: number;
      readonly what: keyof Outside;
      readonly given: readonly unknown[];
    }
  | { readonly kind: 'spoken'; readonly call: number; readonly result: TestResult }
  | { readonly kind: 'failed'; readonly call: number; readonly reason: string };
