import type { FieldTexts } from '../form/field-text.ts';
import { freeStepId } from './workflow/changes.ts';

/** Fields of a workflow: its steps and the transitions between them. */
export const WORKFLOW_FIELD_TEXTS: FieldTexts = {
  'assistantWorkflow.start': { label: 'First step', widget: 'step' },
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
  'assistantWorkflow.nodes.*.message': {
    label: 'Message on entering',
    widget: 'template',
    help: '',
  },
  'assistantWorkflow.nodes.*.toolIds': { label: 'Tools', widget: 'tools' },
  'assistantWorkflow.nodes.*.variables': { label: 'Variables to collect', item: 'variable' },
  'assistantWorkflow.nodes.*.variables.*.name': { label: 'Name', placeholder: 'day' },
  'assistantWorkflow.nodes.*.variables.*.description': {
    label: 'Description',
    widget: 'line',
    placeholder: 'The day the caller wants to come',
  },
  'assistantWorkflow.nodes.*.end': { label: 'Ends the call' },
  'assistantWorkflow.edges': {
    label: 'Transitions',
    item: 'transition',
    help: 'Taken when the condition is true. Conditions on variables are checked first.',
  },
  'assistantWorkflow.edges.*.from': { label: 'From', widget: 'step' },
  'assistantWorkflow.edges.*.to': { label: 'To', widget: 'step' },
  'assistantWorkflow.edges.*.condition': {
    label: 'Condition type',
    options: { model: 'The model decides', variable: 'A variable has a value' },
  },
  'assistantWorkflow.edges.*.condition.description': {
    label: 'Condition',
    placeholder: 'The caller wants to book an appointment.',
  },
  'assistantWorkflow.edges.*.condition.name': { label: 'Variable' },
  'assistantWorkflow.edges.*.condition.operator': {
    label: 'Comparison',
    options: {
      equals: 'is',
      'not-equals': 'is not',
      contains: 'contains',
      exists: 'is known',
    },
  },
  'assistantWorkflow.edges.*.condition.value': { label: 'Value' },
};
