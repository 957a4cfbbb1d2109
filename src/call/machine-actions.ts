import { acknowledgeWait } from './acknowledge.ts';
import { askPredictor, takePrediction } from './ask-predictor.ts';
import * as bargeIn from './barge-in.ts';
import { commitTurn, keepLastWords } from './commit-turn.ts';
import { CONSTANTS } from './constants.ts';
import { obeyControl, sayNext } from './control.ts';
import type { CallEvent } from './events.ts';
import { beginFarewell, endAfterReply, finishCall } from './farewell.ts';
import * as generation from './generation.ts';
import { promptIdle } from './idle.ts';
import * as keypad from './keypad.ts';
import type { InnerEvent, Mind } from './mind.ts';
import * as playback from './playback.ts';
import * as reply from './reply.ts';
import * as toolAnswers from './tool-answers.ts';
import { sayDelayed } from './tool-delay.ts';
import { invokeWaiting } from './tools.ts';
import { armEndpoint } from './turn-end.ts';
import * as userTurn from './user-turn.ts';
import { answerCall, speakWelcome } from './welcome.ts';

export type MachineEvent = CallEvent | InnerEvent;
interface Args {
  readonly context: { readonly mind: Mind };
  readonly event: MachineEvent;
}

type Of<Type extends MachineEvent['type']> = Extract<MachineEvent, { type: Type }>;

/** An action that gets the event it is for; the statechart only ever calls it there. */
const on =
  <Type extends MachineEvent['type']>(act: (mind: Mind, event: Of<Type>) => void) =>
  ({ context: { mind }, event }: Args) =>
    act(mind, event as Of<Type>);

const ends =
  (reason: string, trigger: 'user' | 'assistant' | undefined) =>
  ({ context: { mind } }: Args) => {
    mind.ending ??= { reason, trigger };
  };

