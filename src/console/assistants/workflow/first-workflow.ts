import type { Assistant } from '../../../client/api.generated.ts';

export type Workflow = NonNullable<Assistant['assistantWorkflow']>;

/** The initial workflow: valid as it is, and an example of how steps connect. */
export const FIRST_WORKFLOW: Workflow = {
  start: 'greeting',
  nodes: [
    {
      id: 'greeting',
      name: 'Greeting',
      prompt: 'Find out what the caller needs.',
      message: '',
      toolIds: [],
      variables: [],
      end: false,
    },
    {
      id: 'farewell',
      name: 'Farewell',
      prompt: 'Thank the caller and say goodbye.',
      message: '',
      toolIds: [],
      variables: [],
      end: true,
    },
  ],
  edges: [
    {
      from: 'greeting',
      to: 'farewell',
      condition: { type: 'model', description: 'The caller has what they need.' },
    },
  ],
};
