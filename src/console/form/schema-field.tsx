import { helpOf, textOf } from './field-text.ts';
import { controlId, useFormScope } from './form-scope.ts';
import { type JsonSchema, schemaAt } from './json-schema.ts';
import { valueAt } from './value-path.ts';

interface SchemaFieldProps {
  readonly path: string;
}

/** A field of the contract, drawn by the widget that fits its schema. */
export function SchemaField({ path }: SchemaFieldProps) {
  const { schema: root, value, faults, texts, widgets, set } = useFormScope();
  const schema = schemaAt(root, path, value);
  if (!schema) throw new Error(`the contract has no field ${path}`);
  const text = textOf(texts, path);
  const Widget = widgets[text.widget ?? widgetFor(schema)];
  if (!Widget) throw new Error(`there is no widget for ${path}`);
  if (text.when && !text.when(value)) return null;
  const help = helpOf(schema, text);
  return (
    <Widget
      path={path}
      schema={schema}
      text={text}
      value={valueAt(value, path)}
      onChange={(next) => set(path, next)}
      id={controlId(path)}
      help={help === undefined ? undefined : <HelpText text={help} />}
      error={faults[path]}
    />
  );
}

/** From this maximum length on, a text gets several lines. */
const LONG_TEXT = 1000;

/** Name of the default widget for a schema. */
export function widgetFor(schema: JsonSchema): string {
  if (schema.oneOf) return 'variant';
  if (schema.enum) return 'select';
  if (schema.examples) return 'suggestions';
  if (schema.type === 'boolean') return 'switch';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  if (schema.type === 'array') return listWidget(schema.items);
  if (schema.type === 'object') {
    if (schema.properties) return 'object';
    return typeof schema.additionalProperties === 'object' && schema.additionalProperties.type
      ? 'record'
      : 'json';
  }
  return (schema.maxLength ?? 0) > LONG_TEXT && !schema.pattern ? 'area' : 'line';
}

function listWidget(items: JsonSchema | undefined): string {
  if (items?.enum) return 'choices';
  return items?.oneOf || items?.type === 'object' ? 'list' : 'lines';
}

/** A description from the contract; text in backquotes is rendered as code. */
function HelpText({ text }: { readonly text: string }) {
  const parts = text.split('`');
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
