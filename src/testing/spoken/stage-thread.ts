import { parentPort, workerData } from 'node:worker_threads';
import { yieldToOthers } from '../../lib/yield-to-others.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Vad } from '../../ports/vad.ts';
import type { OfflineStt } from '../../providers/offline/stt/adapter.ts';
import type { OfflineTts } from '../../providers/offline/tts/adapter.ts';
import { Booth } from './booth.ts';
import { CallerVoice } from './caller-voice.ts';
import { type StageParts, speakCall } from './speak-call.ts';
import type { FromStage, Outside, SpokenTask, ToStage } from './stage-messages.ts';
import { SpokenTexts } from './steady-parts.ts';

/** Opens ears and voices of their own for the spoken tests of a run, so that live calls keep theirs. */
interface SpokenParts {
  readonly createStt: () => OfflineStt;
  readonly createTts: () => OfflineTts;
  readonly createVad: (time: { readonly clock: Clock }) => Vad;
}

/**
 * Speaks the calls of one run on the calling thread, which was given the run's seed. Model, tools and judge are asked of
 * the thread that started it. Ends when it is terminated.
 */
export function speakCalls({ createStt, createTts, createVad }: SpokenParts): void {
  const port = parentPort;
  if (!port) throw new Error('spoken tests run on a thread of their own');
  yieldToOthers();
  const send = (message: FromStage) => port.postMessage(message);
  const stt = createStt();
  const tts = createTts();
  const signal = new AbortController().signal;
  const stage: StageParts = {
    ...{ stt, createVad, signal },
    booth: new Booth(new CallerVoice(tts), workerData as number),
    texts: new SpokenTexts(tts, signal),
  };
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let questions = 0;

  const outsideOf = (call: number, clock: Pick<Clock, 'now'>): Outside => {
    const ask =
      <What extends keyof Outside>(what: What) =>
      (...given: readonly unknown[]) => {
        const question = ++questions;
        const answer = Promise.withResolvers<unknown>();
        asked.set(question, answer);
        send({ kind: 'ask', call, question, atMs: clock.now(), what, given });
        // The other thread guarantees the type.
        return answer.promise as ReturnType<Outside[What]>;
      };
    return {
      model: ask('model'),
      tool: ask('tool'),
      check: ask('check'),
      judge: ask('judge'),
      remarks: ask('remarks'),
    };
  };

  async function speak(call: number, task: SpokenTask): Promise<void> {
    try {
      const result = await speakCall(task, stage, (clock) => outsideOf(call, clock));
      send({ kind: 'spoken', call, result });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      send({ kind: 'failed', call, reason });
    }
  }

  port.on('message', (message: ToStage) => {
    if (message.kind === 'speak') return void speak(message.call, message.task);
    const answer = asked.get(message.question);
    asked.delete(message.question);
    if (message.kind === 'answer') answer?.resolve(message.value);
    else answer?.reject(new Error(message.reason));
  });
  const { finalLatencyP99Ms, turnAware } = stt;
  send({ kind: 'ready', stt: { finalLatencyP99Ms, turnAware } });
}
