import { normalizeProps, useMachine } from '@zag-js/preact';
import * as tabs from '@zag-js/tabs';
import { panelId, TabsFrame, type TabsProps, tabId } from './tabs-frame.tsx';

/** The tabs as the keyboard has them; `tabs.tsx` loads it when a key is used. */
export function TabsMachine(props: TabsProps & { readonly id: string }) {
  const { id, value, onChange } = props;
  const service = useMachine(tabs.machine, {
    id,
    ids: { trigger: (one) => tabId(id, one), content: (one) => panelId(id, one) },
    value,
    onValueChange: (details) => details.value && onChange(details.value),
  });
  const api = tabs.connect(service, normalizeProps);
  return (
    <TabsFrame
      {...props}
      list={api.getListProps()}
      tab={(one) => api.getTriggerProps({ value: one })}
      panel={(one) => api.getContentProps({ value: one })}
    />
  );
}
