import { arms, disarms } from '../timers.ts';

/** A, B: what the caller hears of the assistant. */
export const assistant = {
  initial: 'idle',
  on: { 'internal.finish': '.idle' },
  states: {
    idle: { on: { 'internal.reply': 'thinking' } },
    thinking: {
      exit: disarms('audioFloor'),
      on: {
        'play.started': { guard: 'wasSent', target: 'speaking', actions: 'playStarted' },
        'internal.replyOver': { guard: 'hasNoReply', target: 'idle' },
      },
    },
    speaking: {
      entry: arms('stall', 'stallMs'),
      exit: disarms('stall', 'hold'),
      on: {
        'play.started': { guard: 'wasSent', actions: ['playStarted', arms('stall', 'stallMs')] },
        'timer.hold': { actions: 'decideHold' },
        'timer.stall': { actions: 'playbackStalled' },
        'internal.hold': { target: 'held', actions: 'limitHold' },
        'internal.mute': 'held',
        'internal.interrupt': { target: 'yielding', actions: 'interrupt' },
        'internal.replyOver': { guard: 'hasNoReply', target: 'idle' },
        'internal.reply': 'thinking',
      },
    },
    held: {
      exit: disarms('heldMax', 'voiceOnly', 'resume', 'hold'),
      on: {
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
      entry: arms('cleared', 'clearTimeoutMs'),
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
