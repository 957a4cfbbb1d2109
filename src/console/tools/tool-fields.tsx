import { SchemaField } from '../form/schema-field.tsx';
import { TOOL_SECTIONS } from './field-texts.ts';

/** Every field of a tool. */
export function ToolFields() {
  return (
    <div class="stack">
      {TOOL_SECTIONS.map(({ title, paths }) => (
        <section key={title} class="editor-section" aria-label={title}>
          <h2>{title}</h2>
          <div class="form-grid">
            {paths.map((path) => (
              <SchemaField key={path} path={path} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}
