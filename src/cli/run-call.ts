import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../client/api.generated.ts';
import { systemClock } from '../lib/system-clock.ts';
import { measureTurns } from '../testing/spoken/latency.ts';
import { type AssistantForCall, resolveAssistant } from './assistant-for-call.ts';
import type { CallLog } from './call-log.ts';
import type { CallOptions } from './call-options.ts';
import type { ConnectCaller } from './connect-caller.ts';
import { type Conversation, holdConversation, type Recording } from './conversation.ts';
import { latencyTable } from './latency-table.ts';
import type { PhoneLine } from './phone-line.ts';
import { ReturningCaller } from './returning-caller.ts';
import { saveCall } from './save-call.ts';
import type { ServiceClient } from './service-client.ts';
import { WebCaller } from './web-caller.ts';

const FINISHED_MS = 15_000;
/** Time to wait for the recording; an assistant with recording turned off never produces one. */
const RECORDED_MS = 3000;
const POLL_MS = 200;

interface RunContext {
  readonly recordings: readonly Recording[];
  readonly log: CallLog;
  readonly signal: AbortSignal;
  /** Undefined for a web call. */
  readonly phone?: PhoneLine | undefined;
}

/** Plays the recordings into a call and reports on it; returns the exit code. */
export async function runCall(
  client: ServiceClient,
  options: CallOptions,
  context: RunContext,
): Promise<0 | 3> {
  const { log, signal } = context;
  const assistant = await resolveAssistant(client, options.assistant);
  try {
    log.say(`Calling ${assistant.name}`);
    const conversation = await talk(client, assistant, { ...options, ...context });
    const call = await finishedCall(client, conversation.callId, signal);
    return await report(client, options, { conversation, call, log });
  } finally {
    await context.phone?.release(client);
    await assistant.dispose();
  }
}

async function talk(
  client: ServiceClient,
  assistant: AssistantForCall,
  context: CallOptions & RunContext,
): Promise<Conversation> {
  const { log, recordings, sampleRateHz, waitMs, bargeInMs, signal, phone, outbound } = context;
  return holdConversation({
    connect: phone
      ? phone.caller(client, { assistantId: assistant.id, outbound })
      : webCaller(client, assistant.id, { sampleRateHz, log }),
    recordings,
    sampleRateHz,
    waitMs,
    signal,
    ...(bargeInMs === undefined ? {} : { bargeInMs }),
    onFrame: (frame, atMs) => log.frame(frame, atMs),
    onSpeak: (name, durationMs, atMs) =>
      log.line(atMs, 'plays', `${name} (${(durationMs / 1000).toFixed(1)} s)`),
    onUnanswered: (name, atMs) => log.line(atMs, 'no answer', `to ${name}`),
  });
}

function webCaller(
  client: ServiceClient,
  assistantId: string,
  { sampleRateHz, log }: { readonly sampleRateHz: number; readonly log: CallLog },
): ConnectCaller {
  return async (onFrame) => {
    const { webCall } = await client.connect(assistantId);
    if (!webCall) throw new Error('the service made a call without a media socket');
    const caller = await WebCaller.connect({ url: webCall.url, sampleRateHz, onFrame });
    const onLost = (atMs: number) => log.line(atMs, 'lost', 'the connection; coming back');
    return new ReturningCaller(caller, { clock: systemClock, onLost });
  };
}

async function report(
  client: ServiceClient,
  options: CallOptions,
  context: { readonly conversation: Conversation; readonly call: Call; readonly log: CallLog },
): Promise<0 | 3> {
  const { conversation, call, log } = context;
  const { sampleRateHz } = options;
  const turns = measureTurns(conversation.turns, conversation.speaker, sampleRateHz);
  log.say('\nLatency, from the end of the caller’s speech to the first audible answer:');
  log.say(latencyTable(turns, call.metrics).trimEnd());
  const dir = options.out ?? join('out', conversation.callId);
  const saved = await saveCall(client, conversation, { dir, sampleRateHz });
  log.say(`\nThe call is ${call.status}${call.endReason ? ` (${call.endReason})` : ''}.`);
  log.say(`Written to ${saved.dir}: ${saved.files.join(', ')}`);
  for (const fault of saved.missing) log.say(`Not written: ${fault}`);
  const unplayed = options.files.length - conversation.turns.length;
  if (unplayed > 0) log.say(`The call ended before ${unplayed} of the recordings could be played.`);
  return unplayed > 0 || conversation.unanswered > 0 ? 3 : 0;
}

/** Waits for the finished record and then for the recording, which is stored last. */
async function finishedCall(
  client: ServiceClient,
  callId: string,
  signal: AbortSignal,
): Promise<Call> {
  let deadline = AbortSignal.timeout(FINISHED_MS);
  let isFinished = false;
  for (;;) {
    const call = await client.getCall(callId);
    if (call.status === 'finished' && !isFinished) {
      isFinished = true;
      deadline = AbortSignal.timeout(RECORDED_MS);
    }
    if ((isFinished && call.recording) || deadline.aborted) return call;
    await delay(POLL_MS, undefined, { signal });
  }
}
