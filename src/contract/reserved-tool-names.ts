const RESERVED: ReadonlySet<string> = new Set([
  'knowledgeBase',
  'endCall',
  'callForward',
  'sendSms',
  'doNotCall',
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

/** True if a built-in tool has this name: the model could not tell the two apart. */
export const isReservedToolName = (name: string): boolean => RESERVED.has(name);
