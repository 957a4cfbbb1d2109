import { modelOptionsOf, voiceOptionsOf } from '../../calls/call-settings.ts';
import type { AssistantTest } from '../../contract/assistant-test.ts';
import type { TestResult } from '../../contract/assistant-test-result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Vad } from '../../ports/vad.ts';
import type { OfflineStt } from '../../providers/offline/stt/adapter.ts';
import { Session } from '../../session/session.ts';
import { Ticker } from '../../session/ticker.ts';
import { judgeOf } from '../judge.ts';
import { type PreparedTest, prepareTest, type TestDeps } from '../prepare-test.ts';
import { brokenTest } from '../run-test.ts';
import type { Tested } from '../tested.ts';
import type { Booth } from './booth.ts';
import { KeptRecord } from './kept-record.ts';
import type { LineCondition } from './manners.ts';
import { holdSpokenCall, type SpokenCall } from './spoken-call.ts';
import { figuresOf, resultOf } from './spoken-result.ts';
import { turnsOf } from './spoken-turns.ts';
import { SteadyCaller } from './steady-caller.ts';
import { type SpokenTexts, steadyLlm, steadyStt, steadyTools, steadyTts } from './steady-parts.ts';
import { SteadyTime } from './steady-time.ts';

/** The ears and voices of this machine, for the calls of one run. */
export interface SpokenStage {
  readonly booth: Booth;
  readonly texts: SpokenTexts;
  /** What one stream hears must not depend on the others. */
  readonly stt: OfflineStt;
  readonly createVad: (time: { readonly clock: Clock }) => Vad;
}

interface Options {
  readonly condition: LineCondition;
  readonly stage: SpokenStage;
  readonly seed: number;
  /** Aborts the call; the promise then rejects. */
  readonly signal: AbortSignal;
}

/** Both sides of a call are kept as sound. */
const MAX_SECONDS = 900;
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
  options: Options,
): Promise<TestResult> {
  const { condition, signal } = options;
  const named = { condition: condition.name };
  const plan = turnsOf(test, condition);
  if (!plan) {
    const reason = 'nobody plays the caller of a spoken test: write persona.script';
    return { ...brokenTest(test.name, reason), ...named };
  }
  const remarks = { problems: [] as string[], notes: new Set<string>() };
  const time = new SteadyTime(Date.parse(test.at));
  const lines = plan.flatMap(({ turn }) => turn.say ?? turn.backchannel ?? []);
  using stt = steadyStt(options.stage.stt, time);
  try {
    const prepared = await prepareTest(deps, test, hinted(tested, lines), {
      ...{ clock: time.clock, seed: options.seed, stt, remarks },
      drafts: true,
    });
    if (!LOCAL_MODELS.includes(prepared.llm.provider))
      throw new Error('spoken tests ask no vendor: write a scripted model');
    const record = new KeptRecord();
    const spoken = await speak(prepared, { ...options, test, plan, lines, time, stt, record });
    const { startAt } = prepared.record;
    const ended = { spoken, record: record.asOf(startAt), events: record.events, scripts: remarks };
    const judge = judgeOf(tested.judge, record.messages, {
      ...{ schemas: deps.schemas, team: tested.teamId, signal },
    });
    const result = await resultOf(test, ended, judge);
    signal.throwIfAborted();
    return { ...result, ...named, figures: figuresOf(ended) };
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

async function speak(
  { record, settings, askable, llm, runner, answerTool }: PreparedTest,
  {
    test,
    plan,
    lines,
    time,
    stt,
    condition,
    stage: { booth, texts, createVad },
    record: kept,
    signal,
  }: Options & {
    readonly test: AssistantTest;
    readonly plan: Parameters<typeof holdSpokenCall>[0]['plan'];
    readonly lines: readonly string[];
    readonly time: SteadyTime;
    readonly stt: ReturnType<typeof steadyStt>;
    readonly record: KeptRecord;
  },
): Promise<SpokenCall> {
  const sounds = new Map<string, Int16Array>();
  for (const line of lines) sounds.set(line, await booth.line(line, condition));
  const room = await booth.room(condition);
  const { clock } = time;
  const { assistant } = record.snapshot;
  const voice = assistant.config.speech.ttsData.find(({ enabled }) => enabled);
  const init = {
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
  const over = new AbortController();
  const connect: Parameters<typeof holdSpokenCall>[0]['connect'] = async (line) => {
    const { sampleRateHz } = condition;
    const caller = new SteadyCaller({ clock, callId: record.id, sampleRateHz, ...line });
    const session = new Session(
      init,
      {
        clock,
        ticker: new Ticker(clock),
        llm: steadyLlm(llm, time),
        stt,
        tts: steadyTts(texts, time),
        vad: createVad({ clock }),
        tools: steadyTools(runner, answerTool, time),
        store: kept,
        keepUnsaved: (batch) => kept.write(batch),
        log: SILENT,
      },
      caller.leg,
    );
    over.signal.addEventListener('abort', () => session.end('ended'), { once: true });
    session.answered();
    caller.answered(session);
    finished = session.finished;
    return caller;
  };
  let finished: Promise<void> | undefined;
  const held = holdSpokenCall({
    ...{ clock, connect, condition, room, plan, sounds, signal },
    maxSeconds: Math.min(test.maxSeconds, MAX_SECONDS),
  }).then(async (spoken) => {
    await finished;
    return spoken;
  });
  try {
    return await time.runUntil(held, signal);
  } finally {
    over.abort();
  }
}

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
