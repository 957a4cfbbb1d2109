/** The tools that a call carries out itself: nothing is asked for their answers. */
export const CALL_TOOLS: ReadonlySet<string> = new Set([
  'endCall',
  'callForward',
  'volumeControl',
  'nextStep',
]);

const RESERVED: ReadonlySet<string> = new Set([
  ...CALL_TOOLS,
  'knowledgeBase',
  'sendSms',
  'doNotCall',
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
