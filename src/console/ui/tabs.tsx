import { panelId, TabsFrame, type TabsProps, tabId } from './tabs-frame.tsx';
import { type RestingProps, whenUsed } from './when-used.tsx';

const TAB_KEYS: readonly string[] = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/** Tabs that show one view at a time. */
export const Tabs = whenUsed<TabsProps>(
  async () => (await import('./tabs-machine.tsx')).TabsMachine,
  RestingTabs,
);

function RestingTabs(props: TabsProps & RestingProps) {
  const { id, value, onChange, onUse } = props;
  return (
    <TabsFrame
      {...props}
      list={{ 'aria-orientation': 'horizontal' }}
      tab={(one) => ({
        id: tabId(id, one),
        role: 'tab',
        tabIndex: one === value ? 0 : -1,
        'aria-selected': one === value,
        'aria-controls': one === value ? panelId(id, one) : undefined,
        onClick: () => onChange(one),
        onKeyDown: (event) => {
          if (!TAB_KEYS.includes(event.key)) return;
          event.preventDefault();
          onUse(event);
        },
      })}
      panel={(one) => ({
        id: panelId(id, one),
        role: 'tabpanel',
        tabIndex: 0,
        'aria-labelledby': tabId(id, one),
        hidden: one !== value,
      })}
    />
  );
}
