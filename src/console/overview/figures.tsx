import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

interface Figure {
  readonly name: string;
  /** Undefined while loading. */
  readonly value: ComponentChildren | undefined;
  /** How the figure is made up, or a comparison. */
  readonly note?: ComponentChildren;
  /** Link to the list of the items counted. */
  readonly href?: string;
}

/** The key figures. */
export function Figures({ items }: { readonly items: readonly Figure[] }) {
  return (
    <dl class="figures">
      {items.map(({ name, value, note, href }) => (
        <div key={name} class="figure">
          <dt>{href ? <Link href={href}>{name}</Link> : name}</dt>
          <dd class="figure-value">{value ?? <span class="skeleton w-45" />}</dd>
          <dd class="figure-note">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
