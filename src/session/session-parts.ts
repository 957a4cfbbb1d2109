import { createResampler } from '../audio/resampler.ts';
import { Volume } from '../audio/volume.ts';
import type { TurnMetrics } from '../contract/call-journal.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import { createReplySplitter } from '../engine/reply/split-reply.ts';
import type { CallSettings } from '../engine/settings/settings.ts';
import { isDiskFull } from '../lib/disk-errors.ts';
import type { CallBatch, CallPatch, CallStore } from '../ports/call-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Llm, LlmUsage } from '../ports/llm.ts';
import type { Log } from '../ports/log.ts';
import type { OperatorLine } from '../ports/operator-line.ts';
import type { TurnPredictor } from '../ports/predictor.ts';
import type { Sounds } from '../ports/sounds.ts';
import type { Stt, SttOptions } from '../ports/stt.ts';
import type { ToolRunner } from '../ports/tool.ts';
import type { Tts } from '../ports/tts.ts';
import type { Vad } from '../ports/vad.ts';
import { checkToolCall } from './check-tool-call.ts';
import { Listener } from './inbound/listener.ts';
import { SttLine } from './inbound/stt-line.ts';
import { TurnPredictorClient } from './inbound/turn-predictor-client.ts';
import { Monitor } from './monitor.ts';
import { BackchannelPlayer, isAboutBackchannel } from './outbound/backchannel-player.ts';
import { BackgroundMixer } from './outbound/background-mixer.ts';
import { CallSounds } from './outbound/call-sounds.ts';
import type { PlayoutTap } from './outbound/far-end.ts';
import { FarLevels } from './outbound/far-levels.ts';
import { Playout } from './outbound/playout.ts';
import { type ModelOptions, Responder } from './outbound/responder.ts';
import { Voice, type VoiceOptions } from './outbound/voice.ts';
import { Recorder } from './record/recorder.ts';
import type { Ticker } from './ticker.ts';
import { ToolExecutor } from './tool-executor.ts';

/** One call, resolved: everything that makes this one different from another. */
export interface SessionInit {
  readonly callId: string;
  readonly settings: CallSettings;
  readonly voice: VoiceOptions;
  readonly model: ModelOptions;
  readonly hearing: Pick<SttOptions, 'languages' | 'hints' | 'phrases' | 'topics'>;
  /** Absent: silence between the words. `url`: in place of the built-in ambience. */
  readonly background?: { readonly url?: string; readonly volume: number };
  /** Absent: the call is not recorded. */
  readonly recordingPath?: string;
}

/** What a session needs of the world. */
export interface SessionDeps {
  readonly clock: Clock;
  readonly ticker: Ticker;
  readonly llm: Llm;
  readonly stt: Stt;
  readonly tts: Tts;
  readonly vad: Vad;
  /** Wanted where the call's settings name a predictor outside. */
  readonly predictor?: TurnPredictor;
  readonly tools: ToolRunner;
  /** Absent: nobody can be telephoned, and every transfer fails. */
  readonly operators?: OperatorLine;
  /** Absent: no background sound, no hold music. */
  readonly sounds?: Sounds;
  readonly store: CallStore;
  /** Keeps a batch that the store would not take. */
  readonly spill: (batch: CallBatch) => Promise<void>;
  readonly log: Log;
  /** Readies vendors' connections; called when one will soon be needed, cheap when they are ready. */
  readonly warm?: () => void;
  /** What the call used so far. */
  readonly bill?: () => Pick<CallPatch, 'usage' | 'cost'>;
  /** An answered turn, for whoever counts. */
  readonly onTurn?: (metrics: TurnMetrics) => void;
  /** The disk refused the rest of a recording. */
  readonly onRecordingStopped?: (error: unknown) => void;
}

/** How the parts reach the machine. */
export interface PartHooks {
  readonly emit: (event: CallEvent) => void;
  /** A clock instant on the call's own scale. */
  readonly at: (clockMs: number) => number;
  readonly onUsage: (usage: LlmUsage) => void;
  readonly onWaste: (genId: number, usage: LlmUsage | undefined) => void;
  readonly onUnexpected: (error: unknown) => void;
  /** What is said from now on is not recorded. */
  readonly onRecordingStopped: (reason: 'disk-full' | 'disk-failed') => void;
}

/** The ears, mouth and hands of one call. */
export interface SessionParts {
  readonly listener: Listener;
  readonly responder: Responder;
  readonly voice: Voice;
  readonly playout: Playout;
  readonly volume: Volume;
  readonly tools: ToolExecutor;
  readonly judge: TurnPredictorClient | undefined;
  readonly backchannels: BackchannelPlayer | undefined;
  readonly sounds: CallSounds | undefined;
  readonly recorder: Recorder | undefined;
  readonly monitor: Monitor;
}

const DEFAULT_TOOL_TIMEOUT_MS = 20_000;

