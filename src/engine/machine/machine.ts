import { setup } from 'xstate';
import { isOut } from '../reply/reply.ts';
import { soundsLikeMachine } from '../turn/screening.ts';
import { turnText } from '../turn/user-turn.ts';
import type { MachineEvent } from './action.ts';
import { actions } from './machine-actions.ts';
import { isDeaf, type Mind } from './mind.ts';
import { screeningRegion } from './screening-region.ts';
import { transferRegion } from './transfer-region.ts';

/** The statechart of one call (§1): what may happen when. What is then done stands in the files by rule. */
export const callMachine = setup({
  types: {} as { context: { mind: Mind }; input: Mind; events: MachineEvent },
  guards: {
    hasText: ({ context: { mind } }) => turnText(mind) !== '',
    mustEnd: ({ context: { mind } }) => mind.ending !== undefined,
    deaf: ({ context: { mind } }) => isDeaf(mind),
    /** V1: what the called party has said so far is being judged. */
    screened: ({ context: { mind } }) => mind.screening === 'classifying' && turnText(mind) !== '',
    machineSpeaks: ({ context: { mind }, event }) =>
      'text' in event && event.text !== undefined && soundsLikeMachine(mind, event.text),
    transferDue: ({ context: { mind } }) => mind.transferDue !== undefined && !mind.reply,
    /** A leg that was let go says nothing more. */
    sameLeg: ({ context: { mind }, event }) =>
      'legId' in event && event.legId === mind.transfer?.legId,
    /** The caller spoke first while the welcome, the answer to it, was due. */
    greeted: ({ context: { mind } }) => mind.turn?.greeted === true && turnText(mind) !== '',
    /** The assistant still speaks, or what was heard of it is not yet known. */
    floorTaken: ({ context: { mind } }) => mind.reply?.startedAt !== undefined,
    /** What was never given to playout can't be heard. */
    wasSent: ({ context: { mind }, event }) => 'uttId' in event && isOut(mind, event.uttId),
    notMuted: ({ context: { mind } }) => !mind.assistantMuted,
    hasNoReply: ({ context: { mind } }) => mind.reply === undefined,
  },
  actions,
}).createMachine({
  id: 'call',
  context: ({ input }) => ({ mind: input }),
  type: 'parallel',
  on: {
    'due.welcome': { actions: 'speakWelcome' },
    'due.ungate': { actions: 'ungate' },
    'due.audioFloor': { actions: 'pump' },
    'llm.text': { actions: 'modelSaid' },
    'llm.toolCall': { actions: 'modelCalled' },
    'llm.done': { actions: 'modelDone' },
    'llm.error': { actions: 'modelFailed' },
    'due.llmFirst': { actions: 'modelSilent' },
    'due.hang': { actions: 'replyHangs' },
    'due.filler': { actions: 'sayFiller' },
    'due.giveUp': { actions: 'replyOverdue' },
    'tool.result': { actions: 'toolResult' },
    'tool.error': { actions: 'toolError' },
    'due.toolGate': { actions: 'invokeWaiting' },
    'due.toolHold': { actions: 'endToolHold' },
    'due.toolDelay': { actions: 'sayDelayed' },
    'due.toolOverdue': { actions: 'toolsOverdue' },
    'mind.toolsSettled': { actions: 'continueReply' },
    'tts.audio': { actions: 'voiceGaveAudio' },
    'tts.words': { actions: 'voiceTimedWords' },
    'tts.done': { actions: 'voiceDone' },
    'tts.failed': { actions: 'voiceFailed' },
    'play.mark': { guard: 'wasSent', actions: 'playProgressed' },
    'play.held': { guard: 'wasSent', actions: 'playProgressed' },
    'play.finished': { guard: 'wasSent', actions: 'playFinished' },
    dtmf: { actions: 'pressKey' },
    typed: { actions: 'takeTyped' },
    'due.ack': { actions: 'acknowledgeWait' },
    'due.keys': { actions: 'flushKeys' },
    'due.muted': { actions: 'dropMuted' },
    'due.parked': { actions: 'unpark' },
    'due.idle': { actions: 'promptIdle' },
    'control.say': { actions: 'obeyControl' },
    'control.end': { actions: 'obeyControl' },
    'control.addMessage': { actions: 'obeyControl' },
    'control.mute': { actions: 'obeyControl' },
    'control.forward': { actions: 'obeyControl' },
    'control.dtmf': { actions: 'obeyControl' },
    'media.lost': { actions: 'mediaLost' },
    'media.resumed': { actions: 'mediaResumed' },
    'stt.error': { actions: 'sttFailed' },
    'stt.ready': { actions: 'sttReady' },
    'vendor.failover': { actions: 'tellFailover' },
    'system.end': { actions: 'systemEnd' },
  },
  states: {
    lifecycle: {
      initial: 'queued',
      states: {
        queued: {
          on: {
            'leg.answered': 'ongoing',
            'leg.failed': { target: 'finished', actions: 'legFailed' },
            'remote.hangup': { target: 'finished', actions: 'hungUp' },
            'system.end': 'finished',
          },
        },
        ongoing: {
          entry: 'answerCall',
          on: {
            'mind.close': 'closing',
            'mind.finish': 'finished',
            'mind.bridged': 'forwarded',
            'due.maxDuration': { actions: 'timeUp' },
            'due.maxDurationGrace': 'finished',
            'remote.hangup': { target: 'finished', actions: 'hungUp' },
            'due.mediaLost': { target: 'finished', actions: 'lostForGood' },
            'mind.replyOver': { guard: 'mustEnd', actions: 'endAfterReply' },
          },
        },
        closing: {
          on: {
            'mind.finish': 'finished',
            'mind.replyOver': 'finished',
            'due.farewell': 'finished',
            'due.mediaLost': 'finished',
            'remote.hangup': 'finished',
          },
        },
        /** X5: the caller talks with the operator; this call only carries their sound. */
        forwarded: {
          on: {
            'mind.finish': 'finished',
            'remote.hangup': 'finished',
            'operator.hungUp': { guard: 'sameLeg', target: 'finished' },
            'due.mediaLost': 'finished',
            'due.transfer': 'finished',
          },
        },
        finished: { entry: 'finish' },
      },
    },
    user: {
      initial: 'silent',
      on: {
        'mind.close': { target: '.silent', actions: 'keepLastWords' },
        'mind.transfer': { target: '.silent', actions: 'keepLastWords' },
        'mind.machine': { target: '.silent', actions: 'keepLastWords' },
        'mind.finish': '.silent',
        'mind.keyed': { target: '.pausing', actions: 'armEndpoint' },
        'stt.eot': { actions: 'judgeTurn' },
      },
      states: {
        silent: {
          on: {
            'vad.start': [{ guard: 'deaf' }, { target: 'speaking', actions: 'voiceStarted' }],
            'stt.interim': [{ guard: 'deaf' }, { actions: 'takeText' }],
            'stt.final': [{ guard: 'deaf' }, { actions: 'takeText' }],
            'mind.turnOpened': { target: 'pausing', actions: 'armEndpoint' },
          },
        },
        speaking: {
          on: {
            'vad.stop': { target: 'pausing', actions: ['voiceStopped', 'armEndpoint'] },
            'due.voiceAlive': { target: 'pausing', actions: ['voiceVanished', 'armEndpoint'] },
            'vad.alive': { actions: 'voiceLasts' },
            'stt.interim': { actions: 'takeText' },
            'stt.final': { actions: 'takeText' },
          },
        },
        pausing: {
          on: {
            'vad.start': { target: 'speaking', actions: 'voiceStarted' },
            'due.murmur': { actions: 'murmur' },
            'stt.interim': { actions: ['takeText', 'armEndpoint'] },
            'stt.final': { actions: ['takeText', 'armEndpoint'] },
            'due.endpoint': [
              { guard: 'screened', target: 'silent', actions: 'greetHuman' },
              { guard: 'greeted', target: 'silent', actions: 'commitTurn' },
              { guard: 'floorTaken', actions: 'waitForFloor' },
              { guard: 'hasText', target: 'silent', actions: 'commitTurn' },
              { target: 'silent', actions: 'dropTurn' },
            ],
            'predict.result': { actions: ['takePrediction', 'armEndpoint'] },
            'due.predict': { actions: ['askAgain', 'armEndpoint'] },
            'due.noText': { target: 'silent', actions: 'dropTurn' },
            'due.unheeded': { target: 'silent', actions: 'dropTurn' },
            'mind.replyOver': { guard: 'hasText', actions: 'armEndpoint' },
          },
        },
      },
    },
    assistant: {
      initial: 'idle',
      on: { 'mind.finish': '.idle' },
      states: {
        idle: { on: { 'mind.reply': 'thinking' } },
        thinking: {
          on: {
            'play.started': { guard: 'wasSent', target: 'speaking', actions: 'playStarted' },
            'mind.replyOver': { guard: 'hasNoReply', target: 'idle' },
          },
        },
        speaking: {
          on: {
            'play.started': { guard: 'wasSent', actions: 'playStarted' },
            'due.hold': { actions: 'decideHold' },
            'due.stall': { actions: 'playbackStalled' },
            'mind.hold': 'held',
            'mind.interrupt': { target: 'yielding', actions: 'interrupt' },
            'mind.replyOver': { guard: 'hasNoReply', target: 'idle' },
            'mind.reply': 'thinking',
          },
        },
        held: {
          on: {
            'due.resume': {
              guard: 'notMuted',
              target: 'speaking',
              actions: 'resume',
            },
            'due.voiceOnly': { actions: 'interruptIfVoiced' },
            'due.heldMax': { actions: 'endHold' },
            'mind.release': { guard: 'notMuted', target: 'speaking', actions: 'release' },
            'mind.interrupt': { target: 'yielding', actions: 'interrupt' },
            'mind.replyOver': { guard: 'hasNoReply', target: 'idle' },
            'mind.reply': 'thinking',
          },
        },
        yielding: {
          on: {
            'play.cleared': { actions: 'settleCut' },
            'due.cleared': { actions: 'settleCutBlind' },
            'mind.replyOver': { guard: 'hasNoReply', target: 'idle' },
            'mind.reply': 'thinking',
          },
        },
      },
    },
    screening: screeningRegion,
    transfer: transferRegion,
  },
});
