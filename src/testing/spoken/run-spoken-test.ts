import { modelOptionsOf, voiceOptionsOf } from '../../calls/call-settings.ts';
import type { AssistantTest } from '../../contract/assistant-test.ts';
import type { TestResult } from '../../contract/assistant-test-result.ts';
import { VirtualClock } from '../../lib/virtual-clock.ts';
import type { SessionInit } from '../../session/session-parts.ts';
import { judgeOf } from '../judge.ts';
import { type PreparedTest, prepareTest, type TestDeps } from '../prepare-test.ts';
import { brokenTest } from '../test-result.ts';
import type { Tested } from '../tested.ts';
import { allOf } from './all-of.ts';
import { withBriefing } from './briefing-model.ts';
import type { LineCondition } from './manners.ts';
import type { SpokenStage } from './spoken-stage.ts';
import { linesOf, turnsOf } from './spoken-turns.ts';

interface Options {
  readonly condition: LineCondition;
  readonly stage: Pick<SpokenStage, 'stt' | 'speak'>;
  readonly seed: number;
  /** Aborts the call; the promise then rejects. */
  readonly signal: AbortSignal;
}

/** Models that answer on this machine at once. */
const LOCAL_MODELS = ['scripted', 'offline'];

/**
 * Speaks one test through a whole call in virtual time, with the recogniser and the voice of this machine whichever the
 * assistant names. Rejects only with the signal.
 */
export async function runSpokenTest(
  deps: TestDeps,
  test: AssistantTest,
  tested: Tested,
  { condition, stage, seed, signal }: Options,
): Promise<TestResult> {
  const named = { condition: condition.name };
  const plan = turnsOf(test, condition);
  if (!plan) {
    const reason = 'nobody plays the caller of a spoken test: write persona.script';
    return { ...brokenTest(test.name, reason), ...named };
  }
  const remarks = { problems: [] as string[], notes: new Set<string>() };
  const clock = new VirtualClock(Date.parse(test.at));
  try {
    const prepared = await prepareTest(deps, test, hinted(tested, linesOf(plan)), {
      ...{ clock, seed, stt: await stage.stt, remarks },
      drafts: true,
    });
    const { runner, answerTool } = prepared;
    if (!LOCAL_MODELS.includes(prepared.llm.provider))
      throw new Error('spoken tests ask no vendor: write a scripted model');
    const llm = test.model ? withBriefing(prepared.llm, tested.offline) : prepared.llm;
    const checks = { schemas: deps.schemas, team: tested.teamId, signal };
    const task = { test, condition, init: initOf(prepared) };
    const result = await stage.speak(task, {
      at: (ms) => clock.advanceTo(ms),
      model: (request) => allOf(llm.stream({ ...request, signal })),
      tool: (invocation) => answerTool({ ...invocation, signal }),
      check: async (name, args) => runner.check?.(name, args, signal),
      judge: (statement, transcript) => judgeOf(tested.judge, transcript, checks)(statement),
      remarks: async () => ({ problems: remarks.problems, notes: [...remarks.notes] }),
    });
    signal.throwIfAborted();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { ...brokenTest(test.name, reason), ...named };
  }
}

/** The recogniser is told what the caller will say. */
function hinted(tested: Tested, lines: readonly string[]): Tested {
  const { snapshot } = tested;
  const hints = [...new Set([...snapshot.assistant.hints, ...lines])];
  return { ...tested, snapshot: { ...snapshot, assistant: { ...snapshot.assistant, hints } } };
}

function initOf({ record, settings, askable }: PreparedTest): SessionInit {
  const { assistant } = record.snapshot;
  const voice = assistant.config.speech.ttsData.find(({ enabled }) => enabled);
  return {
    callId: record.id,
    settings,
    voice: voice?.vendor === 'offline' ? voiceOptionsOf(assistant) : {},
    model: modelOptionsOf(record),
    recognition: {
      languages: settings.languages,
      hints: assistant.hints,
      topics: askable.topics,
      phrases: [...askable.sentences, ...assistant.endCallPhrases],
    },
  };
}
