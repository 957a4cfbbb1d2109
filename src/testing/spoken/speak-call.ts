import type { TestResult } from '../../contract/assistant-test-result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LlmRequest } from '../../ports/llm.ts';
import type { Vad } from '../../ports/vad.ts';
import type { OfflineStt } from '../../providers/offline/stt/adapter.ts';
import { Session } from '../../session/session.ts';
import { Ticker } from '../../session/ticker.ts';
import { outcomesOf } from '../operators.ts';
import type { Booth } from './booth.ts';
import { KeptRecord } from './kept-record.ts';
import { operatorSounds } from './play-operator.ts';
import { PutThrough } from './put-through.ts';
import { holdSpokenCall, type SpokenCall } from './spoken-call.ts';
import { figuresOf, resultOf } from './spoken-result.ts';
import { linesOf, turnsOf } from './spoken-turns.ts';
import type { Outside, SpokenTask } from './stage-messages.ts';
import { SteadyCaller } from './steady-caller.ts';
import { SteadyOperators } from './steady-operators.ts';
import { type SpokenTexts, steadyLlm, steadyStt, steadyTools, steadyTts } from './steady-parts.ts';
import { SteadyTime } from './steady-time.ts';

/** The ears and voices of this machine, for the calls of one run. */
export interface StageParts {
  readonly booth: Booth;
  readonly texts: SpokenTexts;
  /** What one stream hears must not depend on the others. */
  readonly stt: OfflineStt;
  readonly createVad: (time: { readonly clock: Clock }) => Vad;
  readonly signal: AbortSignal;
}

/** Both sides of a call are kept as sound. */
const MAX_SECONDS = 900;

/** Speaks one test through a whole call in virtual time, and judges it. Rejects if that cannot be done. */
export async function speakCall(
  task: SpokenTask,
  stage: StageParts,
  outsideOf: (clock: Clock) => Outside,
): Promise<TestResult> {
  const { test, condition } = task;
  const time = new SteadyTime(Date.parse(test.at));
  const outside = outsideOf(time.clock);
  const record = new KeptRecord();
  const spoken = await speak(task, { stage, time, outside, record });
  const { problems, notes } = await outside.remarks();
  const ended = {
    spoken,
    record: record.asOf(new Date(test.at)),
    events: record.events,
    scripts: { problems, notes: new Set(notes) },
  };
  const result = await resultOf(test, ended, (statement) =>
    outside.judge(statement, record.messages),
  );
  return { ...result, condition: condition.name, figures: figuresOf(ended) };
}

async function speak(
  { test, condition, init }: SpokenTask,
  {
    stage: { booth, texts, createVad, stt: recogniser, signal },
    time,
    outside,
    record,
  }: {
    readonly stage: StageParts;
    readonly time: SteadyTime;
    readonly outside: Outside;
    readonly record: KeptRecord;
  },
): Promise<SpokenCall> {
  const plan = turnsOf(test, condition) ?? [];
  const sounds = new Map<string, Int16Array>();
  for (const line of linesOf(plan)) sounds.set(line, await booth.line(line, condition));
  const room = await booth.room(condition);
  const { clock } = time;
  using stt = steadyStt(recogniser, time);
  const over = new AbortController();
  const putThrough = new PutThrough();
  const { sampleRateHz } = condition;
  const { mode, phoneNumber } = init.settings.transfer;
  const operators =
    phoneNumber === ''
      ? undefined
      : new SteadyOperators({
          ...{ clock, mode, putThrough, sampleRateHz, signal },
          next: outcomesOf(test),
          sounds: await operatorSounds(booth, sampleRateHz),
        });
  let finished: Promise<void> | undefined;
  const connect: Parameters<typeof holdSpokenCall>[0]['connect'] = async (line) => {
    const caller = new SteadyCaller({ clock, callId: init.callId, sampleRateHz, ...line });
    const session = new Session(
      init,
      {
        clock,
        ticker: new Ticker(clock),
        llm: steadyLlm((request) => outside.model(withoutFunctions(request)), time),
        stt,
        tts: steadyTts(texts, time),
        vad: createVad({ clock }),
        tools: steadyTools(outside, time),
        ...(operators ? { operators } : {}),
        store: record,
        keepUnsaved: (batch) => record.write(batch),
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
  const held = holdSpokenCall({
    ...{ clock, connect, condition, room, plan, sounds, signal },
    putThrough: operators && putThrough,
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

/** Functions cannot be sent to another thread. */
const withoutFunctions = ({ signal: _, onFailover: __, ...request }: LlmRequest) => request;

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
