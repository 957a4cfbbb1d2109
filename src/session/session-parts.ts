import { Volume } from '../audio/volume.ts';
import type { TurnMetrics } from '../contract/call-journal.ts';
import type { PartFailure } from '../contract/failures.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import type { Checkpoint, RestoredCall } from '../engine/machine/replay.ts';
import { createReplySplitter } from '../engine/reply/split-reply.ts';
import type { CallSettings } from '../engine/settings/settings.ts';
import { isDiskFull } from '../lib/disk-errors.ts';
import type { CallBatch, CallPatch, CallStore } from '../ports/call-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Llm, LlmUsage } from '../ports/llm.ts';
import type { Log } from '../ports/log.ts';
import type { OperatorLine } from '../ports/operator-line.ts';
import type { TurnPredictor } from '../ports/predictor.ts';
import type { RecordingConsent } from '../ports/recording-consent.ts';
import type { RecordRedaction } from '../ports/redaction.ts';
import type { Sounds } from '../ports/sounds.ts';
import type { Stt } from '../ports/stt.ts';
import type { ToolRunner } from '../ports/tool.ts';
import type { Tts } from '../ports/tts.ts';
import type { Vad } from '../ports/vad.ts';
import { Listener } from './inbound/listener.ts';
import type { RecognitionOptions } from './inbound/stt-line.ts';
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
import { type EarlierRecordings, Recorder, type RecordingFile } from './record/recorder.ts';
import { SealedRecording } from './record/sealed-recording.ts';
import type { Ticker } from './ticker.ts';
import { ToolExecutor } from './tool-executor.ts';

/** Everything in which one call differs from another. */
export interface SessionInit {
  readonly callId: string;
  readonly settings: CallSettings;
  readonly voice: VoiceOptions;
  readonly model: ModelOptions;
  readonly recognition: RecognitionOptions;
  /** Absent: no background sound. `url` replaces the built-in ambience. */
  readonly background?: { readonly url?: string; readonly volume: number };
  /** What the call begins without. */
  readonly missing?: readonly PartFailure[];
  /** Absent: the call is not recorded. */
  readonly recordingPath?: string;
  /** The call that an earlier process has left; absent: a new one. */
  readonly restored?: RestoredCall;
}

/** The outside services that a session uses. */
export interface SessionDeps {
  readonly clock: Clock;
  /** Rings the timers of the engine. @defaultValue `clock` */
  readonly timers?: Clock;
  readonly ticker: Ticker;
  readonly llm: Llm;
  readonly stt: Stt;
  readonly tts: Tts;
  readonly vad: Vad;
  /** Needed if the call's settings choose an external turn predictor. */
  readonly predictor?: TurnPredictor;
  readonly tools: ToolRunner;
  /** Absent: every transfer fails. */
  readonly operators?: OperatorLine;
  /** Absent: no background sound, no hold music. */
  readonly sounds?: Sounds;
  readonly store: CallStore;
  /** Keeps a batch that the store refused to the end. */
  readonly keepUnsaved: (batch: CallBatch) => Promise<void>;
  /** Absent: the call may be recorded from its beginning on. */
  readonly consent?: RecordingConsent;
  /** Absent: the call's record is kept as it is. `store` and `keepUnsaved` get it redacted. */
  readonly redaction?: RecordRedaction;
  /** Keeps the call as it is now, before it changes, for a process that takes it over; absent: nobody needs that. */
  readonly keepCheckpoint?: (checkpoint: Checkpoint) => void;
  readonly log: Log;
  /** Opens connections to vendors ahead of their use. Cheap if they are open. */
  readonly warm?: () => void;
  /** Usage and cost of the call so far. */
  readonly bill?: () => Pick<CallPatch, 'usage' | 'cost'>;
  /** What earlier processes have recorded of the call. */
  readonly earlierRecordings?: EarlierRecordings;
  /** Creates the file of the recording. @defaultValue a file in the clear */
  readonly openRecording?: (path: string) => Promise<RecordingFile>;
  /** Gets the metrics of each answered turn. */
  readonly onTurn?: (metrics: TurnMetrics) => void;
  /** The disk failed, and the recording ended there. */
  readonly onRecordingStopped?: (error: unknown) => void;
}

/** As long as the record itself waits for the store when a call is over. */
const JUDGED_MS = 15_000;

/** How the parts report to the session. */
export interface PartHooks {
  readonly emit: (event: CallEvent) => void;
  /** Stores the journal so far; false if that is not possible in time, by default two seconds. */
  readonly durable: (withinMs?: number) => Promise<boolean>;
  /** False if another process owns the call: its recording is no longer ours to change. */
  readonly ownsCall: () => Promise<boolean>;
  /** Converts a clock instant to ms since the call began. */
  readonly at: (clockMs: number) => number;
  readonly onUsage: (genId: number, usage: LlmUsage) => void;
  readonly onWaste: (genId: number, usage: LlmUsage | undefined) => void;
  readonly onUnexpected: (error: unknown) => void;
  /** From now on the call is not recorded. */
  readonly onRecordingStopped: (reason: 'disk-full' | 'disk-failed') => void;
}

