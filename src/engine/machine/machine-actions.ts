import type { EndReason } from '../../contract/failures.ts';
import { beginFarewell, endAfterReply, finishCall } from '../reply/farewell.ts';
import * as generation from '../reply/generation.ts';
import * as playback from '../reply/playback.ts';
import * as reply from '../reply/reply.ts';
import { answerCall, speakWelcome } from '../reply/welcome.ts';
import * as toolAnswers from '../tools/tool-answers.ts';
import { sayDelayed } from '../tools/tool-delay.ts';
import { invokeWaiting } from '../tools/tools.ts';
import { acknowledgeWait } from '../turn/acknowledge.ts';
import { askPredictor, takePrediction } from '../turn/ask-predictor.ts';
import { awaitMurmur, murmur } from '../turn/backchannel.ts';
import * as bargeIn from '../turn/barge-in.ts';
import { unpark } from '../turn/caller-hold.ts';
import { commitTurn, keepLastWords } from '../turn/commit-turn.ts';
import { promptIdle } from '../turn/idle.ts';
import * as keypad from '../turn/keypad.ts';
import { dropMuted } from '../turn/mute.ts';
import * as screening from '../turn/screening.ts';
import { armEndpoint } from '../turn/turn-end.ts';
import * as userTurn from '../turn/user-turn.ts';
import { act, on } from './action.ts';
import { CONSTANTS } from './constants.ts';
import { type ControlEvent, obeyControl, sayNext } from './control.ts';
import { transferActions } from './transfer-actions.ts';

const ends = (reason: EndReason, trigger: 'user' | 'assistant' | undefined) =>
  act((mind) => {
    mind.ending ??= { reason, trigger };
  });

