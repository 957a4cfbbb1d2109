import { TEMPLATES } from './templates/all-templates.ts';
import type { AssistantTemplate } from './templates/template.ts';

interface TemplateChoiceProps {
  readonly value: AssistantTemplate;
  readonly onChange: (template: AssistantTemplate) => void;
}

/** What to begin with. */
export function TemplateChoice({ value, onChange }: TemplateChoiceProps) {
  return (
    <fieldset class="templates">
      <legend>Start from</legend>
      {TEMPLATES.map((template) => (
        <label key={template.id} class="template-option">
          <input
            type="radio"
            name="template"
            value={template.id}
            checked={template.id === value.id}
            onChange={() => onChange(template)}
          />
          <span>
            <strong>{template.title}</strong>
            <span class="soft">{template.description}</span>
            <span class="template-brings">{bringsOf(template)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function bringsOf({ knowledge, calendars, waitLists, tools }: AssistantTemplate): string {
  return [
    knowledge && `${knowledge.faq.length} answers`,
    calendars && 'a calendar',
    waitLists && 'a wait list',
    tools && 'a tool',
  ]
    .filter(Boolean)
    .join(', ');
}