/** The parts that carry out one call's commands. */
export interface SessionParts {
  readonly listener: Listener;
  readonly responder: Responder;
  readonly voice: Voice;
  readonly playout: Playout;
  readonly volume: Volume;
  readonly tools: ToolExecutor;
  readonly predictor: TurnPredictorClient | undefined;
  readonly backchannels: BackchannelPlayer | undefined;
  readonly sounds: CallSounds | undefined;
  readonly recorder: Recorder | undefined;
  readonly monitor: Monitor;
  /** Learns what the caller's loudspeaker plays, to tell its echo from the caller. */
  readonly far: PlayoutTap;
}

export function createParts(
  init: SessionInit,
  deps: SessionDeps,
  legRateHz: number,
  hooks: PartHooks,
): SessionParts {
  const { clock, tts, predictor, sounds } = deps;
  const { emit, at, onUnexpected } = hooks;
  const { settings, background } = init;
  const recorder = init.recordingPath
    ? createRecorder({ ...init, path: init.recordingPath }, deps, legRateHz, hooks)
    : undefined;
  const far = new FarLevels(legRateHz);
  const volume = new Volume();
  const monitor = new Monitor({ clock, legRateHz });
  const mixer = new BackgroundMixer(legRateHz);
  const playout = new Playout({
    mixer,
    volume,
    clock,
    ticker: deps.ticker,
    emit: (event) => {
      if (!isAboutBackchannel(event)) emit(event);
    },
    tap: inTurn(recorder ? [far, monitor, recorder] : [far, monitor]),
  });
  const tools = new ToolExecutor({
    callId: init.callId,
    clock,
    runner: deps.tools,
    tools: settings.tools,
    durable: () => hooks.durable(),
    emit,
  });
  const createVoice = (emitVoice: PartHooks['emit'], onAudio: () => void) =>
    new Voice({
      clock,
      tts,
      options: init.voice,
      sampleRateHz: legRateHz,
      emit: emitVoice,
      onAudio,
      onUnexpected,
    });
  const { phoneNumber, holdMusicUrl } = settings.transfer;
  return {
    recorder,
    monitor,
    far,
    playout,
    volume,
    tools,
    listener: new Listener({
      clock,
      legRateHz,
      vad: deps.vad,
      stt: deps.stt,
      recognition: init.recognition,
      isTakenOver: init.restored !== undefined,
      playedDb: (clockMs) => far.levelAt(clockMs),
      awaitsBeep: settings.callType === 'phone' && settings.direction === 'outbound',
      emit,
      at,
      onUnexpected,
    }),
    responder: new Responder({
      clock,
      llm: deps.llm,
      options: init.model,
      createSplitter: () => createReplySplitter(settings.responseSplitter),
      checkTool: (call, signal) => tools.check(call, signal),
      emit,
      onUsage: hooks.onUsage,
      onWaste: hooks.onWaste,
      onUnexpected,
    }),
    voice: createVoice(emit, () => playout.nudge()),
    backchannels: settings.backchanneling
      ? new BackchannelPlayer({
          phrases: settings.lines.backchannels,
          createVoice: (emitBackchannel) => createVoice(emitBackchannel, () => undefined),
          playout,
        })
      : undefined,
    sounds:
      sounds &&
      new CallSounds({
        sounds,
        mixer,
        sampleRateHz: legRateHz,
        onChange: () => playout.refresh(),
        ...(background ? { background } : {}),
        ...(phoneNumber && holdMusicUrl ? { expectedHoldUrl: holdMusicUrl } : {}),
      }),
    predictor:
      settings.predictor === 'outside' && predictor
        ? new TurnPredictorClient({
            clock,
            predictor,
            languages: settings.languages,
            legRateHz,
            emit,
            onUnexpected,
          })
        : undefined,
  };
}

function createRecorder(
  { path, restored }: Pick<SessionInit, 'restored'> & { readonly path: string },
  deps: SessionDeps,
  legRateHz: number,
  hooks: PartHooks,
): Recorder {
  const { clock, earlierRecordings, openRecording, onRecordingStopped, redaction, consent } = deps;
  const sealed = redaction?.sound && new SealedRecording(path, redaction.sound, openRecording);
  return new Recorder({
    clock,
    path,
    legRateHz,
    // Where a part of a taken-over call has to be taken out, only the earlier process could tell.
    held: consent !== undefined || (restored !== undefined && sealed !== undefined),
    ...(sealed
      ? {
          openFile: () => sealed.openFile(),
          // What is not yet stored has not been judged.
          finish: async (own, signal) => {
            if (own && (await hooks.durable(JUDGED_MS))) return sealed.finish(own, signal);
            await sealed.remove();
            return undefined;
          },
        }
      : openRecording
        ? { openFile: openRecording }
        : {}),
    earlier: earlierRecordings && {
      join: async (signal) =>
        (await hooks.ownsCall()) ? earlierRecordings.join(signal) : undefined,
      remove: async () => {
        if (await hooks.ownsCall()) await earlierRecordings.remove();
      },
    },
    onError(error) {
      hooks.onUnexpected(error);
      hooks.onRecordingStopped(isDiskFull(error) ? 'disk-full' : 'disk-failed');
      onRecordingStopped?.(error);
    },
  });
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
