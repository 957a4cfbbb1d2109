import type { LlmTool } from '../../ports/llm.ts';
import type { Mind } from '../machine/mind.ts';

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

/** Does what the caller wished, within bounds; the result for the model. */
export function changeVolume(mind: Mind, { change }: Readonly<Record<string, unknown>>): string {
  const before = mind.volumeDb;
  if (change === 'louder') mind.volumeDb = Math.min(MAX_DB, before + STEP_DB);
  else if (change === 'softer') mind.volumeDb = Math.max(-MAX_DB, before - STEP_DB);
  else if (change === 'normal') mind.volumeDb = 0;
  else return JSON.stringify({ error: 'change must be louder, softer or normal' });
  if (mind.volumeDb === before && change !== 'normal') {
    return JSON.stringify({
      error: `it is already as ${change === 'louder' ? 'loud' : 'soft'} as it goes`,
    });
  }
  mind.emit({ type: 'play.volume', gainDb: mind.volumeDb });
  return JSON.stringify({
    status: 'done',
    now: mind.volumeDb === 0 ? 'normal' : `${mind.volumeDb} dB`,
  });
}
