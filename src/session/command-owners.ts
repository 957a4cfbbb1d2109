import type { CallCommand } from '../engine/machine/commands.ts';

const PARTS = [
  'llm.start',
  'llm.cancel',
  'llm.adopt',
  'stt.voice',
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

const OPERATORS = [
  'leg.dial',
  'leg.brief',
  'leg.bridge',
  'leg.dtmf',
  'leg.hangup',
] as const satisfies readonly CallCommand['type'][];

interface OfParts {
  readonly type: (typeof PARTS)[number];
}

interface OfOperators {
  readonly type: (typeof OPERATORS)[number];
}

/** What model, voice, playout, tools and predictor carry out. */
export type PartsCommand = Extract<CallCommand, OfParts>;

/** What is about a leg that the call dials to an operator. */
export type OperatorCommand = Extract<CallCommand, OfOperators>;

const partsTypes: ReadonlySet<string> = new Set(PARTS);
const operatorTypes: ReadonlySet<string> = new Set(OPERATORS);

export const isForParts = <Command extends CallCommand>(
  command: Command,
): command is Extract<Command, OfParts> => partsTypes.has(command.type);

export const isForOperators = <Command extends CallCommand>(
  command: Command,
): command is Extract<Command, OfOperators> => operatorTypes.has(command.type);
