import { normalizeProps, useMachine } from '@zag-js/preact';
import * as tabs from '@zag-js/tabs';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Tab {
  readonly value: string;
  readonly label: ComponentChildren;
  readonly content: () => ComponentChildren;
}

interface TabsProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly items: readonly [Tab, ...Tab[]];
  /** The selected tab; the parent holds it, preferably in the address. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Tabs that show one view at a time. */
export function Tabs({ label, items, value, onChange }: TabsProps) {
  const service = useMachine(tabs.machine, {
    id: useId(),
    value,
    onValueChange: (details) => details.value && onChange(details.value),
  });
  const api = tabs.connect(service, normalizeProps);
  return (
    <div {...api.getRootProps()}>
      <div {...api.getListProps()} {...{ 'aria-label': label }} class="tab-list">
        {items.map((item) => (
          <button key={item.value} {...api.getTriggerProps({ value: item.value })} class="tab">
            {item.label}
          </button>
        ))}
      </div>
      {items.map((item) => (
        <div key={item.value} {...api.getContentProps({ value: item.value })} class="tab-panel">
          {item.value === value && item.content()}
        </div>
      ))}
    </div>
  );
}
