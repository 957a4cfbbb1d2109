const RESERVED: ReadonlySet<string> = new Set([
  'knowledgeBase',
  'endCall',
  'callForward',
  'sendSms',
  'volumeControl',
  'nextStep',
  'appointmentSlots',
  'appointmentBook',
  'appointmentFind',
  'appointmentMove',
  'appointmentCancel',
  'waitListAdd',
  'waitListPosition',
  'waitListLeave',
]);

/** Whether a name is that of a tool of ours: a model could not tell the two apart. */
export const isReservedToolName = (name: string): boolean => RESERVED.has(name);
