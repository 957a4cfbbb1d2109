import { createResampler } from '../audio/resampler.ts';
import { Volume } from '../audio/volume.ts';
import type { TurnMetrics } from '../call/commands.ts';
import type { CallEvent } from '../call/events.ts';
import type { CallSettings } from '../call/settings.ts';
import { createReplySplitter } from '../call/split-reply.ts';
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
import { CallSounds } from './call-sounds.ts';
import { checkToolCall } from './check-tool-call.ts';
import type { PlayoutTap } from './far-end.ts';
import { FarLevels } from './far-levels.ts';
import { Listener } from './listener.ts';
import { Monitor } from './monitor.ts';
import { isAboutMurmur, Murmurs } from './murmurs.ts';
import { Playout } from './playout.ts';
import { Recorder } from './recorder.ts';
import { type ModelOptions, Responder } from './responder.ts';
import { SoundBed } from './sound-bed.ts';
import { SttLine } from './stt-line.ts';
import type { Ticker } from './ticker.ts';
import { ToolDesk } from './tool-desk.ts';
import { TurnJudge } from './turn-judge.ts';
import { Voice, type VoiceOptions } from './voice.ts';

/** One call, resolved: everything that makes this one different from another. */
export interface SessionInit {
  readonly callId: string;
  readonly settings: CallSettings;
  readonly voice: VoiceOptions;
  readonly model: ModelOptions;
  readonly hearing: Pick<SttOptions, 'languages' | 'hints' | 'phrases'>;
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
}

/** How the parts reach the machine. */
export interface PartHooks {
  readonly emit: (event: CallEvent) => void;
  /** A clock instant on the call's own scale. */
  readonly at: (clockMs: number) => number;
  readonly onUsage: (usage: LlmUsage) => void;
  readonly onWaste: (genId: number, usage: LlmUsage | undefined) => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** The ears, mouth and hands of one call. */
export interface SessionParts {
  readonly listener: Listener;
  readonly responder: Responder;
  readonly voice: Voice;
  readonly playout: Playout;
  readonly volume: Volume;
  readonly tools: ToolDesk;
  readonly judge: TurnJudge | undefined;
  readonly murmurs: Murmurs | undefined;
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
      : new Recorder({ clock, path: init.recordingPath, legRateHz, onError: onUnexpected });
  const far = new FarLevels(legRateHz);
  const volume = new Volume();
  const monitor = new Monitor({ clock, legRateHz });
  const bed = new SoundBed(legRateHz);
  const playout = new Playout({
    bed,
    volume,
    clock,
    ticker: deps.ticker,
    emit: (event) => {
      if (!isAboutMurmur(event)) emit(event);
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
      checkTool: (name, args) => checkToolCall(deps.tools, name, args),
      emit,
      onUsage: hooks.onUsage,
      onWaste: hooks.onWaste,
      onUnexpected,
    }),
    voice: createVoice(emit, () => playout.nudge()),
    murmurs: init.settings.backchanneling
      ? new Murmurs({
          phrases: init.settings.lines.backchannels,
          createVoice: (own) => createVoice(own, () => undefined),
          playout,
        })
      : undefined,
    sounds: deps.sounds && createSounds(init, deps.sounds, { bed, playout, legRateHz }),
    tools: createToolDesk(init, deps, emit),
    judge: createJudge(init, deps, legRateHz, hooks),
  };
}

function createSounds(
  { background, settings }: SessionInit,
  library: Sounds,
  { bed, playout, legRateHz }: { bed: SoundBed; playout: Playout; legRateHz: number },
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
): TurnJudge | undefined {
  if (init.settings.predictor !== 'outside' || !predictor) return undefined;
  return new TurnJudge({
    clock,
    predictor,
    languages: init.settings.languages,
    legRateHz,
    createConverter: createResampler,
    emit,
    onUnexpected,
  });
}

function createToolDesk(
  init: SessionInit,
  deps: SessionDeps,
  emit: (event: CallEvent) => void,
): ToolDesk {
  const named = new Map(init.settings.tools.map((tool) => [tool.definition.name, tool]));
  return new ToolDesk({
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
