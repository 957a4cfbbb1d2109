import type { CallCommand } from '../engine/machine/commands.ts';

const PARTS = [
  'llm.start',
  'llm.cancel',
  'llm.adopt',
  'stt.voice',
  'stt.flush',
  'tts.start',
  'tts.cancel',
  'play.start',
  'play.hold',
  'play.release',
  'play.volume',
  'play.clear',
  'play.backchannel',
  'hold.music',
  'tool.invoke',
  'tool.cancel',
  'predict',
] as const satisfies readonly CallCommand['type'][];

const SUPERVISORS = [
  'supervisor.join',
  'supervisor.leave',
] as const satisfies readonly CallCommand['type'][];

const OPERATORS = [
  'leg.dial',
  'leg.brief',
  'leg.bridge',
  'leg.resume',
  'leg.dtmf',
  'leg.hangup',
] as const satisfies readonly CallCommand['type'][];

interface OfParts {
  readonly type: (typeof PARTS)[number];
}

interface OfSupervisors {
  readonly type: (typeof SUPERVISORS)[number];
}

interface OfOperators {
  readonly type: (typeof OPERATORS)[number];
}

/** What model, voice, playout, tools and predictor carry out. */
export type PartsCommand = Extract<CallCommand, OfParts>;

/** What is about a leg that the call dials to an operator. */
export type OperatorCommand = Extract<CallCommand, OfOperators>;

/** What is about a person who speaks with the caller instead of the assistant. */
export type SupervisorCommand = Extract<CallCommand, OfSupervisors>;

const supervisorTypes: ReadonlySet<string> = new Set(SUPERVISORS);
const partsTypes: ReadonlySet<string> = new Set(PARTS);
const operatorTypes: ReadonlySet<string> = new Set(OPERATORS);

export const isForParts = <Command extends CallCommand>(
  command: Command,
): command is Extract<Command, OfParts> => partsTypes.has(command.type);

export const isForOperators = <Command extends CallCommand>(
  command: Command,
): command is Extract<Command, OfOperators> => operatorTypes.has(command.type);

export const isForSupervisor = <Command extends CallCommand>(
  command: Command,
): command is Extract<Command, OfSupervisors> => supervisorTypes.has(command.type);
