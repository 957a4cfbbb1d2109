import { createHash } from 'node:crypto';
import { askableOf, settingsOfCall } from '../calls/call-settings.ts';
import { type CallToolsDeps, createCallTools } from '../calls/call-tools.ts';
import type { AssistantTest } from '../contract/assistant-test.ts';
import type { CallSettings } from '../engine/settings/settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { Llm } from '../ports/llm.ts';
import type { Stt } from '../ports/stt.ts';
import type { ToolInvocation, ToolRunner } from '../ports/tool.ts';
import type { CallRecord } from '../store/calls.ts';
import { createToolRunner, type HostedTool } from '../tools/hosted-tool.ts';
import { recordOf } from './record-of.ts';
import { scriptedModel } from './scripted-model.ts';
import { type TimedOutcome, testTools } from './test-tools.ts';
import type { Tested } from './tested.ts';

/** What tests need of the service. */
export interface TestDeps extends Omit<CallToolsDeps, 'clock' | 'carriers'> {
  /** Wall clock, ms: how long vendors take. */
  readonly stopwatch: () => number;
}

/** What goes wrong in a conversation, and what there is to say of it. */
export interface Remarks {
  /** Why it could not be held as written. */
  readonly problems: string[];
  readonly notes: Set<string>;
}

interface PrepareOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly stt: Pick<Stt, 'finalLatencyP99Ms' | 'turnAware' | 'sparseInterims'>;
  /** Asks the model before it is certain that a turn is over. */
  readonly drafts: boolean;
  readonly remarks: Remarks;
}

/** A call as its test has it. */
export interface PreparedTest {
  readonly record: CallRecord;
  readonly settings: CallSettings;
  readonly askable: Awaited<ReturnType<typeof askableOf>>;
  readonly hosted: readonly HostedTool[];
  readonly llm: Llm;
  readonly runner: ToolRunner;
  readonly answerTool: (invocation: ToolInvocation) => Promise<TimedOutcome>;
}

/** Prepares the call that a test stands for: its settings, model and tools. Rejects if that cannot be had. */
export async function prepareTest(
  deps: TestDeps,
  test: AssistantTest,
  tested: Tested,
  { clock, seed, stt, drafts, remarks: { problems, notes } }: PrepareOptions,
): Promise<PreparedTest> {
  const record = recordOf(test, tested);
  const { hosted, missing } = await createCallTools({ ...deps, clock }, record);
  problems.push(...missing.map(({ message }) => message));
  const askable = await askableOf(deps.db, record);
  const settings = await settingsOfCall({ ...deps, clock }, record, {
    ...{ hosted, askable, stt, drafts },
    outsidePredictor: false,
    seed: seedOf(seed, test.name),
  });
  const llm = test.model
    ? scriptedModel(test.model, (heard) =>
        notes.add(`no rule of the scripted model fits “${heard}”`),
      )
    : tested.llm();
  const runner = createToolRunner(hosted);
  const answerTool = testTools({
    tools: test.tools,
    run: (invocation) => runner.invoke(invocation),
    stopwatch: deps.stopwatch,
    onUnanswered: (problem) => problems.push(problem),
  });
  return { record, settings, askable, hosted, llm, runner, answerTool };
}

/** Each test has its own seed, so that it does not depend on those before it. */
function seedOf(seed: number, name: string): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readUInt32BE() >>> 1;
}
