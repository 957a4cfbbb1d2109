import { modelOptionsOf } from '../calls/call-settings.ts';
import type { AssistantTest } from '../contract/assistant-test.ts';
import type { ConditionResult, TestResult } from '../contract/assistant-test-result.ts';
import { VirtualClock } from '../lib/virtual-clock.ts';
import { evenVoice } from '../simulation/even-voice.ts';
import { SimulatedWorld } from '../simulation/world.ts';
import { askModel } from './ask-model.ts';
import { judgeCondition } from './conditions.ts';
import { type HeldConversation, holdConversation, type NextTurn } from './conversation.ts';
import { evidenceOf, numbered } from './evidence.ts';
import { judgeOf } from './judge.ts';
import { operatorsWho, outcomesOf } from './operators.ts';
import { ownToolsOf } from './own-tools.ts';
import { playedCaller, scriptedCaller } from './persona.ts';
import { prepareTest, type TestDeps } from './prepare-test.ts';
import { brokenTest, testResult } from './test-result.ts';
import type { ToolUse } from './test-tools.ts';
import type { Tested } from './tested.ts';
import { transfersOf } from './transfers.ts';

interface RunOptions {
  /** Chooses where the engine chooses by chance. The same seed gives the same conversation. */
  readonly seed: number;
  /** Aborts the run; the promise then rejects. */
  readonly signal: AbortSignal;
}

const STT = { finalLatencyP99Ms: 300, turnAware: false };

/** Holds the conversation of one test in virtual time and judges it. Rejects only with the signal. */
export async function runTest(
  deps: TestDeps,
  test: AssistantTest,
  tested: Tested,
  { seed, signal }: RunOptions,
): Promise<TestResult> {
  const problems: string[] = [];
  const notes = new Set<string>();
  const uses: ToolUse[] = [];
  try {
    const clock = new VirtualClock(Date.parse(test.at));
    const { record, settings, hosted, llm, answerTool } = await prepareTest(deps, test, tested, {
      ...{ clock, seed, stt: STT, remarks: { problems, notes } },
      drafts: false,
    });
    const model = askModel({
      llm,
      options: modelOptionsOf(record),
      delimiter: settings.responseSplitter,
      tools: hosted,
      stopwatch: deps.stopwatch,
      signal,
      onFailed: (error) => problems.push(`the model could not be asked: ${textOf(error)}`),
    });
    const world: SimulatedWorld = new SimulatedWorld(
      { callId: record.id, settings },
      {
        model,
        async tool({ toolCallId, name, arguments: args }) {
          const atMs = world.now;
          const invocation = { callId: record.id, toolCallId, name, arguments: args, signal };
          const { outcome, afterMs } = await answerTool(invocation);
          const { ok } = outcome;
          uses.push({ name, arguments: args, ok, turn: 0, atMs });
          const message = outcome.message === undefined ? {} : { message: outcome.message };
          if (outcome.ok) return { afterMs, result: outcome.result, ...message };
          const code = outcome.code === undefined ? {} : { code: outcome.code };
          return { afterMs, error: outcome.error, ...message, ...code };
        },
        voice: (text) => evenVoice(text),
        others: operatorsWho(outcomesOf(test)),
      },
    );
    const held = await holdConversation(world, callerOf(test, tested, signal), {
      greets: settings.welcome.mode !== 'assistant-waits-for-user',
      maxMs: test.maxSeconds * 1000,
      signal,
    });
    const lines = world.journal.map((line) => ({ ...line, atMs: line.at }));
    const transfers = transfersOf(lines);
    const calls = numbered(held, [...uses, ...ownToolsOf(lines)]);
    const judge = judgeOf(tested.judge, held.messages, {
      schemas: deps.schemas,
      team: tested.teamId,
      signal,
    });
    const conditions: ConditionResult[] = [];
    for (const [index, { turn }] of held.turns.entries()) {
      for (const condition of turn.expect) {
        const finding = await judgeCondition(
          condition,
          evidenceOf(held, { calls, transfers }, index),
          judge,
        );
        conditions.push({ turn: index + 1, ...finding });
      }
    }
    conditions.push(...unreached(test, held));
    for (const condition of test.expect)
      conditions.push(
        await judgeCondition(condition, evidenceOf(held, { calls, transfers }), judge),
      );
    signal.throwIfAborted();
    return testResult(test, held, { conditions, problems, calls, notes });
  } catch (error) {
    signal.throwIfAborted();
    return brokenTest(test.name, textOf(error));
  }
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function callerOf(
  { turns, persona }: AssistantTest,
  tested: Tested,
  signal: AbortSignal,
): NextTurn {
  if (turns) {
    let at = 0;
    return () => turns[at++];
  }
  if (!persona) throw new Error('the test has no caller');
  // Without a model of its own, the caller says what is written for that case.
  const model = tested.judge();
  if (model.provider !== 'offline') return playedCaller(persona, model, signal);
  if (persona.script) return scriptedCaller(persona.script);
  throw new Error(
    'the offline responder cannot play a caller: write persona.script, or choose a model',
  );
}

/** The call ended before these turns: what they expect did not happen. */
function unreached({ turns = [] }: AssistantTest, held: HeldConversation): ConditionResult[] {
  return turns.slice(held.turns.length).flatMap(({ expect }, n) =>
    expect.map((condition): ConditionResult => {
      const [[kind, value] = ['', '']] = Object.entries(condition);
      return {
        turn: held.turns.length + n + 1,
        condition: `${kind} ${typeof value === 'string' ? `“${value}”` : JSON.stringify(value)}`,
        verdict: 'unmet',
        detail: `the call had ended: ${held.endReason ?? 'unknown'}`,
      };
    }),
  );
}
