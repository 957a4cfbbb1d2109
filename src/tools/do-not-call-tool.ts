import type { LlmTool } from '../ports/llm.ts';
import type { CallerDeps } from './caller.ts';
import type { HostedTool } from './hosted-tool.ts';
import { createPredefinedTool } from './predefined-tool.ts';

const DO_NOT_CALL: LlmTool = {
  name: 'doNotCall',
  description:
    'Puts the number of the person on the line on the list of numbers that are not called any more. Use it when they ask ' +
    'not to be called again, and confirm it. It does not end the call.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};

/** The predefined `doNotCall`. `add` puts the caller's number on the team's list. */
export function createDoNotCallTool(
  deps: Pick<CallerDeps, 'log'>,
  add: () => Promise<void>,
): HostedTool {
  return createPredefinedTool(deps, {
    definition: DO_NOT_CALL,
    readOnly: false,
    act: async () => {
      await add();
      return { status: 'will not be called again' };
    },
  });
}
