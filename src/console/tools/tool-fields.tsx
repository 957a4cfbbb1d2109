import { useFormScope } from '../form/form-scope.ts';
import { SchemaField } from '../form/schema-field.tsx';
import { NEW_TOOL_SECTION, TOOL_SECTIONS } from './field-texts.ts';

/** Every field of a tool of this type; without one, of a new tool, with the choice of its type. */
export function ToolFields({ type }: { readonly type?: 'function' | 'mcp' }) {
  const { value } = useFormScope();
  const kind = type ?? (value.type === 'mcp' ? 'mcp' : 'function');
  const sections = type ? TOOL_SECTIONS[kind] : [NEW_TOOL_SECTION, ...TOOL_SECTIONS[kind]];
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
