import type { ComponentChildren } from 'preact';

interface FactsProps {
  /** Names and values; empty values are left out. */
  readonly items: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** A list of names and values. */
export function Facts({ items }: FactsProps) {
  return (
    <dl class="facts">
      {items
        .filter(([, value]) => value !== undefined && value !== null && value !== '')
        .flatMap(([name, value]) => [
          <dt key={`${name}-name`}>{name}</dt>,
          <dd key={name}>{value}</dd>,
        ])}
    </dl>
  );
}
