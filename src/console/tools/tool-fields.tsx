import { SchemaField } from '../form/schema-field.tsx';
import { NEW_TOOL_SECTION, TOOL_SECTIONS } from './field-texts.ts';

/** Every field of a tool; `isNew`: with those that cannot be changed later. */
export function ToolFields({ isNew = false }: { readonly isNew?: boolean }) {
  const sections = isNew ? [NEW_TOOL_SECTION, ...TOOL_SECTIONS] : TOOL_SECTIONS;
  return (
    <div class="stack">
      {sections.map(({ title, paths }) => (
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
