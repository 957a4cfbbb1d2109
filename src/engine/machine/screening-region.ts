/** V: whether a called party may be a machine, as a region of the statechart. */
export const screeningRegion = {
  initial: 'off',
  on: { 'mind.unscreen': '.off', 'mind.close': '.off', 'mind.finish': '.off' },
  states: {
    off: { on: { 'mind.screen': 'listening' } },
    listening: {
      on: {
        'due.screen': { target: 'classifying', actions: 'screenSpeech' },
        'stt.interim': { guard: 'machineSpeaks', target: 'machine' },
        'stt.final': { guard: 'machineSpeaks', target: 'machine' },
      },
    },
    classifying: {
      on: {
        'due.screen': 'machine',
        beep: 'machine',
        'stt.interim': { guard: 'machineSpeaks', target: 'machine' },
        'stt.final': { guard: 'machineSpeaks', target: 'machine' },
      },
    },
    machine: {
      entry: 'awaitBeep',
      on: {
        'vad.start': { actions: 'machineGoesOn' },
        'vad.stop': { actions: 'machinePauses' },
        beep: { actions: 'leaveMessage' },
        'due.beep': { actions: 'leaveMessage' },
        'due.screen': { actions: 'leaveMessage' },
      },
    },
  },
} as const;
