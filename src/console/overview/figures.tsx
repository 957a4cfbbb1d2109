import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';

interface Figure {
  readonly name: string;
  /** Nothing while it is on its way. */
  readonly value: ComponentChildren | undefined;
  /** What it is made of, or compared with. */
  readonly note?: ComponentChildren;
  /** Where those it counts are listed. */
  readonly href?: string;
}

/** The few numbers that say how it goes. */
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