/** What the statechart's transitions do, by name. */
export const actions = {
  answerCall: ({ context: { mind } }: Args) => answerCall(mind),
  speakWelcome: ({ context: { mind } }: Args) => speakWelcome(mind),
  voiceStarted: on<'vad.start'>((mind, event) => {
    userTurn.voiceStarted(mind, event.onsetAt);
    bargeIn.voiceOverReply(mind, event.onsetAt);
  }),
  voiceStopped: on<'vad.stop'>((mind, event) => {
    userTurn.voiceStopped(mind, event.speechEndAt);
    bargeIn.voiceLeftReply(mind, event.speechEndAt);
    if (mind.deadlines.has('welcome')) mind.arm('welcome', mind.now);
  }),
  voiceVanished: ({ context: { mind } }: Args) => userTurn.voiceStopped(mind, mind.now),
  voiceLasts: ({ context: { mind } }: Args) => mind.armIn('voiceAlive', CONSTANTS.voiceSilence),
  takeText: on<'stt.interim' | 'stt.final'>((mind, event) => {
    userTurn.takeText(mind, event);
    bargeIn.wordsOverReply(mind);
  }),
  takePrediction: on<'predict.result'>((mind, { rev, p }) => takePrediction(mind, rev, p)),
  askAgain: ({ context: { mind } }: Args) => askPredictor(mind, true),
  armEndpoint: ({ context: { mind } }: Args) => armEndpoint(mind),
  commitTurn: ({ context: { mind } }: Args) => commitTurn(mind),
  dropTurn: ({ context: { mind } }: Args) => userTurn.dropTurn(mind),
  ungate: ({ context: { mind } }: Args) => userTurn.ungate(mind),
  pump: ({ context: { mind } }: Args) => reply.pump(mind),
  modelSaid: on<'llm.text'>((mind, { genId, text }) => generation.modelSaid(mind, genId, text)),
  modelCalled: on<'llm.toolCall'>((mind, { genId, toolCallId: id, name, problem, ...asked }) =>
    generation.modelCalled(mind, genId, {
      id,
      name,
      arguments: asked.arguments,
      ...(problem === undefined ? {} : { problem }),
    }),
  ),
  modelDone: on<'llm.done'>((mind, { genId }) => generation.modelDone(mind, genId)),
  modelFailed: on<'llm.error'>((mind, { genId, error }) =>
    generation.modelFailed(mind, genId, error),
  ),
  modelSilent: ({ context: { mind } }: Args) => generation.modelSilent(mind),
  replyHangs: ({ context: { mind } }: Args) => generation.replyHangs(mind),
  sayFiller: ({ context: { mind } }: Args) => generation.sayFiller(mind),
  replyOverdue: ({ context: { mind } }: Args) => generation.replyOverdue(mind),
  toolResult: on<'tool.result'>((mind, { toolCallId, result, message }) =>
    toolAnswers.toolAnswered(mind, { toolCallId, ok: true, content: result, message }),
  ),
  toolError: on<'tool.error'>((mind, { toolCallId, error, message }) =>
    toolAnswers.toolAnswered(mind, { toolCallId, ok: false, content: error, message }),
  ),
  invokeWaiting: ({ context: { mind } }: Args) => invokeWaiting(mind),
  toolsOverdue: ({ context: { mind } }: Args) => toolAnswers.toolsOverdue(mind),
  endToolHold: ({ context: { mind } }: Args) => generation.endToolHold(mind),
  sayDelayed: ({ context: { mind } }: Args) => sayDelayed(mind),
  continueReply: ({ context: { mind } }: Args) => {
    const { reply: open } = mind;
    const waits = open && !open.generating && !open.textDone;
    if (waits && open.interruptedAt === undefined) generation.startGeneration(mind, open);
  },
  voiceGaveAudio: on<'tts.audio'>((mind, { uttId }) => reply.voiceGaveAudio(mind, uttId)),
  voiceTimedWords: on<'tts.words'>((mind, { uttId, words }) => {
    const utterance = reply.findUtterance(mind, uttId);
    if (utterance) utterance.words = [...utterance.words, ...words];
  }),
  voiceDone: on<'tts.done'>((mind, { uttId, totalMs }) => {
    const utterance = reply.findUtterance(mind, uttId);
    if (utterance) utterance.totalMs = totalMs;
    if (utterance?.state === 'voicing') {
      reply.voiceFailed(mind, uttId, { code: 'no_audio', message: 'the voice gave no audio' });
    }
  }),
  voiceFailed: on<'tts.failed'>((mind, { uttId, error }) => reply.voiceFailed(mind, uttId, error)),
  playStarted: on<'play.started'>((mind, { uttId }) => playback.playStarted(mind, uttId)),
  playProgressed: on<'play.mark'>((mind, { uttId, playedMs }) =>
    playback.playProgressed(mind, uttId, playedMs),
  ),
  playFinished: on<'play.finished'>((mind, { uttId }) => playback.playFinished(mind, uttId)),
  decideHold: ({ context: { mind } }: Args) => bargeIn.decideHold(mind),
  resume: ({ context: { mind } }: Args) => bargeIn.resumeReply(mind),
  release: ({ context: { mind } }: Args) => bargeIn.releaseReply(mind),
  endHold: ({ context: { mind } }: Args) => bargeIn.endHold(mind),
  interrupt: ({ context: { mind } }: Args) => bargeIn.interruptReply(mind),
  settleCut: on<'play.cleared'>((mind, event) => bargeIn.settleCut(mind, event)),
  settleCutBlind: ({ context: { mind } }: Args) => bargeIn.settleCut(mind),
  playbackStalled: ({ context: { mind } }: Args) => {
    mind.emit({
      type: 'webhook',
      kind: 'error',
      data: { type: 'playback', code: 'playback_stalled', message: 'playback does not advance' },
    });
    mind.raise('mind.interrupt');
  },
  interruptIfVoiced: ({ context: { mind } }: Args) => {
    if (mind.voiced) mind.raise('mind.interrupt');
  },
  waitForFloor: ({ context: { mind } }: Args) => userTurn.waitForFloor(mind),
  /** E1, E2: the reply was the last one. */
  endAfterReply: ({ context: { mind } }: Args) => endAfterReply(mind),
  promptIdle: ({ context: { mind } }: Args) => promptIdle(mind),
  obeyControl: on<'control.say' | 'control.end' | 'control.addMessage' | 'control.mute'>(
    (mind, event) => obeyControl(mind, event),
  ),
  sayNext: ({ context: { mind } }: Args) => sayNext(mind),
  mediaLost: ({ context: { mind } }: Args) => {
    mind.mediaLost = true;
    const web = mind.settings.callType === 'web';
    mind.armIn('mediaLost', web ? CONSTANTS.mediaLostWeb : CONSTANTS.mediaLostPhone);
    mind.disarm('stall');
  },
  mediaResumed: ({ context: { mind } }: Args) => {
    mind.mediaLost = false;
    mind.disarm('mediaLost');
    if (mind.assistant === 'speaking') mind.armIn('stall', CONSTANTS.stall);
  },
  sttFailed: on<'stt.error'>((mind, { error }) => {
    mind.sttDown = true;
    mind.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'stt' } });
    if (error.retryable !== false) return;
    const failure = { code: error.code, message: error.message };
    const ending = { reason: 'recogniser-failed', trigger: 'assistant', failure } as const;
    beginFarewell(mind, ending, mind.settings.lines.technicalFarewell);
  }),
  sttReady: ({ context: { mind } }: Args) => {
    mind.sttDown = false;
  },
  systemEnd: on<'system.end'>((mind, { reason, text }) =>
    beginFarewell(mind, { reason, trigger: undefined }, text ?? ''),
  ),
  legFailed: on<'leg.failed'>((mind, { reason }) => {
    mind.ending = { reason, trigger: undefined };
  }),
  hungUp: ends('user-hung-up', 'user'),
  lostForGood: ends('connection-lost', undefined),
  timeUp: ({ context: { mind } }: Args) => {
    mind.ending ??= { reason: 'max-duration', trigger: 'assistant' };
    if (mind.reply?.isProtected) mind.armIn('maxDurationGrace', CONSTANTS.maxDurationGrace);
    else mind.raise('mind.finish');
  },
  raiseFinish: ({ context: { mind } }: Args) => mind.raise('mind.finish'),
  finish: ({ context: { mind } }: Args) => {
    keepLastWords(mind);
    finishCall(mind);
  },
  acknowledgeWait: ({ context: { mind } }: Args) => acknowledgeWait(mind),
  pressKey: on<'dtmf'>((mind, { digit }) => keypad.pressKey(mind, digit)),
  flushKeys: ({ context: { mind } }: Args) => keypad.flushKeys(mind),
  /** N1. An eager judgement may still be taken back, so it ends nothing. */
  judgeTurn: on<'stt.eot'>((mind, { eager }) => {
    if (!mind.turn || mind.settings.startSpeaking.smartEndpointing !== 'recogniser') return;
    mind.turn.eagerEnd = true;
    if (eager) return;
    mind.turn.judgedOver = true;
    if (!mind.voiced) armEndpoint(mind);
  }),
  keepLastWords: ({ context: { mind } }: Args) => keepLastWords(mind),
};
