import { arms, disarms } from '../timed.ts';

/** V: whether a called party may be a machine. */
export const screening = {
  initial: 'off',
  on: { 'internal.unscreen': '.off', 'internal.close': '.off', 'internal.finish': '.off' },
  states: {
    off: { on: { 'internal.screen': 'listening' } },
    listening: {
      exit: disarms('screen'),
      on: {
        'timer.screen': { target: 'classifying', actions: disarms('ungate') },
        'stt.interim': { guard: 'machineSpeaks', target: 'machine' },
        'stt.final': { guard: 'machineSpeaks', target: 'machine' },
      },
    },
    classifying: {
      entry: arms('screen', 'screenMaxMs'),
      exit: disarms('screen'),
      on: {
        'timer.screen': 'machine',
        beep: 'machine',
        'stt.interim': { guard: 'machineSpeaks', target: 'machine' },
        'stt.final': { guard: 'machineSpeaks', target: 'machine' },
      },
    },
    machine: {
      entry: ['awaitBeep', arms('screen', 'beepMaxMs')],
      exit: disarms('screen', 'beep'),
      on: {
        'vad.start': { actions: disarms('beep') },
        'vad.stop': { actions: arms('beep', 'beepSilenceMs') },
        beep: { actions: 'leaveMessage' },
        'timer.beep': { actions: 'leaveMessage' },
        'timer.screen': { actions: 'leaveMessage' },
      },
    },
  },
} as const;
