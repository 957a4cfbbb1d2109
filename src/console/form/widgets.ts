import { ChoicesWidget, ObjectWidget, VariantWidget } from './composite-widgets.tsx';
import { FoldedWidget } from './folded-widget.tsx';
import type { Widget } from './form-scope.ts';
import { JsonWidget } from './json-widget.tsx';
import { LanguageWidget } from './language-widget.tsx';
import { LinesWidget, ListWidget } from './list-widgets.tsx';
import { OptionalWidget } from './optional-widget.tsx';
import { RecordWidget, SecretRecordWidget } from './record-widget.tsx';
import { SchemaWidget } from './schema-widget.tsx';
import { SecretWidget } from './secret-widget.tsx';
import {
  AreaWidget,
  LineWidget,
  NumberWidget,
  SelectWidget,
  SuggestionsWidget,
  SwitchWidget,
} from './simple-widgets.tsx';
import { TemplateWidget } from './template-widget.tsx';

/** The widgets of all forms, by name. */
export const WIDGETS = {
  line: LineWidget,
  area: AreaWidget,
  number: NumberWidget,
  switch: SwitchWidget,
  select: SelectWidget,
  suggestions: SuggestionsWidget,
  choices: ChoicesWidget,
  lines: LinesWidget,
  list: ListWidget,
  object: ObjectWidget,
  optional: OptionalWidget,
  variant: VariantWidget,
  record: RecordWidget,
  'secret-record': SecretRecordWidget,
  secret: SecretWidget,
  json: JsonWidget,
  template: TemplateWidget,
  folded: FoldedWidget,
  language: LanguageWidget,
  schema: SchemaWidget,
} as const satisfies Readonly<Record<string, Widget>>;
