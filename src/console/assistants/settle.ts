import { type Values, valueAt, withValueAt } from '../form/value-path.ts';
import { FIRST_WORKFLOW } from './workflow/first-workflow.ts';

/** Fields that the contract allows only with a certain value of another field, and their value otherwise. */
const DEPENDENT = [
  { path: 'assistantLLMUrl', without: '', needs: 'assistantProvider', to: 'custom-llm' },
  { path: 'assistantWorkflow', without: undefined, needs: 'assistantType', to: 'workflow_based' },
  {
    path: 'assistantKnowledgeBaseIds',
    without: [],
    needs: 'assistantPredefinedTools.knowledgeBase',
    to: true,
  },
  { path: 'endCallMessage', without: '', needs: 'assistantPredefinedTools.endCall', to: true },
  {
    path: 'endCallToolDescription',
    without: '',
    needs: 'assistantPredefinedTools.endCall',
    to: true,
  },
  { path: 'endCallPhrases', without: [], needs: 'assistantPredefinedTools.endCall', to: true },
] as const;

/**
 * The assistant to save: resets fields that do not apply to the current settings. The form keeps them, in case the
 * setting changes back.
 */
export function settleAssistant(value: Values): Values {
  const withWorkflow =
    value.assistantType === 'workflow_based' && value.assistantWorkflow === undefined
      ? { ...value, assistantWorkflow: FIRST_WORKFLOW }
      : value;
  return DEPENDENT.reduce<Values>(
    (settled, { path, without, needs, to }) =>
      valueAt(settled, needs) === to || !(path in settled)
        ? settled
        : withValueAt(settled, path, without),
    withWorkflow,
  );
}