export function createParts(
  init: SessionInit,
  deps: SessionDeps,
  legRateHz: number,
  hooks: PartHooks,
): SessionParts {
  const { clock, tts } = deps;
  const { emit, onUnexpected } = hooks;
  const recorder =
    init.recordingPath === undefined
      ? undefined
      : new Recorder({
          clock,
          path: init.recordingPath,
          legRateHz,
          onError(error) {
            onUnexpected(error);
            hooks.onRecordingStopped(isDiskFull(error) ? 'disk-full' : 'disk-failed');
            deps.onRecordingStopped?.(error);
          },
        });
  const far = new FarLevels(legRateHz);
  const volume = new Volume();
  const monitor = new Monitor({ clock, legRateHz });
  const bed = new BackgroundMixer(legRateHz);
  const playout = new Playout({
    bed,
    volume,
    clock,
    ticker: deps.ticker,
    emit: (event) => {
      if (!isAboutBackchannel(event)) emit(event);
    },
    tap: inTurn(recorder ? [far, monitor, recorder] : [far, monitor]),
  });
  const createVoice = (own: PartHooks['emit'], onAudio: () => void) =>
    new Voice({
      clock,
      tts,
      options: init.voice,
      sampleRateHz: legRateHz,
      createConverter: createResampler,
      emit: own,
      onAudio,
      onUnexpected,
    });
  return {
    recorder,
    monitor,
    playout,
    volume,
    listener: createListener(init, deps, { legRateHz, far }, hooks),
    responder: new Responder({
      clock,
      llm: deps.llm,
      options: init.model,
      createSplitter: () =>
        createReplySplitter({
          delimiter: init.settings.responseSplitter,
          language: init.settings.languages[0] ?? 'en-US',
        }),
      checkTool: (call, signal) => checkToolCall(deps.tools, call, signal),
      emit,
      onUsage: hooks.onUsage,
      onWaste: hooks.onWaste,
      onUnexpected,
    }),
    voice: createVoice(emit, () => playout.nudge()),
    backchannels: init.settings.backchanneling
      ? new BackchannelPlayer({
          phrases: init.settings.lines.backchannels,
          createVoice: (own) => createVoice(own, () => undefined),
          playout,
        })
      : undefined,
    sounds: deps.sounds && createSounds(init, deps.sounds, { bed, playout, legRateHz }),
    tools: createToolExecutor(init, deps, emit),
    judge: createJudge(init, deps, legRateHz, hooks),
  };
}

function createSounds(
  { background, settings }: SessionInit,
  library: Sounds,
  { bed, playout, legRateHz }: { bed: BackgroundMixer; playout: Playout; legRateHz: number },
): CallSounds {
  const { phoneNumber, holdMusicUrl } = settings.transfer;
  return new CallSounds({
    sounds: library,
    bed,
    sampleRateHz: legRateHz,
    onChange: () => playout.refresh(),
    ...(background ? { background } : {}),
    // Fetched ahead where it may be wanted.
    ...(phoneNumber && holdMusicUrl ? { expectedHoldUrl: holdMusicUrl } : {}),
  });
}

function createListener(
  init: SessionInit,
  deps: SessionDeps,
  { legRateHz, far }: { readonly legRateHz: number; readonly far: FarLevels },
  { emit, at, onUnexpected }: PartHooks,
): Listener {
  const { clock, stt, vad } = deps;
  const sttRateHz = pickRate(stt.inputRatesHz, legRateHz);
  const line = new SttLine({
    clock,
    stt,
    sampleRateHz: sttRateHz,
    options: init.hearing,
    emit,
    at,
    onUnexpected,
  });
  const playedDb = (clockMs: number) => far.levelAt(clockMs);
  const { callType, direction } = init.settings;
  return new Listener({
    clock,
    legRateHz,
    vad,
    stt: line,
    sttRateHz,
    playedDb,
    awaitsBeep: callType === 'phone' && direction === 'outbound',
    emit,
    at,
  });
}

function createJudge(
  init: SessionInit,
  { clock, predictor }: SessionDeps,
  legRateHz: number,
  { emit, onUnexpected }: PartHooks,
): TurnPredictorClient | undefined {
  if (init.settings.predictor !== 'outside' || !predictor) return undefined;
  return new TurnPredictorClient({
    clock,
    predictor,
    languages: init.settings.languages,
    legRateHz,
    createConverter: createResampler,
    emit,
    onUnexpected,
  });
}

function createToolExecutor(
  init: SessionInit,
  deps: SessionDeps,
  emit: (event: CallEvent) => void,
): ToolExecutor {
  const named = new Map(init.settings.tools.map((tool) => [tool.definition.name, tool]));
  return new ToolExecutor({
    callId: init.callId,
    clock: deps.clock,
    tools: deps.tools,
    timeoutMs: (name) => named.get(name)?.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS,
    readOnly: (name) => named.get(name)?.readOnly ?? true,
    emit,
  });
}

/** The leg's own rate where the recogniser takes it, else the best it takes below, else its lowest. */
function pickRate(ratesHz: readonly number[], legRateHz: number): number {
  const sorted = ratesHz.toSorted((a, b) => a - b);
  return sorted.findLast((rate) => rate <= legRateHz) ?? (sorted[0] as number);
}

function inTurn(taps: readonly PlayoutTap[]): PlayoutTap {
  return {
    write(pcm, atMs) {
      for (const tap of taps) tap.write(pcm, atMs);
    },
    erase(fromMs) {
      for (const tap of taps) tap.erase(fromMs);
    },
  };
}
