import type { FieldTexts } from '../form/field-text.ts';
import { freeStepId } from './workflow/changes.ts';

/** Fields of a workflow: its steps and the transitions between them. */
export const WORKFLOW_FIELD_TEXTS: FieldTexts = {
  'assistantWorkflow.start': { label: 'Begins with', widget: 'step' },
  'assistantWorkflow.nodes': {
    label: 'Steps',
    item: 'step',
    blank: (steps) => ({ id: freeStepId(steps as readonly { readonly id: string }[]) }),
  },
  'assistantWorkflow.nodes.*.id': {
    label: 'Id',
    widget: 'step-id',
    help: 'Letters, digits, dashes and underscores.',
  },
  'assistantWorkflow.nodes.*.name': { label: 'Name' },
  'assistantWorkflow.nodes.*.prompt': { label: 'Prompt', widget: 'template' },
  'assistantWorkflow.nodes.*.message': { label: 'Says on entering', widget: 'template', help: '' },
  'assistantWorkflow.nodes.*.toolIds': { label: 'Tools', widget: 'tools' },
  'assistantWorkflow.nodes.*.variables': { label: 'Finds out', item: 'variable' },
  'assistantWorkflow.nodes.*.variables.*.name': { label: 'Name', placeholder: 'day' },
  'assistantWorkflow.nodes.*.variables.*.description': {
    label: 'What it is',
    widget: 'line',
    placeholder: 'The day the caller wants to come',
  },
  'assistantWorkflow.nodes.*.end': { label: 'Ends the call' },
  'assistantWorkflow.edges': {
    label: 'Ways from step to step',
    item: 'way',
    help: 'Taken when their condition holds; those with a variable are tried first.',
  },
  'assistantWorkflow.edges.*.from': { label: 'From', widget: 'step' },
  'assistantWorkflow.edges.*.to': { label: 'To', widget: 'step' },
  'assistantWorkflow.edges.*.condition': {
    label: 'When',
    options: { model: 'The model finds that …', variable: 'A variable …' },
  },
  'assistantWorkflow.edges.*.condition.description': {
    label: 'What has to hold',
    placeholder: 'The caller wants to book an appointment.',
  },
  'assistantWorkflow.edges.*.condition.name': { label: 'Variable' },
  'assistantWorkflow.edges.*.condition.operator': {
    label: 'Test',
    options: {
      equals: 'is',
      'not-equals': 'is not',
      contains: 'contains',
      exists: 'is known',
    },
  },
  'assistantWorkflow.edges.*.condition.value': { label: 'Value' },
};
