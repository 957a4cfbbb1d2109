import type { LlmTool } from '../../ports/llm.ts';
import type { Effects } from '../machine/effects.ts';
import type { CallState } from '../state/call-state.ts';

export const VOLUME_TOOL = 'volumeControl';

const STEP_DB = 4;
const MAX_DB = 12;

/** What the model is told of the predefined `volumeControl` tool. */
export const volumeTool: LlmTool = {
  name: VOLUME_TOOL,
  description:
    'Changes how loud you are for the caller, by one step. Use it when the caller says that they cannot hear you ' +
    'well, that you are too quiet or too loud, or asks you to speak up or more softly; not when they merely ask you ' +
    'to repeat something. Afterwards say in one short sentence that you did it, and go on.',
  parameters: {
    type: 'object',
    properties: {
      change: {
        type: 'string',
        enum: ['louder', 'softer', 'normal'],
        description: 'louder or softer by one step; normal: as at the beginning of the call',
      },
    },
    required: ['change'],
    additionalProperties: false,
  },
  strict: true,
};

/** Changes the volume within its bounds. Returns the result for the model. */
export function changeVolume(
  state: CallState,
  effects: Effects,
  { change }: Readonly<Record<string, unknown>>,
): string {
  const before = state.assistant.volumeDb;
  if (change === 'louder') state.assistant.volumeDb = Math.min(MAX_DB, before + STEP_DB);
  else if (change === 'softer') state.assistant.volumeDb = Math.max(-MAX_DB, before - STEP_DB);
  else if (change === 'normal') state.assistant.volumeDb = 0;
  else return JSON.stringify({ error: 'change must be louder, softer or normal' });
  if (state.assistant.volumeDb === before && change !== 'normal') {
    return JSON.stringify({
      error: `it is already as ${change === 'louder' ? 'loud' : 'soft'} as it goes`,
    });
  }
  effects.emit({ type: 'play.volume', gainDb: state.assistant.volumeDb });
  return JSON.stringify({
    status: 'done',
    now: state.assistant.volumeDb === 0 ? 'normal' : `${state.assistant.volumeDb} dB`,
  });
}
