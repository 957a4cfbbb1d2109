import { arms, disarms } from '../state-timers.ts';

/** V: whether a called party may be a machine. */
export const screening = {
  initial: 'off',
  on: { 'internal.unscreen': '.off', 'internal.close': '.off', 'internal.finish': '.off' },
  states: {
    off: { on: { 'internal.screen': 'listening' } },
    listening: {
      exit: disarms('screen'),
      on: {
        'internal.voiceStarted': { guard: 'callerBegins', actions: arms('screen', 'screenAfter') },
        'internal.voiceStopped': { guard: 'callerSpeaks', actions: disarms('screen') },
        'timer.voiceAlive': { actions: disarms('screen') },
        'timer.screen': { target: 'classifying', actions: disarms('ungate') },
        'internal.machineSpeaks': 'machine',
      },
    },
    classifying: {
      entry: arms('screen', 'screenMaxMs'),
      exit: disarms('screen'),
      on: {
        'timer.screen': 'machine',
        beep: 'machine',
        'internal.machineSpeaks': 'machine',
      },
    },
    machine: {
      entry: ['awaitBeep', arms('screen', 'beepMaxMs')],
      exit: disarms('screen', 'beep'),
      on: {
        'internal.voiceStarted': { actions: disarms('beep') },
        'internal.voiceStopped': { actions: arms('beep', 'beepSilenceMs') },
        beep: { actions: 'leaveMessage' },
        'timer.beep': { actions: 'leaveMessage' },
        'timer.screen': { actions: 'leaveMessage' },
      },
    },
  },
} as const;
