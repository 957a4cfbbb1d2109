import { arms, disarms } from '../state-timers.ts';

/** A, B: what the caller hears of the assistant. */
export const assistant = {
  initial: 'idle',
  on: { 'internal.finish': '.idle' },
  states: {
    idle: { on: { 'internal.reply': 'thinking' } },
    thinking: {
      exit: disarms('audioFloor'),
      on: {
        'play.started': {
          guard: 'wasSent',
          target: 'speaking',
          actions: ['playStarted', disarms('ungate')],
        },
        'internal.replyOver': { guard: 'hasNoReply', target: 'idle' },
      },
    },
    speaking: {
      entry: arms('stall', 'stallMs'),
      exit: disarms('stall', 'hold'),
      on: {
        'play.started': {
          guard: 'wasSent',
          actions: ['playStarted', disarms('ungate'), arms('stall', 'stallMs')],
        },
        'media.lost': { actions: disarms('stall') },
        'process.lost': { actions: disarms('stall') },
        'media.resumed': { actions: ['resumePlayback', arms('stall', 'stallMs')] },
        'internal.voiceStopped': { guard: 'callerSpeaks', actions: disarms('hold') },
        'timer.hold': { actions: 'decideHold' },
        'timer.stall': { actions: 'playbackStalled' },
        // B4, K4: limits how long a reply is held; `output` limits a mute.
        'internal.hold': [
          {
            guard: 'hearsSlowly',
            target: 'held',
            actions: [arms('heldMax', 'heldMaxMs'), arms('voiceOnly', 'holdConfirmMs')],
          },
          { target: 'held', actions: arms('heldMax', 'heldMaxMs') },
        ],
        'internal.mute': 'held',
        'internal.interrupt': { target: 'yielding', actions: 'interrupt' },
        'internal.replyOver': { guard: 'hasNoReply', target: 'idle' },
        'internal.reply': 'thinking',
      },
    },
    held: {
      exit: disarms('heldMax', 'voiceOnly', 'resume', 'hold', 'addressee'),
      on: {
        'internal.voiceStopped': { guard: 'callerSpeaks', actions: disarms('hold', 'voiceOnly') },
        'timer.resume': { guard: 'notMuted', target: 'speaking', actions: 'resume' },
        'timer.voiceOnly': { actions: 'interruptIfVoiced' },
        'timer.heldMax': { actions: 'endHold' },
        'internal.release': { guard: 'notMuted', target: 'speaking', actions: 'release' },
        'internal.interrupt': { target: 'yielding', actions: 'interrupt' },
        'internal.replyOver': { guard: 'hasNoReply', target: 'idle' },
        'internal.reply': 'thinking',
      },
    },
    yielding: {
      entry: [disarms('toolDelay'), arms('cleared', 'clearTimeoutMs')],
      exit: disarms('cleared'),
      on: {
        'play.cleared': { actions: 'settleCut' },
        'timer.cleared': { actions: 'settleCutBlind' },
        'internal.replyOver': { guard: 'hasNoReply', target: 'idle' },
        'internal.reply': 'thinking',
      },
    },
  },
} as const;
