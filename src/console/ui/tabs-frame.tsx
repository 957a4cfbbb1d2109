import type { ButtonHTMLAttributes, ComponentChildren, HTMLAttributes } from 'preact';

interface Tab {
  readonly value: string;
  readonly label: ComponentChildren;
  readonly content: () => ComponentChildren;
}

export interface TabsProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly items: readonly [Tab, ...Tab[]];
  /** The selected tab; the parent holds it, preferably in the address. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Ids of the tabs and their panels begin with it. @defaultValue a generated one */
  readonly id?: string;
}

export const tabId = (id: string, value: string): string => `${id}-tab-${value}`;
export const panelId = (id: string, value: string): string => `${id}-panel-${value}`;

interface FrameProps extends TabsProps {
  readonly list: HTMLAttributes<HTMLDivElement>;
  readonly tab: (value: string) => ButtonHTMLAttributes<HTMLButtonElement>;
  readonly panel: (value: string) => HTMLAttributes<HTMLDivElement>;
}

/** The tabs and the panel of the selected one. */
export function TabsFrame({ label, items, value, list, tab, panel }: FrameProps) {
  return (
    <div>
      <div role="tablist" {...list} aria-label={label} class="tab-list">
        {items.map((item) => (
          <button type="button" key={item.value} {...tab(item.value)} class="tab">
            {item.label}
          </button>
        ))}
      </div>
      {items.map((item) => (
        <div key={item.value} {...panel(item.value)} class="tab-panel">
          {item.value === value && item.content()}
        </div>
      ))}
    </div>
  );
}