/** What the statechart's transitions do, by name. */
export const actions = {
  answerCall: act(answerCall),
  speakWelcome: act(speakWelcome),
  voiceStarted: on<'vad.start'>((mind, event) => {
    userTurn.voiceStarted(mind, event.onsetAt);
    bargeIn.voiceOverReply(mind, event.onsetAt);
  }),
  voiceStopped: on<'vad.stop'>((mind, event) => {
    userTurn.voiceStopped(mind, event.speechEndAt);
    bargeIn.voiceLeftReply(mind, event.speechEndAt);
    awaitMurmur(mind);
    if (mind.deadlines.has('welcome') && mind.screening !== 'classifying') {
      mind.arm('welcome', mind.now);
    }
  }),
  voiceVanished: act((mind) => userTurn.voiceStopped(mind, mind.now)),
  voiceLasts: act((mind) => mind.armIn('voiceAlive', CONSTANTS.voiceSilence)),
  takeText: on<'stt.interim' | 'stt.final'>((mind, event) => {
    userTurn.takeText(mind, event);
    bargeIn.wordsOverReply(mind);
  }),
  takePrediction: on<'predict.result'>((mind, { rev, p }) => takePrediction(mind, rev, p)),
  askAgain: act((mind) => askPredictor(mind, true)),
  armEndpoint: act(armEndpoint),
  commitTurn: act(commitTurn),
  dropTurn: act(userTurn.dropTurn),
  ungate: act(userTurn.ungate),
  pump: act(reply.pump),
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
  modelSilent: act(generation.modelSilent),
  replyHangs: act(generation.replyHangs),
  sayFiller: act(generation.sayFiller),
  replyOverdue: act(generation.replyOverdue),
  toolResult: on<'tool.result'>((mind, { toolCallId, result, message }) =>
    toolAnswers.toolAnswered(mind, { toolCallId, ok: true, content: result, message }),
  ),
  toolError: on<'tool.error'>((mind, { toolCallId, error, message, code }) =>
    toolAnswers.toolAnswered(mind, { toolCallId, ok: false, content: error, message, code }),
  ),
  invokeWaiting: act(invokeWaiting),
  toolsOverdue: act(toolAnswers.toolsOverdue),
  endToolHold: act(generation.endToolHold),
  sayDelayed: act(sayDelayed),
  continueReply: act((mind) => {
    const { reply: open } = mind;
    const waits = open && !open.generating && !open.textDone;
    if (waits && open.interruptedAt === undefined) generation.startGeneration(mind, open);
  }),
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
  playProgressed: on<'play.mark' | 'play.held'>((mind, { uttId, playedMs }) =>
    playback.playProgressed(mind, uttId, playedMs),
  ),
  playFinished: on<'play.finished'>((mind, { uttId }) => playback.playFinished(mind, uttId)),
  decideHold: act(bargeIn.decideHold),
  resume: act(bargeIn.resumeReply),
  release: act(bargeIn.releaseReply),
  endHold: act(bargeIn.endHold),
  interrupt: act(bargeIn.interruptReply),
  settleCut: on<'play.cleared'>((mind, event) => bargeIn.settleCut(mind, event)),
  settleCutBlind: act((mind) => bargeIn.settleCut(mind)),
  playbackStalled: act((mind) => {
    mind.emit({
      type: 'webhook',
      kind: 'error',
      data: { type: 'playback', code: 'playback_stalled', message: 'playback does not advance' },
    });
    mind.raise('mind.interrupt');
  }),
  interruptIfVoiced: act((mind) => {
    if (mind.voiced) mind.raise('mind.interrupt');
  }),
  waitForFloor: act(userTurn.waitForFloor),
  /** E1, E2: the reply was the last one. */
  endAfterReply: act(endAfterReply),
  promptIdle: act(promptIdle),
  obeyControl: on<ControlEvent['type']>((mind, event) => obeyControl(mind, event)),
  sayNext: act(sayNext),
  mediaLost: act((mind) => {
    mind.mediaLost = true;
    const web = mind.settings.callType === 'web';
    mind.armIn('mediaLost', web ? CONSTANTS.mediaLostWeb : CONSTANTS.mediaLostPhone);
    mind.disarm('stall');
  }),
  mediaResumed: act((mind) => {
    mind.mediaLost = false;
    mind.disarm('mediaLost');
    if (mind.assistant !== 'speaking') return;
    playback.playsOn(mind);
    mind.armIn('stall', CONSTANTS.stall);
  }),
  sttFailed: on<'stt.error'>((mind, { error }) => {
    mind.sttDown = true;
    mind.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'stt' } });
    if (error.retryable !== false) return;
    const failure = { code: error.code, message: error.message };
    const ending = { reason: 'recogniser-failed', trigger: 'assistant', failure } as const;
    beginFarewell(mind, ending, mind.settings.lines.technicalFarewell);
  }),
  /** The call goes on: only its owner is told. */
  tellFailover: on<'vendor.failover'>((mind, { port, error, successor }) =>
    mind.emit({ type: 'webhook', kind: 'error', data: { ...error, type: port, successor } }),
  ),
  sttReady: act((mind) => {
    mind.sttDown = false;
  }),
  systemEnd: on<'system.end'>((mind, { reason, text }) =>
    beginFarewell(mind, { reason, trigger: undefined }, text ?? ''),
  ),
  legFailed: on<'leg.failed'>((mind, { reason }) => {
    mind.ending = { reason, trigger: undefined };
  }),
  hungUp: ends('user-hung-up', 'user'),
  lostForGood: ends('connection-lost', undefined),
  timeUp: act((mind) => {
    mind.ending ??= { reason: 'max-duration', trigger: 'assistant' };
    if (mind.reply?.isProtected) mind.armIn('maxDurationGrace', CONSTANTS.maxDurationGrace);
    else mind.raise('mind.finish');
  }),
  raiseFinish: act((mind) => mind.raise('mind.finish')),
  finish: act((mind) => {
    keepLastWords(mind);
    finishCall(mind);
  }),
  acknowledgeWait: act(acknowledgeWait),
  pressKey: on<'dtmf'>((mind, { digit }) => keypad.pressKey(mind, digit)),
  flushKeys: act(keypad.flushKeys),
  takeTyped: on<'typed'>((mind, { text }) => keypad.takeTyped(mind, text)),
  /** N1. An eager judgement may still be taken back, so it ends nothing. */
  judgeTurn: on<'stt.eot'>((mind, { eager }) => {
    if (!mind.turn || mind.settings.startSpeaking.smartEndpointing !== 'recogniser') return;
    mind.turn.eagerEnd = true;
    if (eager) return;
    mind.turn.judgedOver = true;
    if (!mind.voiced) armEndpoint(mind);
  }),
  keepLastWords: act(keepLastWords),
  unpark: act(unpark),
  dropMuted: act(dropMuted),
  murmur: act(murmur),
  screenSpeech: act(screening.screenSpeech),
  greetHuman: act(screening.greetHuman),
  awaitBeep: act(screening.awaitBeep),
  machineGoesOn: act((mind) => mind.disarm('beep')),
  machinePauses: act((mind) => mind.armIn('beep', CONSTANTS.beepSilence)),
  leaveMessage: act(screening.leaveMessage),
  ...transferActions,
};
