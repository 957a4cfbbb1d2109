import { SchemaField } from '../form/schema-field.tsx';
import type { FieldGroup } from './groups.ts';

export function GroupPanel({ group }: { readonly group: FieldGroup }) {
  return (
    <section class="editor-panel" aria-labelledby={`group-${group.id}`}>
      <header>
        <h2 id={`group-${group.id}`}>{group.title}</h2>
        <p class="soft">{group.lead}</p>
      </header>
      {group.sections.map(({ title, paths }) => (
        <section key={paths[0]} class="editor-section" aria-label={title}>
          {title && <h3 class="editor-section-title">{title}</h3>}
          <div class="form-grid">
            {paths.map((path) => (
              <SchemaField key={path} path={path} />
            ))}
          </div>
        </section>
      ))}
    </section>
  );
}
