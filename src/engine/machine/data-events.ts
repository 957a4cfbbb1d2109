import { reviewDraft } from '../reply/draft.ts';
import { beginFarewell } from '../reply/farewell.ts';
import * as generation from '../reply/generation.ts';
import { playFinished, playProgressed } from '../reply/playback.ts';
import { findUtterance, pump, voiceFailed, voiceGaveAudio } from '../reply/reply.ts';
import { isInPlayout, isPaused } from '../reply/reply-phase.ts';
import { takeOver } from '../reply/take-over.ts';
import * as toolAnswers from '../tools/tool-answers.ts';
import { sayDelayed } from '../tools/tool-lines.ts';
import { invokeWaiting } from '../tools/tools.ts';
import { acknowledgeWait } from '../turn/acknowledge.ts';
import { takeAsMeant } from '../turn/addressee.ts';
import { takePrediction } from '../turn/ask-predictor.ts';
import { flushAtLull } from '../turn/flush-at-lull.ts';
import { hearText } from '../turn/hear-text.ts';
import { pressKey, takeTyped } from '../turn/keypad.ts';
import * as nearVoice from '../turn/near-voice.ts';
import { supervisorSaid } from '../turn/supervise.ts';
import { armEndpoint, judgeTurn } from '../turn/turn-end.ts';
import { ungate, voiceGoesOn } from '../turn/user-turn.ts';
import type { DataEventType, EngineEvent, EventOf } from './chart-events.ts';
import { CONTROL_EVENTS } from './control.ts';
import type { Rule } from './effects.ts';

/** Changes nothing; the event is in the journal for people. */
const onlyJournalled: Rule<EngineEvent> = () => undefined;

/** Only an utterance that was sent to playout can be heard. */
const ifSent =
  <Event extends { readonly uttId: number }>(rule: Rule<Event>): Rule<Event> =>
  (state, effects, event) => {
    const utterance = findUtterance(state, event.uttId);
    if (utterance && isInPlayout(utterance)) rule(state, effects, event);
  };

/**
 * The events that change a call's data and no state of the statechart, with the rule of each. An event that the
 * statechart does not handle must be listed here.
 */
export const DATA_EVENTS: { readonly [Type in DataEventType]: Rule<EventOf<Type>> } = {
  'leg.ringing': onlyJournalled,
  'operator.ringing': onlyJournalled,
  'vad.start': nearVoice.hearVoice,
  'vad.maybe': nearVoice.hearMaybe,
  'vad.level': nearVoice.hearLevel,
  'vad.stop': nearVoice.hearSilence,
  'vad.lull': flushAtLull,
  'vad.alive': (state, effects) => {
    if (state.user.heard.near) voiceGoesOn(effects);
  },
  'timer.wordless': nearVoice.voiceHasNoWords,
  'stt.interim': hearText,
  'stt.final': hearText,
  'predict.result': (state, effects, { rev, p }) => {
    if (effects.chart.user !== 'pausing') return;
    takePrediction(state, effects, rev, p);
    armEndpoint(state, effects);
  },
  'stt.eot': judgeTurn,
  'stt.error': (state, effects, { error }) => {
    state.user.sttDown = true;
    effects.emit({ type: 'webhook', kind: 'error', data: { ...error, type: 'stt' } });
    if (error.retryable !== false) return;
    const failure = { code: error.code, message: error.message };
    const ending = { reason: 'recogniser-failed', trigger: 'assistant', failure } as const;
    beginFarewell(state, effects, ending, state.settings.lines.technicalFarewell);
  },
  'stt.ready': (state) => {
    state.user.sttDown = false;
  },
  'supervisor.said': supervisorSaid,
  /** The call goes on; only its owner is notified. */
  'vendor.failover': (_state, effects, { port, error, successor }) =>
    effects.emit({ type: 'webhook', kind: 'error', data: { ...error, type: port, successor } }),
  'call.resumed': takeOver,
  dtmf: (state, effects, { digit }) => pressKey(state, effects, digit),
  typed: (state, effects, { text }) => takeTyped(state, effects, text),

  'llm.text': (state, effects, { genId, text }) =>
    generation.modelSaid(state, effects, genId, text),
  'llm.toolCall': (state, effects, { genId, toolCallId: id, name, problem, ...asked }) =>
    generation.modelCalled(state, effects, genId, {
      id,
      name,
      arguments: asked.arguments,
      ...(problem === undefined ? {} : { problem }),
    }),
  'llm.done': (state, effects, { genId }) => generation.modelDone(state, effects, genId),
  'llm.error': (state, effects, { genId, error }) =>
    generation.modelFailed(state, effects, genId, error),
  'timer.llmFirst': generation.modelSilent,
  'timer.hang': generation.replyHangs,
  'timer.filler': generation.sayFiller,
  'timer.giveUp': generation.replyOverdue,
  'timer.addressee': takeAsMeant,
  'timer.ack': acknowledgeWait,
  'timer.ungate': ungate,
  'timer.audioFloor': pump,
  /** S1: a draft depends on nearly everything in a call, so it is reviewed after each event. */
  'internal.settled': reviewDraft,
  /** The review after it does the work. */
  'timer.draft': onlyJournalled,

  'tool.result': (state, effects, { toolCallId, result, message }) =>
    toolAnswers.toolAnswered(state, effects, { toolCallId, ok: true, content: result, message }),
  'tool.error': (state, effects, { toolCallId, error, message, code }) =>
    toolAnswers.toolAnswered(state, effects, {
      toolCallId,
      ok: false,
      content: error,
      message,
      code,
    }),
  'timer.toolGate': invokeWaiting,
  'timer.toolHold': generation.endToolHold,
  'timer.toolDelay': sayDelayed,
  'timer.toolOverdue': toolAnswers.toolsOverdue,
  'internal.toolsSettled': (state, effects) => {
    const { reply } = state.assistant;
    if (reply && isPaused(reply)) generation.startGeneration(state, effects, reply);
  },

  'tts.audio': (state, effects, { uttId }) => voiceGaveAudio(state, effects, uttId),
  'tts.words': (state, _effects, { uttId, words }) => {
    const utterance = findUtterance(state, uttId);
    if (utterance) utterance.words = [...utterance.words, ...words];
  },
  'tts.done': (state, effects, { uttId, totalMs }) => {
    const utterance = findUtterance(state, uttId);
    if (utterance) utterance.totalMs = totalMs;
    if (utterance?.stage !== 'voicing') return;
    voiceFailed(state, effects, uttId, { code: 'no_audio', message: 'the voice gave no audio' });
  },
  'tts.failed': (state, effects, { uttId, error }) => voiceFailed(state, effects, uttId, error),
  'play.mark': ifSent((state, effects, { uttId, playedMs }) =>
    playProgressed(state, effects, uttId, playedMs),
  ),
  'play.held': ifSent((state, effects, { uttId, playedMs }) =>
    playProgressed(state, effects, uttId, playedMs),
  ),
  'play.finished': ifSent((state, effects, { uttId }) => playFinished(state, effects, uttId)),

  ...CONTROL_EVENTS,
};
