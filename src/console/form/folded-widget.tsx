import { ObjectFields } from './composite-widgets.tsx';
import { useFormScope, type WidgetProps } from './form-scope.ts';

/** The fields of an object, folded away because few users need them; unfolded if one of them has an error. */
export function FoldedWidget({ path, schema, text, help }: WidgetProps) {
  const { faults } = useFormScope();
  const wrong = Object.keys(faults).some((it) => it.startsWith(`${path}.`));
  return (
    <details class="form-folded form-wide" open={wrong || undefined}>
      <summary>{text.label}</summary>
      {help && <p class="field-help">{help}</p>}
      <ObjectFields path={path} schema={schema} />
    </details>
  );
}
